/**
 * What `activate()` of Offshoot returns to other extensions. It stands by itself, so that it can be copied:
 *
 * ```ts
 * const offshoot = await vscode.extensions.getExtension<OffshootApi>('offshoot.offshoot')?.activate();
 * if (offshoot?.version === 1) context.subscriptions.push(offshoot.hooks.register('PreToolUse', 'Bash', handler));
 * ```
 */
export type OffshootApi = {
  readonly version: 1;
  readonly hooks: {
    /** The handler is called for everything that the event has. */
    register(event: OffshootHookEvent, handler: OffshootHookHandler): OffshootDisposable;
    /** @param matcher as in the setting `offshoot.hooks`, e.g. `Bash|Edit` */
    register(event: OffshootHookEvent, matcher: string | undefined, handler: OffshootHookHandler): OffshootDisposable;
  };
};

export type OffshootHookEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'PreToolUse'
  | 'PermissionRequest'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'SubagentStart'
  | 'SubagentStop'
  | 'Stop'
  | 'PreCompact'
  | 'Notification';

export type OffshootDisposable = { dispose(): void };

/**
 * Has 60 seconds; then it counts as failed, and for PreToolUse the user is asked. It runs in the extension host: one that
 * computes without a pause holds everything up.
 */
export type OffshootHookHandler = (
  input: OffshootHookInput,
  context: { readonly signal: AbortSignal },
) => OffshootHookOutput | undefined | Promise<OffshootHookOutput | undefined>;

/** The same JSON that commands get. */
export type OffshootHookInput = {
  readonly session_id: string;
  readonly cwd: string;
  readonly hook_event_name: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly agent_type: string;
  readonly parent_agent_id: string | null;
  readonly agent_depth: number;
  readonly permission_mode: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cost_usd: number | null;
  };
  readonly [field: string]: unknown;
};

/** The same JSON that commands print. */
export type OffshootHookOutput = {
  /** false: the agent ends. */
  readonly continue?: boolean;
  readonly stopReason?: string;
  /** For the user. */
  readonly systemMessage?: string;
  readonly decision?: 'block';
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: 'allow' | 'deny' | 'ask';
    readonly permissionDecisionReason?: string;
    readonly updatedInput?: Readonly<Record<string, unknown>>;
    readonly updatedToolOutput?: unknown;
    /** For the model. */
    readonly additionalContext?: string;
    readonly decision?: { readonly behavior: 'allow' | 'deny'; readonly message?: string };
  };
};
