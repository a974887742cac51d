import { blocksOf, type CountTokensBody, type RequestBlock } from './requestSchema.ts';
import { isRedactedDataValid, isSignatureValid } from './signature.ts';

type Merged = { readonly role: 'user' | 'assistant'; readonly index: number; readonly blocks: readonly RequestBlock[] };

/** What the real server would refuse about a well-formed body; undefined when it would accept it. */
export function checkHistory(body: CountTokensBody): string | undefined {
  return (
    checkTools(body) ?? checkBlocks(body) ?? checkCacheMarks(body) ?? checkRoles(body) ?? checkCalls(mergeRoles(body))
  );
}

function mergeRoles(body: CountTokensBody): readonly Merged[] {
  const merged: Merged[] = [];
  for (const [index, message] of body.messages.entries()) {
    const last = merged.at(-1);
    const blocks = blocksOf(message.content);
    if (last?.role === message.role) merged[merged.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    else merged.push({ role: message.role, index, blocks });
  }
  return merged;
}

function checkTools(body: CountTokensBody): string | undefined {
  const names = (body.tools ?? []).map((tool) => tool.name);
  if (new Set(names).size !== names.length) return 'tools: Tool names must be unique.';
  const holdsCalls = body.messages.some((message) =>
    blocksOf(message.content).some((block) => block.type === 'tool_use' || block.type === 'tool_result'),
  );
  if (holdsCalls && names.length === 0) {
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools.';
  }
  if (body.tool_choice && names.length === 0) return 'tool_choice: may only be specified while providing tools.';
  if (body.tool_choice?.type === 'tool' && !names.includes(body.tool_choice.name)) {
    return `tool_choice: Tool '${body.tool_choice.name}' not found in provided tools.`;
  }
  return undefined;
}

function checkBlocks(body: CountTokensBody): string | undefined {
  for (const [index, block] of blocksOf(body.system).entries()) {
    if (block.type === 'text' && block.text === '') return `system.${index}: text content blocks must be non-empty`;
  }
  for (const [index, message] of body.messages.entries()) {
    const blocks = blocksOf(message.content);
    const isLast = index === body.messages.length - 1;
    if (blocks.length === 0 && !(isLast && message.role === 'assistant')) {
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    }
    for (const [position, block] of blocks.entries()) {
      const fault = checkBlock(block);
      if (fault) return `messages.${index}.content.${position}: ${fault}`;
    }
    const final = blocks.at(-1);
    if (message.role !== 'assistant' || !final) continue;
    if (final.type === 'thinking' || final.type === 'redacted_thinking') {
      return `messages.${index}: The final block in an assistant message cannot be \`${final.type}\`.`;
    }
    if (isLast && final.type === 'text' && final.text !== final.text.trimEnd()) {
      return 'messages: final assistant content cannot end with trailing whitespace';
    }
  }
  return undefined;
}

function checkBlock(block: RequestBlock): string | undefined {
  switch (block.type) {
    case 'text':
      if (block.text === '') return 'text content blocks must be non-empty';
      return block.text.trim() === '' ? 'text content blocks must contain non-whitespace text' : undefined;
    case 'tool_result':
      if (typeof block.content !== 'object') return undefined;
      return block.content.some((part) => part.type === 'text' && part.text === '')
        ? 'text content blocks must be non-empty'
        : undefined;
    case 'thinking':
      return isSignatureValid(block.thinking, block.signature)
        ? undefined
        : 'Invalid `signature` in `thinking` block: thinking blocks must remain as they were in the original response.';
    case 'redacted_thinking':
      return isRedactedDataValid(block.data) ? undefined : 'Invalid `data` in `redacted_thinking` block';
    default:
      return undefined;
  }
}

function checkCacheMarks(body: CountTokensBody): string | undefined {
  const blocks = [
    ...(body.tools ?? []),
    ...blocksOf(body.system),
    ...body.messages.flatMap((message) => blocksOf(message.content)),
  ];
  const inside = body.messages
    .flatMap((message) => blocksOf(message.content))
    .flatMap((block) => (block.type === 'tool_result' && typeof block.content === 'object' ? block.content : []));
  const count = [...blocks, ...inside].filter((block) => 'cache_control' in block && block.cache_control).length;
  return count > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` : undefined;
}

function checkRoles(body: CountTokensBody): string | undefined {
  return body.messages[0]?.role === 'user' ? undefined : 'messages: first message must use the "user" role';
}

function checkCalls(messages: readonly Merged[]): string | undefined {
  const seen = new Set<string>();
  for (const [position, message] of messages.entries()) {
    const previous = messages[position - 1];
    const asked = new Set(previous?.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
    const fault = message.role === 'assistant' ? checkCallIds(message, seen) : checkAnswers(message, asked);
    if (fault) return fault;
    if (message.role === 'assistant' && position === messages.length - 1) {
      const open = message.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      if (open.length > 0) return unanswered(message.index, open);
    }
  }
  return undefined;
}

function checkCallIds(message: Merged, seen: Set<string>): string | undefined {
  for (const block of message.blocks) {
    if (block.type !== 'tool_use') continue;
    if (seen.has(block.id)) return `messages.${message.index}: \`tool_use\` ids must be unique`;
    seen.add(block.id);
  }
  return undefined;
}

function checkAnswers(message: Merged, asked: ReadonlySet<string>): string | undefined {
  const answered = new Set<string>();
  let isLeading = true;
  for (const block of message.blocks) {
    if (block.type !== 'tool_result') {
      isLeading = false;
      continue;
    }
    const id = block.tool_use_id;
    if (!asked.has(id)) {
      return `messages.${message.index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (answered.has(id)) {
      return `messages.${message.index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
    if (isLeading) answered.add(id);
  }
  const open = [...asked].filter((id) => !answered.has(id));
  return open.length > 0 ? unanswered(message.index - 1, open) : undefined;
}

function unanswered(index: number, ids: readonly string[]): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}
