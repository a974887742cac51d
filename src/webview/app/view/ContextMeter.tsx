import { formatCount, joinFacts } from '../format.ts';
import type { AgentInfo } from '../model/types.ts';
import { useConversation, usePage } from '../page.ts';
import type { Translate } from '../strings.ts';

/** How full the lead's context is, and of what; a click has it summarised. */
export function ContextMeter() {
  const { t, host } = usePage();
  const info = useConversation().lead.info.value;
  const { contextTokens, contextWindow } = info;
  if (contextWindow <= 0 || contextTokens <= 0) return null;
  const percent = Math.min(100, Math.round((contextTokens / contextWindow) * 100));
  return (
    <button
      type="button"
      class="context"
      title={describe(t, info, percent)}
      aria-label={t('{0} % of the context is used. Compact the conversation', percent)}
      onClick={() => host.compact()}
    >
      <span class="num">{t('{0} %', percent)}</span>
      <meter aria-label={t('Context used')} min={0} max={100} value={percent} />
    </button>
  );
}

function describe(t: Translate, { contextTokens, contextWindow, contextParts }: AgentInfo, percent: number): string {
  const [used, most] = [formatCount(contextTokens), formatCount(contextWindow)];
  const part = (label: string, tokens: number) => (tokens > 0 ? `${label} ${formatCount(tokens)}` : '');
  const parts = contextParts && [
    part(t('System'), contextParts.system),
    part(t('Project instructions'), contextParts.instructions),
    part(t('Tools'), contextParts.tools),
    part(t('Messages'), contextParts.messages),
  ];
  return [
    t('{0} % of the context is used: {1} of {2} tokens', percent, used, most),
    ...(parts ? [joinFacts(parts)] : []),
    t('Click to compact the conversation'),
  ].join('\n');
}
