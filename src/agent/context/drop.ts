/** Old tool results leave a history: what they said can be had again, from the tool or from an artifact. */
import { type Message, type ToolResultBlock, toolUses, type UserBlock } from '../messages/types.ts';

/** What stays whole beside the results of the last step: the newest ones, as long as there is room for both. */
export type Room = { readonly results: number; readonly chars: number };

const usualRoom: Room = { results: 6, chars: Number.POSITIVE_INFINITY };
const dropOverChars = 400;
/** An agent's report cannot be had again as cheaply as a file. */
const reportChars = 1_500;

/** What stands in the place of a result that the tool can give again. */
export const goneResult = '[An old result, left out to make room. Call the tool again if you need it.]';

/**
 * The same array when there is nothing to drop.
 * @param kept where whole results are, by the ids of their calls
 */
export function dropOldResults(
  history: readonly Message[],
  room: Room = usualRoom,
  kept: ReadonlyMap<string, string> = new Map(),
): readonly Message[] {
  const reports = reportsIn(history);
  let { results, chars } = room;
  let isLast = true;
  const shorter = history.toReversed().map((message): Message => {
    if (message.role === 'assistant') return message;
    const found = message.content.filter((block) => block.type === 'tool_result');
    const size = found.reduce((sum, block) => sum + sizeOf(block), 0);
    const isKept = isLast || (results >= found.length && chars >= size);
    if (found.length > 0) isLast = false;
    results -= found.length;
    chars -= size;
    if (isKept) return message;
    const content = message.content.map((block) => dropResult(block, reports, kept));
    return content.every((block, index) => block === message.content[index]) ? message : { role: 'user', content };
  });
  shorter.reverse();
  return shorter.every((message, index) => message === history[index]) ? history : shorter;
}

/**
 * As `dropOldResults`; what no call would bring back is kept as a whole first.
 * @param isCheap whether a call of this tool can simply be made again
 * @param keep returns the path of an artifact
 */
export async function dropAndKeep(
  history: readonly Message[],
  isCheap: (tool: string) => boolean,
  keep: (text: string) => Promise<string>,
  room?: Room,
): Promise<readonly Message[]> {
  const shorter = dropOldResults(history, room);
  if (shorter === history) return history;
  const tools = new Map(history.flatMap((message) => toolUses(message).map(({ id, name }) => [id, name] as const)));
  const paths = new Map<string, string>();
  for (const [index, message] of history.entries()) {
    if (message === shorter[index] || message.role === 'assistant') continue;
    for (const [at, block] of message.content.entries()) {
      if (block === shorter[index]?.content[at] || block.type !== 'tool_result') continue;
      if (typeof block.content !== 'string' || isCheap(tools.get(block.tool_use_id) ?? '')) continue;
      paths.set(block.tool_use_id, await keep(block.content));
    }
  }
  return dropOldResults(history, room, paths);
}

/** Characters of all results in a history. */
export function resultChars(history: readonly Message[]): number {
  let chars = 0;
  for (const { role, content } of history) {
    if (role === 'user') for (const block of content) if (block.type === 'tool_result') chars += sizeOf(block);
  }
  return chars;
}

function reportsIn(history: readonly Message[]): ReadonlySet<string> {
  const reports = new Set<string>();
  for (const message of history) {
    for (const { id, name } of toolUses(message)) if (name === 'Agent' || name === 'Task') reports.add(id);
  }
  return reports;
}

function dropResult(block: UserBlock, reports: ReadonlySet<string>, kept: ReadonlyMap<string, string>): UserBlock {
  if (block.type !== 'tool_result') return block;
  const { content } = block;
  if (typeof content !== 'string') return { ...block, content: goneResult };
  const path = kept.get(block.tool_use_id);
  if (reports.has(block.tool_use_id)) {
    if (content.length <= 2 * reportChars) return block;
    const where = path === undefined ? 'was left out' : `is in ${path}, readable with Read`;
    return { ...block, content: `${content.slice(0, reportChars)}\n[The rest of this old report ${where}.]` };
  }
  if (content.length <= dropOverChars) return block;
  if (path === undefined) return { ...block, content: goneResult };
  return { ...block, content: `[An old result, left out to make room; the whole is in ${path}, readable with Read.]` };
}

function sizeOf({ content }: ToolResultBlock): number {
  return typeof content === 'string' ? content.length : 0;
}
