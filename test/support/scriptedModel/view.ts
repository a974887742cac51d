import type { ResultView, ScriptedRequest } from './answer.ts';
import { blocksOf, type MessagesBody, type RequestBlock, type RequestMessage } from './requestSchema.ts';

/** Sorts a request into what scripts decide upon. */
export function viewRequest(body: MessagesBody): ScriptedRequest {
  const names = new Map<string, string>();
  for (const block of body.messages.flatMap((message) => blocksOf(message.content))) {
    if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  const start = body.messages.findLastIndex(isPrompt);
  const since = body.messages.slice(Math.max(start, 0));
  const last = body.messages.at(-1);
  const first = body.messages.find((message) => message.role === 'user');
  return {
    body,
    model: body.model,
    system: textOf(blocksOf(body.system)),
    tools: (body.tools ?? []).map((tool) => tool.name),
    firstText: first ? textOf(blocksOf(first.content)) : '',
    prompt: textOf(blocksOf(since[0]?.content)),
    step: since.filter((message) => message.role === 'assistant').length,
    results: since.flatMap((message) => resultsOf(message, names)),
    lastResults: last ? resultsOf(last, names) : [],
  };
}

function isPrompt(message: RequestMessage): boolean {
  if (message.role !== 'user') return false;
  const blocks = blocksOf(message.content);
  return blocks.some((block) => block.type === 'text') && !blocks.some((block) => block.type === 'tool_result');
}

function textOf(blocks: readonly RequestBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function resultsOf(message: RequestMessage, names: ReadonlyMap<string, string>): readonly ResultView[] {
  return blocksOf(message.content).flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const { content = '' } = block;
    const text = typeof content === 'string' ? content : textOf(content);
    const name = names.get(block.tool_use_id) ?? '';
    return [{ id: block.tool_use_id, name, text, isError: block.is_error ?? false }];
  });
}
