import type { Message } from '../../../src/agent/messages/types.ts';
import { createAnthropicProvider } from '../../../src/agent/model/anthropic.ts';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from '../../../src/agent/model/provider.ts';

export const key = 'sk-test-0123456789';

export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

export const readTool = {
  name: 'Read',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { file_path: { type: 'string' } } },
} as const;

export function requestOf(messages: readonly Message[], changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    maxTokens: 1000,
    system: [{ type: 'text', text: 'You are a test.' }],
    tools: [readTool],
    toolChoice: 'auto',
    messages,
    ...changes,
  };
}

export const providerFor = (baseUrl: string, apiKey: string | undefined = key): Provider =>
  createAnthropicProvider({ baseUrl, apiKey: async () => apiKey });

export const never = new AbortController().signal;

/** All events but the signs of life. */
export async function eventsOf(stream: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) if (event.type !== 'alive') events.push(event);
  return events;
}

export async function errorOf(work: Promise<unknown>): Promise<ModelError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}
