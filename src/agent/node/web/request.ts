import { ClientRequest, type IncomingMessage } from 'node:http';
import { ToolError } from '../../tools/toolError.ts';
import { connectTo, type Net } from './connect.ts';

/**
 * One request, and the head of its answer. Nothing of the user goes with it: no cookies, no credentials, no proxy of the
 * environment. The socket is closed with the response.
 */
export async function requestOnce(url: URL, net: Net, signal: AbortSignal): Promise<IncomingMessage> {
  const socket = await connectTo(url, net, signal);
  return new Promise((resolve, reject) => {
    // Not `request`: an editor may have put its proxy there, which would resolve the name once more.
    const request = new ClientRequest({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      setHost: false,
      headers: {
        host: url.host,
        'user-agent': 'Offshoot',
        accept: 'text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1',
        'accept-encoding': 'gzip, deflate, br',
        connection: 'close',
      },
      createConnection: () => socket,
      signal,
    });
    request.once('response', resolve);
    request.once('error', (cause) => {
      socket.destroy();
      if (signal.aborted) reject(signal.reason);
      else
        reject(
          new ToolError(`${url.host} broke the connection: ${cause.message}. Try once more, or go on.`, { cause }),
        );
    });
    // Another protocol is asked for by nobody.
    request.once('upgrade', () => request.destroy(new Error('it wants another protocol')));
    request.end();
  });
}
