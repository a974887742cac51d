import { type Message, type ToolResultBlock, textOf, toolUses } from '../../messages/types.ts';
import type { ModelRequest, ToolSpec } from '../provider.ts';

/** A call and what came back. */
export type Call = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError: boolean;
};

/** The turn that a request continues. */
export type Conversation = {
  readonly prompt: string;
  /** The calls of each answer since the prompt. */
  readonly steps: readonly (readonly Call[])[];
  readonly calls: readonly Call[];
  readonly messageCount: number;
  readonly tools: readonly ToolSpec[];
  readonly isTextOnly: boolean;
};

export type PlannedCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
export type Reply = { readonly text: string; readonly calls: readonly PlannedCall[] };

export function conversationOf(request: ModelRequest): Conversation {
  const start = promptIndex(request);
  const message = request.messages[start];
  const steps = stepsAfter(request.messages.slice(start + 1));
  return {
    prompt: message === undefined ? '' : ownWords(textOf(message)),
    steps,
    calls: steps.flat(),
    messageCount: request.messages.length,
    tools: request.tools,
    isTextOnly: request.toolChoice === 'none' || request.tools.length === 0,
  };
}

export function offers(conversation: Conversation, name: string): boolean {
  return conversation.tools.some((tool) => tool.name === name);
}

/** Listings that failed at the start of the work. One failure may be a busy machine, so the first one is tried again. */
export function failedListings(conversation: Conversation): number {
  const isFailed = (step: readonly Call[]) => step.every(({ name, isError }) => name === 'Glob' && isError);
  const first = conversation.steps.findIndex((step) => !isFailed(step));
  return first === -1 ? conversation.steps.length : first;
}

/** Input fields that the tool does not declare are left out: the offered schema decides. */
export function planCall(conversation: Conversation, name: string, input: PlannedCall['input']): PlannedCall {
  const properties = conversation.tools.find((tool) => tool.name === name)?.input_schema.properties;
  if (typeof properties !== 'object' || properties === null) return { name, input };
  const declared = Object.entries(input).filter(
    ([key, value]) => Object.hasOwn(properties, key) && value !== undefined,
  );
  return { name, input: Object.fromEntries(declared) };
}

/**
 * The last message that a person (or the lead) wrote. A request for text only may follow a prompt of the harness that asks
 * for the final answer; what to answer stands before it.
 */
function promptIndex(request: ModelRequest): number {
  const { messages } = request;
  const prompts = messages.flatMap((message, index) => (isPrompt(message) ? [index] : []));
  const last = prompts.at(-1) ?? 0;
  const previous = prompts.at(-2);
  if (request.toolChoice !== 'none' || previous === undefined) return last;
  const hasAnswer = messages.slice(last + 1).some((message) => message.role === 'assistant');
  const workBefore = messages.slice(previous + 1, last).at(-1);
  return !hasAnswer && workBefore !== undefined && !isFinalAnswer(workBefore) ? previous : last;
}

function isPrompt(message: Message): boolean {
  return (
    message.role === 'user' &&
    !message.content.some((block) => block.type === 'tool_result') &&
    ownWords(textOf(message)) !== ''
  );
}

function isFinalAnswer(message: Message): boolean {
  return message.role === 'assistant' && toolUses(message).length === 0;
}

/** Without what the harness wraps in tags around the words of the user. */
function ownWords(text: string): string {
  return text.replace(/^<([\w-]+)[^>]*>[\s\S]*?<\/\1>\s*/gm, '').trim();
}

function stepsAfter(messages: readonly Message[]): readonly (readonly Call[])[] {
  const results = new Map<string, ToolResultBlock>();
  for (const message of messages) {
    for (const block of message.content) if (block.type === 'tool_result') results.set(block.tool_use_id, block);
  }
  return messages.flatMap((message) => {
    const uses = toolUses(message);
    if (uses.length === 0) return [];
    return [
      uses.map((use) => {
        const result = results.get(use.id);
        return {
          name: use.name,
          input: use.input,
          output: result === undefined ? '' : outputOf(result),
          isError: result === undefined || result.is_error === true,
        };
      }),
    ];
  });
}

function outputOf({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
