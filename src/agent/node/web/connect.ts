import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ToolError } from '../../tools/toolError.ts';
import { isPublicAddress } from './addresses.ts';

/** The two things that reach out of the process; a test has others. Both are asked once for each request. */
export type Net = {
  /** All addresses of a name. */
  resolve(host: string): Promise<readonly string[]>;
  /** An open connection to exactly this address. Rejects when there is none. */
  open(address: string, port: number, signal: AbortSignal): Promise<Socket>;
};

const openTimeoutMs = 5000;
const mostAddresses = 3;

export const systemNet: Net = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  open: (address, port, signal) => openSocket(address, port, openTimeoutMs, signal),
};

/** The time-out is for the opening; an open socket has all the time that the signal gives. */
export function openSocket(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal });
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), timeoutMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/**
 * A connection for one request. The name is resolved once, each of its addresses is checked, and the socket is opened to a
 * checked address, never to a name: what the name leads to a moment later does not count.
 * @throws ToolError that says why not
 */
export async function connectTo(url: URL, net: Net, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await resolve(host, net, signal);
  if (addresses.length === 0) throw new ToolError(`No server is known by the name ${host}. Check the address.`);
  const closed = addresses.find((address) => !isPublicAddress(address));
  if (closed !== undefined) throw new ToolError(refusal(host, closed));
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const socket = await openOne(addresses.slice(0, mostAddresses), port, host, net, signal);
  return url.protocol === 'https:' ? secure(socket, host, signal) : socket;
}

function refusal(host: string, address: string): string {
  const whose = host === address ? host : `${host} leads to ${address}, which`;
  return `${whose} is no address of the public internet but of this machine, a private network or a cloud's inside. WebFetch never asks those. Ask the user for what you need from there.`;
}

async function resolve(host: string, net: Net, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await unlessAborted(net.resolve(host), signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ToolError(`The name ${host} could not be resolved. Check the address, or go on without it.`, { cause });
  }
}

async function openOne(
  addresses: readonly string[],
  port: number,
  host: string,
  net: Net,
  signal: AbortSignal,
): Promise<Socket> {
  let cause: unknown;
  for (const address of addresses) {
    try {
      return await net.open(address, port, signal);
    } catch (error) {
      signal.throwIfAborted();
      cause = error;
    }
  }
  throw new ToolError(`${host} does not answer on port ${port}. Check the address, or go on without it.`, { cause });
}

/** The certificate has to be for the name that was asked for. */
function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const name = host.replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const secured = connectTls({ socket, host: name, ...(isIP(name) === 0 && { servername: name }) });
    const stop = () => secured.destroy(new Error('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    secured.once('secureConnect', () => resolve(secured));
    secured.once('error', (cause) => {
      signal.removeEventListener('abort', stop);
      reject(new ToolError(`No safe connection to ${host}: ${cause.message}. Go on without it.`, { cause }));
    });
    secured.once('close', () => signal.removeEventListener('abort', stop));
  });
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
