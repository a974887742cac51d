import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatCount, formatDuration } from '../../format.ts';
import type { AgentInfo, AgentNode } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { Icon } from '../Icon.tsx';
import { type AgentState, isActive, lookOf, stateOf, wordOf } from '../state.ts';
import { ItemView } from '../transcript/Flow.tsx';
import { Markdown } from '../transcript/Markdown.tsx';
import { AgentActions, AgentFields, AgentTags, useControls } from './AgentControls.tsx';
import { AgentWhole } from './AgentWhole.tsx';
import { Elapsed } from './Elapsed.tsx';
import { Receipt } from './Receipt.tsx';

const quietAfterMs = 20_000;

type AgentRowProps = { readonly agent: AgentNode; readonly isLive: boolean; readonly isGroupRunning: boolean };

/** A row on a rail; what the agent does hangs on the rail. */
export function AgentRow({ agent, isLive, isGroupRunning }: AgentRowProps) {
  const { t } = usePage();
  const isOpen = useSignal(false);
  const bodyId = useId();
  const info = agent.info.value;
  const state = stateOf(agent, isLive);
  const isRunning = isActive(state);
  const controls = useControls(state);
  return (
    <li class={`agent agent-${state}`} data-agent={agent.id}>
      <div class="row">
        <button
          type="button"
          class="row-main"
          aria-expanded={isOpen.value}
          aria-controls={bodyId}
          title={rowTitle(info)}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <StateIcon state={state} />
          <span class="name">{info.name || agent.id}</span>
          <AgentTags agent={agent} />
          <What agent={agent} state={state} />
          <span class="num">
            {info.end
              ? formatDuration(t, info.end.receipt.durationMs)
              : isRunning && <Elapsed since={info.startedAt} />}
            {info.tokens > 0 && <span class="tokens"> · {formatCount(info.tokens)}</span>}
          </span>
          <Icon name={isOpen.value ? 'chevron-down' : 'chevron-right'} tone="muted" />
        </button>
        <AgentActions agent={agent} state={state} controls={controls} />
      </div>
      <div class="rail" id={bodyId}>
        <AgentFields agent={agent} state={state} controls={controls} />
        <Body agent={agent} state={state} isLive={isLive} isOpen={isOpen} isGroupRunning={isGroupRunning} />
      </div>
    </li>
  );
}

function StateIcon({ state }: { readonly state: AgentState }) {
  const { t } = usePage();
  const { icon, tone } = lookOf(state);
  return (
    <span class="state">
      <Icon name={icon} tone={tone} label={wordOf(t, state)} />
    </span>
  );
}

/** The task; or the state's word when it is not the expected one; or that nothing was heard for a while. */
function What({ agent, state }: { readonly agent: AgentNode; readonly state: AgentState }) {
  const { t } = usePage();
  const info = agent.info.value;
  const silence = useSilence(agent, state);
  if (silence > quietAfterMs) {
    return <span class="what clip state-word">{t('no sign of life for {0}', formatDuration(t, silence))}</span>;
  }
  if (state === 'pausing') return <span class="what clip state-word">{t('pauses after this step')}</span>;
  if (state === 'running' || state === 'completed') {
    return isNamedAfterTask(info) ? null : <span class="what clip">{info.description}</span>;
  }
  // Why it was stopped is no news; what it was to do tells rows apart.
  const detail = state === 'stopped' ? info.description : info.end ? info.end.error : info.detail;
  const isUrgent = state === 'limit_reached' || state === 'waiting_user';
  const tone = state === 'failed' ? ' tone-error' : isUrgent ? ' tone-warn' : '';
  return (
    <span class="what clip">
      <span class={`state-word${tone}`}>{wordOf(t, state)}</span>
      {detail && ` · ${detail}`}
    </span>
  );
}

/** Agents without a name of their own have that of their task, with a number where it is taken. */
function isNamedAfterTask({ name, description }: AgentInfo): boolean {
  const task = description
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name !== '' && (name === task || name.replace(/-\d+$/, '') === task);
}

/** Milliseconds since an agent was heard of; a call that runs shows its own time. */
function useSilence(agent: AgentNode, state: AgentState): number {
  const now = usePage().clock.value;
  return state === 'running' && agent.running.size === 0 ? now - agent.lastTime : 0;
}

type BodyProps = {
  readonly agent: AgentNode;
  readonly state: AgentState;
  readonly isLive: boolean;
  readonly isOpen: Signal<boolean>;
  readonly isGroupRunning: boolean;
};

function Body({ agent, state, isLive, isOpen, isGroupRunning }: BodyProps) {
  const { end } = agent.info.value;
  if (isOpen.value) return <AgentWhole agent={agent} isLive={isLive} />;
  if (end) {
    // What it left in a worktree waits for the user.
    const isDone = state === 'completed' && !end.receipt.worktree;
    if (!isGroupRunning && isDone) return <Groups agent={agent} isLive={isLive} />;
    return (
      <>
        <ReportHead agent={agent} />
        <Receipt info={agent.info.value} receipt={end.receipt} onCalls={() => open(isOpen)} />
        <Groups agent={agent} isLive={isLive} />
      </>
    );
  }
  if (!isActive(state)) return <Groups agent={agent} isLive={isLive} />;
  return (
    <>
      {agent.recent.value.map((id) => (
        <ItemView key={id} id={id} isLive={isLive} />
      ))}
      <Groups agent={agent} isLive={isLive} />
      {agent.pending.value
        .filter((id) => !agent.recent.value.includes(id))
        .map((id) => (
          <ItemView key={id} id={id} isLive={isLive} />
        ))}
    </>
  );
}

function Groups({ agent, isLive }: { readonly agent: AgentNode; readonly isLive: boolean }) {
  return (
    <>
      {agent.groups.value.map((id) => (
        <ItemView key={id} id={id} isLive={isLive} />
      ))}
    </>
  );
}

function ReportHead({ agent }: { readonly agent: AgentNode }) {
  const { end } = agent.info.value;
  if (!end) return null;
  if (end.report.trim() === '') return end.error ? <p class="report failure">{end.error}</p> : null;
  return <Markdown text={head(end.report)} isComplete={true} class="report clamp" />;
}

function open(isOpen: Signal<boolean>): void {
  isOpen.value = true;
}

function head(report: string): string {
  return report.length > 600 ? `${report.slice(0, 600)}…` : report;
}

function rowTitle(info: AgentInfo): string {
  return [info.description, [info.model, info.modelRule].filter((text) => text !== '').join(', ')]
    .filter((text) => text !== '')
    .join('\n');
}
