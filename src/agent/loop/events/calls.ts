import type { HookEventName, HookOrigin } from '../../gate/hooks/eventNames.ts';
import type { PermissionAnswer, PermissionAsk } from '../../host.ts';
import type { DecidedBy, ToolStatus } from './states.ts';

/** What happens to a call: it is asked about, decided, run, and its changes are proposed. */
export type CallEvent =
  | {
      readonly type: 'tool-start';
      readonly step: number;
      readonly call: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** One line for people, e.g. `Read src/a.ts`. */
      readonly summary: string;
    }
  | { readonly type: 'tool-progress'; readonly call: string; readonly text: string }
  | {
      readonly type: 'tool-end';
      readonly call: string;
      readonly tool: string;
      readonly status: ToolStatus;
      /** A few words for people, e.g. `212 lines`. */
      readonly summary: string;
      /** The head of what the model got. */
      readonly preview: string;
      readonly durationMs: number;
      /** Where the whole result is kept, when it was too long. */
      readonly artifact?: string;
    }
  | ({ readonly type: 'permission-ask' } & PermissionQuestion)
  | ({ readonly type: 'permission-answer'; readonly ask: string; readonly call: string } & PermissionAnswer)
  /** What the gate decided about a call, and what made it decide so. */
  | {
      readonly type: 'permission-decide';
      readonly call: string;
      readonly tool: string;
      readonly decision: 'allow' | 'deny';
      readonly by: DecidedBy;
      /** The rule, and where it is from. */
      readonly rule?: string;
      readonly source?: string;
    }
  /** A hook has been run. */
  | {
      readonly type: 'hook-run';
      readonly event: HookEventName;
      /** Its command, or the extension that registered it. */
      readonly hook: string;
      readonly origin: HookOrigin;
      readonly matcher?: string;
      /** The call that it was run for. */
      readonly call?: string;
      readonly outcome: 'ok' | 'failed' | 'timed_out' | 'cancelled';
      /** What it wanted; `deny` stands for whatever blocks. */
      readonly decision?: 'allow' | 'ask' | 'deny';
      /** Its words, or why it failed. */
      readonly reason?: string;
      /** What it put in the place of the call's input. */
      readonly input?: Readonly<Record<string, unknown>>;
      /** It put something in the place of the call's result. */
      readonly isOutputReplaced?: true;
      readonly durationMs: number;
    }
  | {
      readonly type: 'edit-propose';
      readonly edit: string;
      readonly call: string;
      readonly path: string;
      readonly isNew: boolean;
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly type: 'edit-decide';
      readonly edit: string;
      readonly call: string;
      readonly path: string;
      readonly decision: 'accept' | 'reject';
      /** The user changed the proposed text before it was written. */
      readonly isAmended: boolean;
      readonly reason?: string;
      /** `user` looked at a proposal; `mode` wrote at once. */
      readonly by: 'user' | 'mode';
    }
  | {
      readonly type: 'question-ask';
      readonly question: string;
      readonly text: string;
      readonly options: readonly string[];
    }
  | { readonly type: 'question-answer'; readonly question: string; readonly answer: string | null };

type PermissionQuestion = Omit<PermissionAsk, 'agent' | 'id'> & { readonly ask: string };
