import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AgentInfo, AgentNode } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { Icon, IconButton } from '../Icon.tsx';
import { type AgentState, isActive } from '../state.ts';

/** What the user is about to do with an agent. */
export type Controls = {
  /** The field that is open under its row. */
  readonly field: Signal<'message' | 'instruction' | undefined>;
};

export function useControls(state: AgentState): Controls {
  const field = useSignal<Controls['field']['value']>(undefined);
  useEffect(() => {
    if (!isActive(state)) field.value = undefined;
  }, [state, field]);
  return { field };
}

type ActionsProps = {
  readonly agent: AgentNode;
  readonly state: AgentState;
  readonly controls: Controls;
  /** The page shows nothing but the transcript. */
  readonly isTranscript?: boolean;
};

/** Only what works in its state. */
export function AgentActions({ agent, state, controls, isTranscript = false }: ActionsProps) {
  const { t, host } = usePage();
  const { id } = agent;
  const { name, isBackground } = agent.info.value;
  return (
    <span class="actions">
      {isActive(state) && (
        <>
          <PauseButton agent={agent} />
          <IconButton icon="debug-stop" label={t('Stop {0}', name)} onClick={() => host.stop(id)} />
          {!isBackground && (
            <IconButton icon="layers" label={t('Send {0} to the background', name)} onClick={() => host.detach(id)} />
          )}
          <IconButton icon="comment" label={t('Message {0}', name)} onClick={() => toggle(controls, 'message')} />
        </>
      )}
      {(state === 'failed' || state === 'stopped' || state === 'limit_reached') && (
        <>
          <IconButton icon="debug-continue" label={t('Let {0} go on', name)} onClick={() => host.goOn(id)} />
          <IconButton icon="debug-restart" label={t('Retry {0}', name)} onClick={() => host.retry(id)} />
          <IconButton
            icon="eye"
            label={t('Preview what retrying {0} would start', name)}
            onClick={() => host.planAgent(id)}
          />
        </>
      )}
      {!isTranscript && (
        <IconButton
          icon="open-preview"
          label={t('Open the transcript of {0}', name)}
          onClick={() => host.openTranscript(id)}
        />
      )}
    </span>
  );
}

function PauseButton({ agent }: { readonly agent: AgentNode }) {
  const { t, host } = usePage();
  const { name, activity } = agent.info.value;
  if (activity === 'paused' || activity === 'pausing') {
    return (
      <IconButton icon="debug-continue" label={t('Continue {0}', name)} onClick={() => host.resume(agent.id, '')} />
    );
  }
  return <IconButton icon="debug-pause" label={t('Pause {0}', name)} onClick={() => host.pause(agent.id)} />;
}

function toggle({ field }: Controls, wanted: 'message' | 'instruction'): void {
  field.value = field.peek() === wanted ? undefined : wanted;
}

type FieldsProps = { readonly agent: AgentNode; readonly state: AgentState; readonly controls: Controls };

/** What hangs under a row: the ways on for a paused agent, and the field that is open. */
export function AgentFields({ agent, state, controls }: FieldsProps) {
  if (!isActive(state)) return null;
  return (
    <>
      {state === 'paused' && controls.field.value !== 'instruction' && <Paused agent={agent} controls={controls} />}
      {controls.field.value === 'message' && <MessageField agent={agent} controls={controls} />}
      {controls.field.value === 'instruction' && <InstructionField agent={agent} controls={controls} />}
    </>
  );
}

function Paused({ agent, controls }: Omit<FieldsProps, 'state'>) {
  const { t, host } = usePage();
  return (
    <div class="buttons agent-field">
      <button type="button" class="button secondary" onClick={() => host.resume(agent.id, '')}>
        {t('Continue')}
      </button>
      <button
        type="button"
        class="button secondary"
        title={t('Continue with a changed instruction')}
        onClick={() => toggle(controls, 'instruction')}
      >
        {t('Change instruction…')}
      </button>
    </div>
  );
}

function MessageField({ agent, controls: { field } }: Omit<FieldsProps, 'state'>) {
  const { t, host } = usePage();
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  useEffect(() => input.current?.focus(), []);
  const words = t('Tell {0}…', agent.info.value.name);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Enter' && text.peek().trim() === '') return;
    if (event.key === 'Enter') host.tell(agent.id, text.peek().trim());
    field.value = undefined;
  };
  return (
    <div class="agent-field">
      <input
        ref={input}
        type="text"
        class="field-input"
        dir="auto"
        aria-label={words}
        placeholder={words}
        title={t('Enter sends; it is read before the next step.')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function InstructionField({ agent, controls: { field } }: Omit<FieldsProps, 'state'>) {
  const { t, host } = usePage();
  const area = useRef<HTMLTextAreaElement>(null);
  const before = agent.info.value.prompt;
  const text = useSignal(before);
  useEffect(() => area.current?.focus(), []);
  const close = () => {
    field.value = undefined;
  };
  const submit = () => {
    const changed = text.peek().trim();
    if (changed === '') return;
    host.resume(agent.id, changed === before.trim() ? '' : changed);
    close();
  };
  return (
    <div class="agent-field">
      <textarea
        ref={area}
        class="field-input"
        dir="auto"
        rows={4}
        aria-label={t('Instruction')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Escape') close();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <div class="buttons">
        <button type="button" class="button" disabled={text.value.trim() === ''} onClick={submit}>
          {t('Continue')}
        </button>
        <button type="button" class="button secondary" onClick={close}>
          {t('Cancel')}
        </button>
      </div>
    </div>
  );
}

function worktreeTitle(t: Translate, { branch, base, from }: NonNullable<AgentInfo['worktree']>): string {
  const commit = base.slice(0, 10);
  return t('In a worktree of its own: {0}, made from {1}', branch, from === undefined ? commit : `${from} (${commit})`);
}

/** Small facts about an agent beside its type. */
export function AgentTags({ agent }: { readonly agent: AgentNode }) {
  const { t } = usePage();
  const { agentType, color, isBackground, retryOf, worktree, end } = agent.info.value;
  return (
    <>
      {agentType !== '' && (
        <span class="tag type" data-color={color}>
          {agentType}
        </span>
      )}
      {worktree && (
        <span class="tag" title={worktreeTitle(t, worktree)}>
          <Icon name="git-branch" />
          <span class="tag-word">{worktree.branch}</span>
        </span>
      )}
      {isBackground && !end && (
        <span class="tag" title={t('in the background')}>
          <Icon name="layers" />
          <span class="tag-word">{t('background')}</span>
        </span>
      )}
      {retryOf !== '' && (
        <span class="tag" title={t('Does the task of {0} again', retryOf)}>
          <Icon name="debug-restart" />
          <span class="tag-word">{retryOf}</span>
        </span>
      )}
    </>
  );
}
