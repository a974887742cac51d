import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { PermissionAnswer, PermissionAsk } from '../../../src/agent/host.ts';
import { createWeb } from '../../../src/agent/node/web/web.ts';
import { webFetchTool } from '../../../src/agent/tools/webFetch.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { AnswerBlock, Script } from '../../support/scriptedModel.ts';
import { type Site, startSite } from '../../support/site.ts';
import { ofType, type StartOptions, startSession } from '../../support/startSession.ts';

const once: PermissionAnswer = { decision: 'allow', scope: 'once', by: 'user' };
const fetchOf = (url: string) => call('WebFetch', { url, prompt: 'What is there?' });

type Outcome = {
  readonly asks: readonly PermissionAsk[];
  readonly statuses: readonly string[];
  readonly result: string;
  readonly asked: readonly string[];
};

/** The calls of an agent, one a step; the result is that of the last one. */
async function fetched(
  blocks: readonly AnswerBlock[],
  options: StartOptions & { readonly answer?: PermissionAnswer; readonly site?: Site } = {},
): Promise<Outcome> {
  const site =
    options.site ??
    (await startSite((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')));
  const asks: PermissionAsk[] = [];
  const script: Script = ({ step, lastResults }) => {
    const block = blocks[step];
    return say(block ?? text(lastResults[0]?.text ?? ''));
  };
  const { session, events } = await startSession({
    script,
    web: createWeb(site.net),
    prompts: {
      permission: async (ask) => {
        asks.push(ask);
        return options.answer ?? once;
      },
    },
    ...options,
  });
  const { text: result } = await session.send('go');
  const statuses = ofType(events, 'tool-end').map(({ status }) => status);
  return { asks, statuses, result, asked: site.asked };
}

describe('WebFetch', () => {
  it('asks with the whole address, offers the rule for its host, and gives the page as text', async () => {
    const { asks, result, asked } = await fetched([fetchOf('http://Docs.Example:80/a%20b?q=1#part')]);
    expect(asks).toMatchObject([
      {
        tool: 'WebFetch',
        title: 'Fetch a web page',
        detail: 'http://docs.example/a%20b?q=1',
        rule: 'WebFetch(domain:docs.example)',
      },
    ]);
    expect(asked).toEqual(['docs.example/a%20b?q=1']);
    expect(result).toBe('Page: http://docs.example/a%20b?q=1\nLooked for: What is there?\n\nhello');
  });

  it('is not sent when the user says no', async () => {
    const { statuses, asked } = await fetched([fetchOf('http://docs.example/')], {
      answer: { decision: 'deny', scope: 'once', by: 'user' },
    });
    expect({ statuses, asked }).toEqual({ statuses: ['denied'], asked: [] });
  });

  it('is not asked about again once its host is allowed always', async () => {
    const blocks = [
      fetchOf('http://docs.example/1'),
      fetchOf('http://docs.example/2'),
      fetchOf('http://other.example/'),
    ];
    const { asks } = await fetched(blocks, { answer: { ...once, scope: 'always' } });
    expect(asks.map(({ detail }) => detail)).toEqual(['http://docs.example/1', 'http://other.example/']);
  });

  it.each([
    ['default', 1, 'ok'],
    ['acceptEdits', 1, 'ok'],
    ['plan', 1, 'ok'],
    ['dontAsk', 0, 'denied'],
    ['bypassPermissions', 0, 'ok'],
  ])('in the mode %s is asked about %i times', async (mode, times, status) => {
    const { asks, statuses } = await fetched([fetchOf('http://docs.example/')], {
      settings: { 'permissions.mode': mode },
    });
    expect({ times: asks.length, statuses }).toEqual({ times, statuses: [status] });
  });

  it('is never run in a workspace that is not trusted', async () => {
    const { asks, statuses, asked } = await fetched([fetchOf('http://docs.example/')], { isTrusted: false });
    expect(asks).toEqual([]);
    expect(statuses).not.toContain('ok');
    expect(asked).toEqual([]);
  });

  it('of an agent below asks in its name', async () => {
    const script: Script = ({ step, firstText, lastResults }) => {
      if (step > 0) return say(text(lastResults[0]?.text ?? ''));
      return say(
        firstText === 'look' ? fetchOf('http://docs.example/') : delegate('look', { subagent_type: 'Explore' }),
      );
    };
    const { asks } = await fetched([], { script });
    expect(asks).toHaveLength(1);
    expect(asks[0]?.agent).not.toBe('lead');
  });

  it('keeps the whole of a long page as an artifact', async () => {
    const long = `${'word '.repeat(20_000)}the end`;
    const site = await startSite((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(long),
    );
    const { result } = await fetched([fetchOf('http://long.example/')], { site });
    expect(result.length).toBeLessThan(61_000);
    const [, artifact = ''] = /the whole is in (\S+),/.exec(result) ?? [];
    expect(await readFile(artifact, 'utf8')).toContain(long);
  });

  it('tells a redirect to another host, and the next call is asked about again', async () => {
    const site = await startSite((request, response) => {
      if (request.headers.host === 'one.example') response.writeHead(302, { location: 'http://two.example/x' }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('two');
    });
    const settings = { 'permissions.allow': ['WebFetch(domain:one.example)'] };
    const first = await fetched([fetchOf('http://one.example/')], { site, settings });
    expect(first.result).toContain('redirects to http://two.example/x. That was not followed.');
    expect(first.asks).toEqual([]);
    const second = await fetched([fetchOf('http://two.example/x')], { site, settings });
    expect(second.asks).toHaveLength(1);
    expect(site.asked).toEqual(['one.example/', 'two.example/x']);
  });

  it('S35 does not reach inside, whatever is allowed', async () => {
    const settings = { 'permissions.allow': ['WebFetch'], 'permissions.mode': 'bypassPermissions' };
    const { result, asked } = await fetched([fetchOf('http://0x7f.1:8080/x')], { settings });
    expect(result).toContain('127.0.0.1 is no address of the public internet');
    expect(asked).toEqual([]);
  });

  it.each([
    'ftp://docs.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'docs.example',
    '/etc/passwd',
    'http://user@docs.example/',
    'http://user:password@docs.example/',
    'http://docs.example@evil.example/',
    `http://docs.example/${'x'.repeat(2000)}`,
    'http://',
  ])('refuses %s before anybody is asked', (url) => {
    expect(() => webFetchTool.prepare({ url })).toThrow();
  });
});

describe('S34 a rule for a domain covers that host and those below it', () => {
  const settings = { 'permissions.allow': ['WebFetch(domain:python.org)'] };
  it.each<[number, string]>([
    [0, 'http://python.org/'],
    [0, 'http://docs.python.org/3/'],
    [0, 'http://DOCS.Python.ORG./'],
    [1, 'http://docs.python.org.evil.example/'],
    [1, 'http://notpython.org/'],
    [1, 'http://evil.example/python.org'],
    [1, 'http://evil.example/?https://python.org/'],
    [1, 'http://evil.example#python.org'],
    [1, 'http://evil.example\\.python.org/'],
    [1, 'http://evil.example\\@python.org/'],
    [1, 'http://python.org.'.concat('evil.example/')],
    [1, 'http://python.org%2eevil.example/'],
    [1, 'http://python\u3002org.evil.example/'],
    [1, 'http://pyth\u043en.org/'],
    [0, 'http://python\u3002org/'],
  ])('%i questions for %s', async (times, url) => {
    const { asks } = await fetched([fetchOf(url)], { settings });
    expect(asks).toHaveLength(times);
  });

  it('and one that denies does so in every spelling', async () => {
    for (const url of [
      'http://PYTHON.org/',
      'http://python.org./',
      'http://a.b.python.org:81/',
      'http://py%74hon.org/',
    ]) {
      const { statuses, asked } = await fetched([fetchOf(url)], {
        settings: { 'permissions.deny': ['WebFetch(domain:python.org)'], 'permissions.mode': 'bypassPermissions' },
      });
      expect({ url, statuses, asked }).toEqual({ url, statuses: ['denied'], asked: [] });
    }
  });
});
