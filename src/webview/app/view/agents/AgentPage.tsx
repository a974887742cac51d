import { formatCost, formatCount, formatDuration } from '../../format.ts';
import type { AgentNode } from '../../model/types.ts';
import { useConversation, usePage } from '../../page.ts';
import { Icon } from '../Icon.tsx';
import { isActive, lookOf, stateOf, wordOf } from '../state.ts';
import { Log } from '../transcript/Log.tsx';
import { AgentActions, AgentFields, AgentTags, useControls } from './AgentControls.tsx';
import { AgentWhole } from './AgentWhole.tsx';
import { Elapsed } from './Elapsed.tsx';

/** All that one agent does, in an editor of its own. */
export function AgentPage({ id, isLive }: { readonly id: string; readonly isLive: boolean }) {
  const { t } = usePage();
  const agent = useConversation().agents.get(id);
  if (!agent || agent.info.value.name === '') {
    return <p class="absent">{t('This agent is not in the conversation that is open.')}</p>;
  }
  return (
    <div class="page transcript-page">
      <Head agent={agent} isLive={isLive} />
      <Log label={t('Transcript of {0}', agent.info.value.name)}>
        <AgentWhole agent={agent} isLive={isLive} isPage={true} />
        <Now agent={agent} isLive={isLive} />
      </Log>
    </div>
  );
}

type AgentProps = { readonly agent: AgentNode; readonly isLive: boolean };

function Head({ agent, isLive }: AgentProps) {
  const { t } = usePage();
  const info = agent.info.value;
  const state = stateOf(agent, isLive);
  const controls = useControls(state);
  const { icon, tone } = lookOf(state);
  const facts = [info.tokens > 0 ? formatCount(info.tokens) : '', formatCost(info.cost)].filter((fact) => fact !== '');
  const name = info.effort === undefined ? info.model : t('{0}, effort {1}', info.model, info.effort);
  const model = info.modelRule === '' ? name : t('{0}, chosen by: {1}', name, info.modelRule);
  return (
    <header class="agent-head">
      <div class="head-line">
        <Icon name={icon} tone={tone} label={wordOf(t, state)} />
        <h1 class="clip">{info.name}</h1>
        <AgentTags agent={agent} />
        <span class="num">
          {info.end ? formatDuration(t, info.end.receipt.durationMs) : <Elapsed since={info.startedAt} />}
          {facts.map((fact) => ` · ${fact}`)}
        </span>
        <AgentActions agent={agent} state={state} controls={controls} isTranscript={true} />
      </div>
      <p class="muted small clip" title={model}>
        {[info.description, model].filter((part) => part !== '').join(' · ')}
      </p>
      <AgentFields agent={agent} state={state} controls={controls} />
    </header>
  );
}

function Now({ agent, isLive }: AgentProps) {
  const { t } = usePage();
  const state = stateOf(agent, isLive);
  const { icon, tone } = lookOf(state);
  const { detail } = agent.info.value;
  return (
    <p class="activity">
      <Icon name={icon} tone={tone} />
      <span class="clip">
        {wordOf(t, state)}
        {isActive(state) && detail !== '' && state !== 'waiting_agents' && ` · ${detail}`}
      </span>
    </p>
  );
}
