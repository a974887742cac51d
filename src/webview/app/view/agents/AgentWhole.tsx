import type { AgentNode } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { Flow } from '../transcript/Flow.tsx';
import { Receipt } from './Receipt.tsx';

type WholeProps = { readonly agent: AgentNode; readonly isLive: boolean; readonly isPage?: boolean };

/** The task, every step and the whole report. */
export function AgentWhole({ agent, isLive, isPage = false }: WholeProps) {
  const { t } = usePage();
  const info = agent.info.value;
  return (
    <>
      {info.prompt !== '' && (
        <details class="fold" open={isPage}>
          <summary>{t('Task')}</summary>
          <p class="plain" dir="auto">
            {info.prompt}
          </p>
        </details>
      )}
      <Flow list={agent.flow} isLive={isLive} hasPast={isPage} />
      {info.end?.error && <p class="report failure">{info.end.error}</p>}
      {info.end && <Receipt info={info} receipt={info.end.receipt} />}
    </>
  );
}
