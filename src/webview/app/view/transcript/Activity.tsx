import type { Conversation, Turn } from '../../model/types.ts';
import { useConversation, usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { Elapsed } from '../agents/Elapsed.tsx';
import { Icon } from '../Icon.tsx';
import { type AgentState, isResting, lookOf, stateOf, wordOf } from '../state.ts';

/** What the lead does now; there as long as anything works. */
export function Activity({ isLive }: { readonly isLive: boolean }) {
  const conversation = useConversation();
  const { t } = usePage();
  const state = leadState(conversation, isLive);
  const turn = conversation.turn.value;
  if (!isLive || !turn || (!turn.isRunning && !isResting(conversation))) return null;
  const { icon, tone } = lookOf(state);
  return (
    <p class="activity">
      <Icon name={icon} tone={tone} />
      {/* Why it does not go on is to be read whole. */}
      <span class={state === 'retrying' ? '' : 'clip'}>{sentence(t, conversation, state)}</span>
      {turn.isRunning && (
        <span class="num">
          <Elapsed since={turn.startedAt} />
        </span>
      )}
    </p>
  );
}

/** Says state changes, never streamed text, to a screen reader. */
export function Announcer({ isLive }: { readonly isLive: boolean }) {
  const conversation = useConversation();
  const { t } = usePage();
  const asks = conversation.pending.value.map((id) => askWords(t, conversation, id));
  const doing = isLive ? sentence(t, conversation, leadState(conversation, isLive)) : '';
  const ended = !isLive && conversation.turn.value ? endWords(t, conversation.turn.value) : '';
  const text = [...asks, doing, ended].filter((part) => part !== '').join(' ');
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {text}
    </div>
  );
}

function leadState(conversation: Conversation, isLive: boolean): AgentState {
  const { lead } = conversation;
  if (isResting(conversation)) return 'waiting_agents';
  const state = stateOf(lead, isLive);
  if (waitedFor(conversation) > 0 && (state === 'running' || state === 'waiting_user')) return 'waiting_agents';
  return state === 'completed' || state === 'stopped' ? 'running' : state;
}

/** Children that the lead waits for; those in the background are not among them. */
function waitedFor({ lead, background }: Conversation): number {
  return lead.live.value.filter((id) => !background.value.includes(id)).length;
}

function sentence(t: Translate, conversation: Conversation, state: AgentState): string {
  const { detail } = conversation.lead.info.value;
  const count = conversation.background.value.length;
  if (isResting(conversation)) {
    return count === 1
      ? t('Waiting for 1 agent in the background.')
      : t('Waiting for {0} agents in the background.', count);
  }
  const children = waitedFor(conversation);
  switch (state) {
    case 'waiting_user':
    case 'waiting_agents':
      if (children > 0) return children === 1 ? t('Waiting for 1 agent.') : t('Waiting for {0} agents.', children);
      return state === 'waiting_user' ? t('Waiting for you.') : t('Waiting for agents.');
    case 'retrying':
      return detail === '' ? t('Trying again…') : t('Trying again: {0}', detail);
    case 'stalled':
      return t('Nothing comes from the model; it will be asked again.');
    case 'queued':
      return t('Queued.');
    default:
      return t('Working…');
  }
}

function endWords(t: Translate, { status }: Turn): string {
  return status === undefined || status === 'completed' ? t('Finished.') : wordOf(t, status);
}

function askWords(t: Translate, conversation: Conversation, id: string): string {
  const item = conversation.items.get(id)?.value;
  if (item?.kind === 'permission') return t('{0} asks: {1}', item.ask.agentName, item.ask.title);
  if (item?.kind === 'question')
    return t('{0} asks: {1}', conversation.askers.get(id)?.info.value.name ?? '', item.text);
  if (item?.kind === 'edit') return t('A change to {0} waits for review.', item.path);
  return '';
}
