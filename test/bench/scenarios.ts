/** What the scripted model has the agents do. The same steps for every agent, in its own tools' words. */
import path from 'node:path';
import { folderPath, frequentWords, largePath, markOf, type Repository, smallPath } from './repository.ts';

export const scenarioNames = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7'] as const;
export type ScenarioName = (typeof scenarioNames)[number];

type Scenario = {
  readonly title: string;
  /** Of each agent that searches. */
  readonly steps: number;
  /** 0: the lead searches itself. */
  readonly subagents: number;
  readonly isBig?: boolean;
  /** Milliseconds from a whole request to the first byte of its answer. */
  readonly latencyMs?: number;
  /** Milliseconds between the blocks of the lead's answer. */
  readonly blockPauseMs?: number;
};

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  S1: { title: 'the lead alone', steps: 20, subagents: 0 },
  S2: { title: 'one subagent', steps: 20, subagents: 1 },
  S3: { title: 'eight subagents at once', steps: 10, subagents: 8, latencyMs: 250 },
  S4: { title: 'big outputs', steps: 20, subagents: 0, isBig: true },
  S5: { title: 'big outputs in a subagent', steps: 20, subagents: 1, isBig: true },
  S6: { title: 'forty subagents', steps: 3, subagents: 40, latencyMs: 250 },
  S7: { title: 'a slow stream of eight calls', steps: 1, subagents: 8, blockPauseMs: 50 },
};

export type NeutralCall =
  | { readonly kind: 'read'; readonly file: string }
  | { readonly kind: 'grep'; readonly pattern: string }
  | { readonly kind: 'glob'; readonly pattern: string }
  | { readonly kind: 'task'; readonly description: string; readonly prompt: string };

export type CallKind = NeutralCall['kind'];
export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
export type Speaker = { readonly scenario: ScenarioName; readonly agent: string };

export const leadPrompt = (scenario: ScenarioName) => `[bench ${scenario} lead] Look around here and say what you see.`;

/** Who sent this, by the mark in its first prompt. */
export function speakerOf(firstText: string): Speaker | undefined {
  const [, name, agent] = /\[bench (S\d) (lead|sub\d+)\]/.exec(firstText) ?? [];
  const scenario = scenarioNames.find((known) => known === name);
  return scenario === undefined || agent === undefined ? undefined : { scenario, agent };
}

/** What an agent does after so many steps; none: it answers. */
export function nextCalls({ scenario, agent }: Speaker, step: number, repository: Repository): readonly NeutralCall[] {
  const { steps, subagents, isBig } = scenarios[scenario];
  if (agent === 'lead' && subagents > 0) return step === 0 ? tasks(scenario, subagents) : [];
  if (step >= steps) return [];
  if (isBig) return [bigCall(step, repository)];
  return [smallCall(step, agent === 'lead' ? 0 : Number(agent.slice(3)), repository)];
}

function tasks(scenario: ScenarioName, count: number): readonly NeutralCall[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'task' as const,
    description: `Look at part ${index}`,
    prompt: `[bench ${scenario} sub${index}] Look at part ${index} of this repository and report in one paragraph.`,
  }));
}

function smallCall(step: number, agent: number, { root, size }: Repository): NeutralCall {
  const place = step + agent * 41;
  switch (step % 5) {
    case 0:
      return { kind: 'glob', pattern: `${folderPath(size, place * 3)}/*.ts` };
    case 1:
      return { kind: 'grep', pattern: markOf(size, place * 127) };
    case 2:
      return { kind: 'read', file: path.join(root, smallPath(size, place * 19)) };
    case 3:
      return { kind: 'read', file: path.join(root, smallPath(size, place * 31 + 7)) };
    default:
      return { kind: 'grep', pattern: `step3Of${markOf(size, place * 313).slice(4)}` };
  }
}

function bigCall(step: number, { root }: Repository): NeutralCall {
  if (step % 2 === 0) return { kind: 'read', file: path.join(root, largePath(step / 2)) };
  return { kind: 'grep', pattern: frequentWords[((step - 1) / 2) % frequentWords.length] ?? '' };
}

export function finalText({ agent }: Speaker): string {
  if (agent === 'lead') return 'The repository holds small units and a few large tables. Nothing else stands out.';
  return `Part ${agent.slice(3)} holds small units; each exports a mark and six functions and mentions the mark of one other unit. Nothing unusual was found. End of report ${agent}.`;
}

/** A call in the words of the agent that offers these tools. */
export function phrase(call: NeutralCall, offered: ReadonlySet<string>): Call {
  const isOurs = offered.has('Read');
  switch (call.kind) {
    case 'read':
      return { name: isOurs ? 'Read' : 'read', input: { file_path: call.file } };
    case 'grep':
      return isOurs
        ? { name: 'Grep', input: { pattern: call.pattern, output_mode: 'content' } }
        : { name: 'grep', input: { pattern: call.pattern } };
    case 'glob':
      return { name: isOurs ? 'Glob' : 'glob', input: { pattern: call.pattern } };
    case 'task': {
      const { description, prompt } = call;
      return isOurs
        ? { name: 'Agent', input: { description, prompt, subagent_type: 'Explore' } }
        : { name: 'task', input: { description, prompt } };
    }
  }
}
