/**
 * The parts of Anthropic's SDK that are used. With its main entry comes the whole of it, more than three times as much, and
 * the first request has to wait until that is loaded.
 */
import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';

export { APIConnectionError, APIError } from '@anthropic-ai/sdk/core/error';

export type Client = { readonly messages: Messages; readonly models: Models };

export function createSdkClient(options: ClientOptions): Client {
  const client = new BaseAnthropic(options);
  return { messages: new Messages(client), models: new Models(client) };
}
