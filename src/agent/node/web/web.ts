import type { IncomingMessage } from 'node:http';
import type { Web, WebAnswer } from '../../host.ts';
import { ToolError } from '../../tools/toolError.ts';
import { readBody } from './body.ts';
import { type Net, systemNet } from './connect.ts';
import { readPage } from './page.ts';
import { requestOnce } from './request.ts';

const timeoutMs = 30_000;
const mostRedirects = 5;
const readable =
  /^(text\/.+|application\/(.+\+)?(json|xml|yaml|x-yaml|toml|javascript|x-javascript|ecmascript|xhtml\+xml|sql|x-sh))$/;

/** Fetches pages; loaded with the first of them. */
export function createWeb(net: Net = systemNet): Web {
  return {
    async fetch(address, outer) {
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([outer, limit]);
      try {
        return await follow(new URL(address), net, signal);
      } catch (cause) {
        if (!limit.aborted || outer.aborted) throw cause;
        throw new ToolError(`The page took over ${timeoutMs / 1000} s. Try once more, or go on without it.`, { cause });
      }
    },
  };
}

/** Redirects are followed within one host, and never from a safe connection to an unsafe one. */
async function follow(start: URL, net: Net, signal: AbortSignal): Promise<WebAnswer> {
  let url = start;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const response = await requestOnce(url, net, signal);
    try {
      const target = redirectOf(response, url);
      if (target === undefined) return await read(response, url, signal);
      if (!isWithin(target, url)) return { kind: 'redirect', from: url.href, to: target.href };
      url = target;
    } finally {
      response.destroy();
    }
  }
  throw new ToolError(`${start.host} redirects more than ${mostRedirects} times. Go on without this page.`);
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  try {
    return new URL(headers.location, url);
  } catch (cause) {
    throw new ToolError(`${url.host} redirects to something that is no address. Go on without this page.`, { cause });
  }
}

function isWithin(target: URL, url: URL): boolean {
  if (target.username !== '' || target.password !== '' || target.hostname !== url.hostname) return false;
  if (target.protocol === url.protocol) return target.port === url.port;
  return target.protocol === 'https:' && url.port === '' && target.port === '';
}

async function read(response: IncomingMessage, url: URL, signal: AbortSignal): Promise<WebAnswer> {
  const { statusCode = 0, statusMessage = '', headers } = response;
  if (statusCode < 200 || statusCode > 299) {
    throw new ToolError(`${url.host} answered ${statusCode} ${statusMessage.slice(0, 80)}`.trimEnd().concat('.'));
  }
  const type = headers['content-type'] ?? 'text/plain';
  const mediaType = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (!readable.test(mediaType))
    throw new ToolError(`The page is ${mediaType || 'of no type'}, and only text can be fetched.`);
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1];
  const { text, isCut } = await readBody(response, mediaType, charset);
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(mediaType))
    return { kind: 'page', url: url.href, title: '', text, isCut };
  return { kind: 'page', url: url.href, isCut, ...(await readPage({ html: text, url: url.href }, signal)) };
}
