import { formatCost } from '../../format.ts';
import { agentSignal } from '../../model/conversation.ts';
import type { AgentNode, Conversation, GroupItem } from '../../model/types.ts';
import { useConversation, usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { IconButton } from '../Icon.tsx';
import { type AgentState, isActive, stateOf, wordOf } from '../state.ts';
import { Call } from '../transcript/Call.tsx';
import { AgentRow } from './AgentRow.tsx';
import { Elapsed } from './Elapsed.tsx';
import { Duration } from './Receipt.tsx';

/** What a group says about its agents in one line. */
type Summary = {
  readonly count: number;
  readonly states: readonly { readonly state: AgentState; readonly count: number }[];
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly cost: number | undefined;
};

/** The agents of one step: a line about all, and a row each. */
export function AgentGroup({ item, isLive }: { readonly item: GroupItem; readonly isLive: boolean }) {
  const conversation = useConversation();
  const { t, host } = usePage();
  const summary = summarize(conversation, item, isLive);
  if (summary.count === 0) return null;
  const stop = () => {
    for (const agent of agentsOf(conversation, item)) {
      if (isActive(stateOf(agent, isLive))) host.stop(agent.id);
    }
  };
  return (
    <section class="agents" aria-label={countWord(t, item.members.length)}>
      <GroupHead summary={summary} onStop={stop} />
      <ul>
        {item.members.map((member) => (
          <Member key={member} id={member} isLive={isLive} isGroupRunning={summary.isRunning} />
        ))}
      </ul>
    </section>
  );
}

function GroupHead({ summary, onStop }: { readonly summary: Summary; readonly onStop: () => void }) {
  const { t } = usePage();
  const cost = formatCost(summary.cost);
  return (
    <div class="group-head">
      <span class="clip">
        <b>{countWord(t, summary.count)}</b>
        {summary.states.map(({ state, count }) => (
          <span key={state} class={toneClass(state)}>
            {' · '}
            {count === summary.count && count > 1 ? t('all {0}', wordOf(t, state)) : `${count} ${wordOf(t, state)}`}
          </span>
        ))}
      </span>
      <span class="num">
        {summary.isRunning ? <Elapsed since={summary.startedAt} /> : <Duration ms={summary.durationMs} />}
        {cost !== '' && ` · ${cost}`}
      </span>
      {summary.isRunning && <IconButton icon="debug-stop" label={t('Stop these agents')} onClick={onStop} />}
    </div>
  );
}

type MemberProps = { readonly id: string; readonly isLive: boolean; readonly isGroupRunning: boolean };

/** A delegation is its agent; one that was refused, or has not started yet, is only a call. */
function Member({ id, isLive, isGroupRunning }: MemberProps) {
  const conversation = useConversation();
  const agentId = agentSignal(conversation, id).value;
  const agent = agentId === undefined ? undefined : conversation.agents.get(agentId);
  if (agent) return <AgentRow agent={agent} isLive={isLive} isGroupRunning={isGroupRunning} />;
  return (
    <li class="agent bare">
      <Call id={id} isLive={isLive} />
    </li>
  );
}

function agentsOf(conversation: Conversation, item: GroupItem): readonly AgentNode[] {
  return item.members.flatMap((member) => {
    const id = agentSignal(conversation, member).value;
    const agent = id === undefined ? undefined : conversation.agents.get(id);
    return agent ? [agent] : [];
  });
}

function summarize(conversation: Conversation, item: GroupItem, isLive: boolean): Summary {
  const agents = agentsOf(conversation, item);
  const counts = new Map<AgentState, number>();
  let startedAt = Number.POSITIVE_INFINITY;
  let endedAt = 0;
  let cost: number | undefined;
  for (const agent of agents) {
    const state = stateOf(agent, isLive);
    if (state !== 'running') counts.set(state, (counts.get(state) ?? 0) + 1);
    const info = agent.info.value;
    startedAt = Math.min(startedAt, info.startedAt);
    endedAt = Math.max(endedAt, info.startedAt + (info.end?.receipt.durationMs ?? agent.lastTime - info.startedAt));
    if (info.cost !== undefined) cost = (cost ?? 0) + info.cost;
  }
  return {
    count: item.members.length,
    states: [...counts].map(([state, count]) => ({ state, count })),
    isRunning: agents.some((agent) => isActive(stateOf(agent, isLive))),
    startedAt: Number.isFinite(startedAt) ? startedAt : 0,
    durationMs: Number.isFinite(startedAt) ? endedAt - startedAt : 0,
    cost,
  };
}

function countWord(t: Translate, count: number): string {
  return count === 1 ? t('1 agent') : t('{0} agents', count);
}

function toneClass(state: AgentState): string {
  if (state === 'waiting_user' || state === 'limit_reached') return 'tone-warn';
  return state === 'failed' ? 'tone-error' : '';
}
