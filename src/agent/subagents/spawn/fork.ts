import type { AssistantBlock, Message, TextBlock, ToolResultBlock, UserBlock } from '../../messages/types.ts';

const summaryChars = 300;

/**
 * A parent's history as a child may have it: calls without a result are left out, calls of tools that the child lacks
 * stand as short texts, thinking (which is signed for the parent) is gone, and a line says where the child's own part begins.
 */
export function forkHistory(history: readonly Message[], toolNames: readonly string[]): readonly Message[] {
  const offered = new Set(toolNames);
  const answered = new Set(history.flatMap((message) => message.content.flatMap(answeredCall)));
  const replaced = new Set<string>();
  const forked = history.map((message): Message => {
    if (message.role === 'user') {
      return { role: 'user', content: message.content.map((block) => forkUserBlock(block, replaced)) };
    }
    return {
      role: 'assistant',
      content: message.content.flatMap((block) => forkAssistantBlock(block, offered, answered, replaced)),
    };
  });
  return [...forked.filter(({ content }) => content.length > 0), separator];
}

const separator: Message = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: 'The conversation above is that of the agent which delegates to you, for your information. Your own task begins here.',
    },
  ],
};

function answeredCall(block: UserBlock | AssistantBlock): readonly string[] {
  return block.type === 'tool_result' ? [block.tool_use_id] : [];
}

function forkAssistantBlock(
  block: AssistantBlock,
  offered: ReadonlySet<string>,
  answered: ReadonlySet<string>,
  replaced: Set<string>,
): readonly AssistantBlock[] {
  if (block.type === 'text') return [block];
  if (block.type !== 'tool_use' || !answered.has(block.id)) return [];
  if (offered.has(block.name)) return [block];
  replaced.add(block.id);
  return [{ type: 'text', text: `[Called ${block.name}: ${cut(JSON.stringify(block.input))}]` }];
}

function forkUserBlock(block: UserBlock, replaced: ReadonlySet<string>): UserBlock {
  if (block.type !== 'tool_result' || !replaced.has(block.tool_use_id)) return block;
  const text: TextBlock = { type: 'text', text: `[Result: ${cut(textOfResult(block))}]` };
  return text;
}

function textOfResult({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join(' ');
}

function cut(text: string): string {
  return text.length > summaryChars ? `${text.slice(0, summaryChars)}…` : text;
}
