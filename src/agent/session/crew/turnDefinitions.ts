import type { EventBody } from '../../loop/events.ts';
import type { Skill } from '../../skills/skill.ts';
import { type DefinitionProblem, noticePrefix, summarizeProblems } from '../../subagents/definitions/problem.ts';
import { type AgentDefinition, withBuiltIn } from '../../subagents/definitions.ts';
import type { EventLog } from '../record/eventLog.ts';

/** The agent types of a turn: what holds when it begins holds until it ends, so that no request contradicts the one before. */
export class TurnDefinitions {
  readonly #read: () => readonly AgentDefinition[];
  readonly #readSkills: () => readonly Skill[];
  readonly #problems: () => readonly DefinitionProblem[];
  readonly #roots: readonly string[];
  #current: readonly AgentDefinition[];
  #skills: readonly Skill[];

  constructor(parts: {
    readonly definitions?: () => readonly AgentDefinition[];
    readonly skills?: () => readonly Skill[];
    readonly definitionProblems?: () => readonly DefinitionProblem[];
    readonly workspace: { readonly roots: readonly string[] };
  }) {
    this.#read = parts.definitions ?? (() => []);
    this.#problems = parts.definitionProblems ?? (() => []);
    this.#roots = parts.workspace.roots;
    this.#readSkills = parts.skills ?? (() => []);
    this.#current = withBuiltIn(this.#read());
    this.#skills = this.#readSkills();
  }

  get skills(): readonly Skill[] {
    return this.#skills;
  }

  get current(): readonly AgentDefinition[] {
    return this.#current;
  }

  /** Not while a turn runs. */
  refresh(): void {
    this.#current = withBuiltIn(this.#read());
    this.#skills = this.#readSkills();
  }

  /** @returns what to tell the user about the files; nothing that was told in this conversation last */
  begin(events: EventLog): EventBody | undefined {
    this.refresh();
    const text = summarizeProblems(this.#problems(), this.#roots);
    const last = events.events.findLast((event) => event.type === 'notice' && event.text.startsWith(noticePrefix));
    const told = last?.type === 'notice' ? last.text : undefined;
    return text === undefined || text === told ? undefined : { type: 'notice', level: 'warning', text };
  }
}
