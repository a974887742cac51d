import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Net, openSocket } from '../../../../src/agent/node/web/connect.ts';
import { readPage } from '../../../../src/agent/node/web/page.ts';
import { createWeb } from '../../../../src/agent/node/web/web.ts';
import { aPublicAddress, startSite } from '../../../support/site.ts';

const never = new AbortController().signal;
const answer =
  (type: string, body: string | Buffer, more: Readonly<Record<string, string>> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type, ...more }).end(body);
  };

describe('S35 what does not lead to the public internet is not asked', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://192.168.0.1:8080/',
    'http://１２７.0.0.1/',
    'https://10.1.2.3/',
  ])('%s', async (url) => {
    const site = await startSite(answer('text/plain', 'secret'));
    await expect(createWeb(site.net).fetch(url, never)).rejects.toThrow('no address of the public internet');
    expect(site.opened).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['a name for this machine', ['127.0.0.1']],
    ['a name for this machine in the other family', ['::1']],
    ['a name with one address inside and one outside', [aPublicAddress, '10.0.0.5']],
    ['the other way round', ['fd12::1', aPublicAddress]],
    ['a mapped one', ['::ffff:192.168.1.1']],
    ['what is no address', ['printer']],
  ])('%s', async (_, addresses) => {
    const names = { 'inside.example': [addresses], 'inside.example.': [addresses] };
    const site = await startSite(answer('text/plain', 'secret'), names);
    for (const host of ['inside.example', 'INSIDE.example.']) {
      await expect(createWeb(site.net).fetch(`http://${host}/`, never)).rejects.toThrow('WebFetch never asks those');
    }
    expect(site.opened).toEqual([]);
  });

  it('a name that leads elsewhere a moment later: the checked address is the one that is opened, and it is asked once', async () => {
    const site = await startSite(answer('text/plain', 'hello'), { 'turn.example': [[aPublicAddress], ['127.0.0.1']] });
    const web = createWeb(site.net);
    expect(await web.fetch('http://turn.example/', never)).toMatchObject({ text: 'hello' });
    expect(site.opened).toEqual([aPublicAddress]);
    await expect(web.fetch('http://turn.example/', never)).rejects.toThrow('127.0.0.1');
  });

  it('a name that leads elsewhere after a redirect', async () => {
    const redirect: RequestListener = (_request, response) => response.writeHead(302, { location: '/in' }).end();
    const site = await startSite(redirect, { 'turn.example': [[aPublicAddress], ['169.254.169.254']] });
    await expect(createWeb(site.net).fetch('http://turn.example/', never)).rejects.toThrow('169.254.169.254');
    expect(site.asked).toEqual(['turn.example/']);
  });

  it.each([
    'http://169.254.169.254/latest/',
    'http://localhost:3000/',
    'https://other.example/',
    '//other.example/x',
    'http://site.example:8080/',
    'http://user:pass@site.example/',
    'http://site.example.evil.example/',
    'file:///etc/passwd',
    'gopher://site.example/',
  ])('a redirect to %s is told, not followed', async (location) => {
    const site = await startSite((_request, response) => response.writeHead(301, { location }).end());
    const result = await createWeb(site.net).fetch('http://site.example/', never);
    expect(result).toEqual({
      kind: 'redirect',
      from: 'http://site.example/',
      to: new URL(location, 'http://site.example/').href,
    });
    expect(site.asked).toEqual(['site.example/']);
  });

  it('from a safe connection a redirect to an unsafe one would be told; from an unsafe one to a safe one it is followed', async () => {
    const site = await startSite((_request, response) =>
      response.writeHead(308, { location: 'https://site.example/' }).end(),
    );
    // The server speaks no TLS: that it is asked to shows that the redirect was followed.
    await expect(createWeb(site.net).fetch('http://site.example/', never)).rejects.toThrow('No safe connection');
    expect(site.opened).toEqual([aPublicAddress, aPublicAddress]);
  });
});

describe('S45 what is sent cannot grow without end', () => {
  const bomb = Buffer.alloc(64 * 1024 * 1024, 'a');
  it.each<[string, Buffer]>([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['deflate', deflateSync(bomb)],
  ])('a bomb of %s is cut where the limit is', async (encoding, body) => {
    const site = await startSite(answer('text/plain', body, { 'content-encoding': encoding }));
    const page = await createWeb(site.net).fetch('http://bomb.example/', never);
    expect(page).toMatchObject({ kind: 'page', isCut: true });
    expect(page.kind === 'page' && page.text.length).toBe(5 * 1024 * 1024);
  });

  it('a body without end is cut, and its connection closed', async () => {
    let closed: (() => void) | undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const site = await startSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const send = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
      };
      response.on('drain', send).on('close', () => closed?.());
      send();
    });
    expect(await createWeb(site.net).fetch('http://long.example/', never)).toMatchObject({ isCut: true });
    await isClosed;
  });

  it('redirects end', async () => {
    const site = await startSite((request, response) => response.writeHead(302, { location: `${request.url}x` }).end());
    await expect(createWeb(site.net).fetch('http://loop.example/', never)).rejects.toThrow('more than 5 times');
    expect(site.asked).toHaveLength(6);
  });

  it('a packing within a packing, or an unknown one, is refused', async () => {
    for (const encoding of ['gzip, gzip', 'zstd', 'x']) {
      const site = await startSite(answer('text/plain', 'x', { 'content-encoding': encoding }));
      await expect(createWeb(site.net).fetch('http://site.example/', never)).rejects.toThrow('not understood');
    }
  });

  it('a broken packing is an error', async () => {
    const site = await startSite(answer('text/plain', 'plain', { 'content-encoding': 'gzip' }));
    await expect(createWeb(site.net).fetch('http://site.example/', never)).rejects.toThrow('cannot be unpacked');
  });

  it('Stop ends a server that is silent', async () => {
    const stop = new AbortController();
    const site = await startSite(() => stop.abort());
    await expect(createWeb(site.net).fetch('http://slow.example/', stop.signal)).rejects.toThrow('abort');
  });

  it('Stop ends a name that is not resolved', async () => {
    const stop = new AbortController();
    const net: Net = {
      resolve: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
      open: () => Promise.reject(new Error('not wanted')),
    };
    await expect(createWeb(net).fetch('http://slow.example/', stop.signal)).rejects.toThrow('abort');
  });
});

describe('a socket', () => {
  it('is given up when nobody answers in time, and left alone once it is open', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const socket = await openSocket('127.0.0.1', port, 1000, never);
    onTestFinished(() => void socket.destroy());
    await sleep(1100);
    expect(socket.destroyed).toBe(false);
    await expect(openSocket('127.0.0.1', 1, 1000, never)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a page', () => {
  it('sends nothing of the user', async () => {
    const site = await startSite(answer('text/plain', 'x', { 'set-cookie': 'a=b' }));
    const web = createWeb(site.net);
    await web.fetch('http://site.example/a?b=c', never);
    await web.fetch('http://site.example/', never);
    expect(site.asked).toEqual(['site.example/a?b=c', 'site.example/']);
    expect(site.heads[1]).toEqual({
      host: 'site.example',
      'user-agent': 'Offshoot',
      accept: expect.any(String),
      'accept-encoding': 'gzip, deflate, br',
      connection: 'close',
    });
  });

  it('comes as markdown, with links in full and without what runs or frames it', async () => {
    const prose = 'Offshoot reads this page and keeps what a reader would keep of it. '.repeat(12);
    const html = `<html><head><title> The  page </title><script>alert(1)</script><style>p{}</style></head><body>
      <nav><a href="/home">Home</a></nav>
      <main><article><h1>Heading</h1><p>${prose}</p><p>See <a href="../other#part">the other</a>,
      <a href="javascript:alert(1)">bad</a> and <img src="https://spy.example/x.png" alt="a picture">.</p>
      <pre><code>npm test</code></pre>
      <table><tr><th>Name</th><th>Value</th></tr><tr><td>a</td><td>b | c</td></tr></table>
      <ul><li>one</li><li>two</li></ul></article></main>
      <footer>All rights</footer></body></html>`;
    const site = await startSite(answer('text/html; charset=utf-8', html));
    const page = await createWeb(site.net).fetch('http://site.example/docs/page', never);
    if (page.kind !== 'page') throw new Error('no page');
    expect(page.title).toBe('The page');
    expect(page.text).toContain('[the other](http://site.example/other#part)');
    expect(page.text).toContain('bad and a picture.');
    expect(page.text).toContain('```\nnpm test\n```');
    expect(page.text).toContain('| Name | Value |\n| --- | --- |\n| a | b \\| c |');
    expect(page.text).toMatch(/-\s+one\n-\s+two/);
    expect(page.text).not.toMatch(/alert|Home|All rights|spy\.example|p\{\}/);
  });

  it.each([
    '<p>short',
    'short',
    '<div>short</div>',
    '<body><div>short</div>',
    '<title>x</title><p>short',
    '<head><title>x</title></head><body>short',
    '<html><p>short',
    '<html><head><style>p{}</style></head><p>short</p></html>',
    '<!DOCTYPE html><HTML lang="en"><BODY class="a">short</BODY></HTML>',
  ])('without an article comes all the same: %s', async (html) => {
    expect(await readPage({ html, url: 'http://site.example/' }, never)).toMatchObject({ text: 'short' });
  });

  it('that takes too long to read is an error, and its thread ends', async () => {
    const page = { html: '<div>'.repeat(30_000), url: 'http://deep.example/' };
    await expect(readPage(page, never, 300)).rejects.toThrow('turned into text: it takes too long');
  });

  it('comes in its own encoding', async () => {
    const latin = Buffer.from('<meta charset="iso-8859-1"><p>caf\u00e9', 'latin1');
    const site = await startSite(answer('text/html', latin));
    expect(await createWeb(site.net).fetch('http://site.example/', never)).toMatchObject({ text: 'café' });
    const named = await startSite(answer('text/plain; charset=windows-1252', Buffer.from('80', 'hex')));
    expect(await createWeb(named.net).fetch('http://site.example/', never)).toMatchObject({ text: '€' });
  });

  it.each(['application/json', 'text/markdown', 'application/vnd.api+json', 'application/xml'])(
    'of type %s comes as it is',
    async (type) => {
      const site = await startSite(answer(type, '{"a": "<b>"}'));
      expect(await createWeb(site.net).fetch('http://site.example/', never)).toMatchObject({ text: '{"a": "<b>"}' });
    },
  );

  it.each(['application/pdf', 'image/png', 'application/octet-stream', 'application/zip', ''])(
    'of type %j is refused',
    async (type) => {
      const site = await startSite(answer(type, '\0\0'));
      await expect(createWeb(site.net).fetch('http://site.example/', never)).rejects.toThrow('only text');
    },
  );

  it('that says it is text and is not is refused', async () => {
    const site = await startSite(answer('text/plain', 'MZ\0\0'));
    await expect(createWeb(site.net).fetch('http://site.example/', never)).rejects.toThrow('no text');
  });

  it('that is not there is an error with the answer', async () => {
    const site = await startSite((_request, response) => response.writeHead(404).end('gone'));
    await expect(createWeb(site.net).fetch('http://site.example/', never)).rejects.toThrow('answered 404 Not Found.');
  });
});
