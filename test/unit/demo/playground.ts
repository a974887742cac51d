/** Plays whole turns of the demo on a real folder with the real tools; only the loop around them is a small one. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPathResolver } from '../../../src/agent/gate/places/paths.ts';
import type { Clock, Prompts } from '../../../src/agent/host.ts';
import {
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
  toolUses,
} from '../../../src/agent/messages/types.ts';
import { createDemoProvider } from '../../../src/agent/model/demo.ts';
import type { ModelRequest, ToolSpec } from '../../../src/agent/model/provider.ts';
import { createNodeHost } from '../../../src/agent/node/host.ts';
import { createAgentTool } from '../../../src/agent/tools/agent.ts';
import { globTool } from '../../../src/agent/tools/glob.ts';
import { grepTool } from '../../../src/agent/tools/grep.ts';
import { readTool } from '../../../src/agent/tools/read.ts';
import type { Tool, ToolContext } from '../../../src/agent/tools/tool.ts';
import { testRipgrep } from '../../support/ripgrep.ts';

export const stillClock: Clock = { now: () => 0, sleep: async () => {} };

const tools: readonly Tool[] = [readTool, globTool, grepTool];
const agentTool = createAgentTool(
  [{ name: 'Explore', description: 'reads' }],
  () => Promise.reject(new Error('unused')),
  () => {},
);

export const readingTools: readonly ToolSpec[] = tools.map(specOf);
export const leadTools: readonly ToolSpec[] = [...readingTools, specOf(agentTool)];

export type Turn = { readonly text: string; readonly messages: readonly Message[]; readonly children: readonly Turn[] };

export function requestOf(
  messages: readonly Message[],
  offered: readonly ToolSpec[],
  toolChoice: 'auto' | 'none' = 'auto',
): ModelRequest {
  const system = [{ type: 'text', text: 'System.' } as const];
  return { model: 'offline-demo', maxTokens: 8000, system, tools: offered, toolChoice, messages };
}

export function userSays(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-demo-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** One answer as a message; the streamed text must be the text of the message. */
export async function answerTo(request: ModelRequest): Promise<{ message: Message; stopReason: string }> {
  const provider = createDemoProvider({ clock: stillClock, paceMs: 0 });
  let deltas = '';
  let stopReason = '';
  const content: (ToolUseBlock | { type: 'text'; text: string })[] = [];
  for await (const event of provider.stream(request, new AbortController().signal)) {
    if (event.type === 'text-delta') deltas += event.text;
    if (event.type === 'message-end') stopReason = event.stopReason;
    if (event.type !== 'block-end') continue;
    if (event.block.type === 'text' || event.block.type === 'tool_use') content.push(event.block);
  }
  const message: Message = { role: 'assistant', content };
  if (textOf(message) !== deltas) throw new Error('The deltas are not the text of the message.');
  return { message, stopReason };
}

/** Runs a turn to its end; every call of Agent runs a turn of its own. */
export async function play(folder: string, prompt: string, offered: readonly ToolSpec[] = leadTools): Promise<Turn> {
  const messages: Message[] = [userSays(prompt)];
  const children: Turn[] = [];
  for (let step = 0; step < 12; step++) {
    const { message } = await answerTo(requestOf(messages, offered));
    messages.push(message);
    const calls = toolUses(message);
    if (calls.length === 0) return { text: textOf(message), messages, children };
    const results: Awaited<ReturnType<typeof perform>>[] = [];
    for (const call of calls) results.push(await perform(folder, call));
    messages.push({ role: 'user', content: results.map(({ result }) => result) });
    children.push(...results.flatMap(({ child }) => child ?? []));
  }
  throw new Error('The turn does not end.');
}

/** Places `path:line` of a text that are not there: no such file, or fewer lines. */
export async function missingPlaces(folder: string, text: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [, path = '', line] of text.matchAll(/`([^`\n]+):(\d+)`/g)) {
    const lines = await readFile(join(folder, path), 'utf8').then(
      (content) => content.split('\n').length,
      () => 0,
    );
    if (Number(line) > lines) missing.push(`${path}:${line}`);
  }
  return missing;
}

async function perform(folder: string, call: ToolUseBlock): Promise<{ result: ToolResultBlock; child?: Turn }> {
  const block = { type: 'tool_result', tool_use_id: call.id } as const;
  try {
    if (call.name === 'Agent') {
      agentTool.prepare(call.input);
      const child = await play(
        folder,
        `${call.input.prompt}\n\nThoroughness: ${call.input.thoroughness}.`,
        readingTools,
      );
      const frame = `<report agent="${call.input.name}" id="a1" status="completed">\n${child.text}\n</report>`;
      return { result: { ...block, content: `${frame}\n<receipt>3 calls</receipt>` }, child };
    }
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) throw new Error(`${call.name} was not offered.`);
    const { content, isError } = await tool.prepare(call.input).run(contextFor(folder));
    return { result: { ...block, content, ...(isError && { is_error: true }) } };
  } catch (error) {
    return { result: { ...block, content: String(error), is_error: true } };
  }
}

const noPrompts: Prompts = {
  permission: () => Promise.reject(new Error('The demo asks for nothing.')),
  review: () => Promise.reject(new Error('The demo changes nothing.')),
  question: async () => undefined,
};

function contextFor(folder: string): ToolContext {
  return {
    signal: new AbortController().signal,
    call: 'call',
    host: createNodeHost({ prompts: noPrompts, ripgrep: testRipgrep() }),
    workspace: { roots: [folder], isTrusted: true },
    paths: createPathResolver({ roots: [folder], readOnlyRoots: [] }),
    reads: { versionOf: () => undefined, record: () => {} },
    artifactPath: () => Promise.reject(new Error('unused')),
    progress: () => {},
    applyEdit: () => Promise.reject(new Error('The demo changes nothing.')),
    askUser: async () => undefined,
  };
}

function specOf({ name, description, inputSchema }: Tool): ToolSpec {
  return { name, description, input_schema: inputSchema };
}
