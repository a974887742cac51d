import { useConversation, usePage } from '../../page.ts';
import { Empty } from '../FirstRun.tsx';
import { Activity } from './Activity.tsx';
import { Flow } from './Flow.tsx';
import { Log } from './Log.tsx';

/** The conversation with the lead. */
export function Transcript({ isLive }: { readonly isLive: boolean }) {
  const conversation = useConversation();
  const { t } = usePage();
  return (
    <Log label={t('Conversation')} asked={conversation.asked.value}>
      {conversation.isEmpty.value ? <Empty /> : <Flow list={conversation.lead.flow} isLive={isLive} hasPast={true} />}
      <Activity isLive={isLive} />
    </Log>
  );
}
