import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Net } from '../../src/agent/node/web/connect.ts';

export const aPublicAddress = '93.184.216.34';

export type Site = {
  /** What was asked: host and path. */
  readonly asked: string[];
  /** The addresses that a connection was wanted to. */
  readonly opened: string[];
  readonly heads: IncomingMessage['headers'][];
  readonly net: Net;
};

/**
 * A real server that stands for the whole internet: whatever public address is opened leads to it.
 * @param names what a name leads to, one answer after another; the last one stays
 */
export async function startSite(
  listener: RequestListener,
  names: Readonly<Record<string, readonly string[][]>> = {},
): Promise<Site> {
  const asked: string[] = [];
  const opened: string[] = [];
  const heads: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    heads.push(request.headers);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const lookups = new Map<string, number>();
  const net: Net = {
    async resolve(host) {
      const answers = names[host] ?? [[aPublicAddress]];
      const turn = lookups.get(host) ?? 0;
      lookups.set(host, turn + 1);
      return answers[Math.min(turn, answers.length - 1)] ?? [];
    },
    open(wanted) {
      opened.push(wanted);
      return new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port });
        socket.once('connect', () => resolve(socket)).once('error', reject);
      });
    },
  };
  return { asked, opened, heads, net };
}
