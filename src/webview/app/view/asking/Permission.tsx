import type { PermissionItem } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import type { Translate } from '../../strings.ts';
import { Icon } from '../Icon.tsx';
import { PermissionCard } from './PermissionCard.tsx';

/** A question of the gate. Once it is answered, one line stays. */
export function Permission({ item, isLive }: { readonly item: PermissionItem; readonly isLive: boolean }) {
  const { t } = usePage();
  const { ask, answer } = item;
  if (answer === undefined && isLive) return <PermissionCard ask={ask} />;
  const isAllowed = typeof answer === 'object' && answer.decision === 'allow';
  return (
    <div class="call settled">
      <div class="line">
        <Icon name={isAllowed ? 'check' : 'circle-slash'} tone="muted" />
        <span class="clip" title={ask.detail}>
          {answerWord(t, answer)} <code>{revealText(ask.detail)}</code>
        </span>
      </div>
      {typeof answer === 'object' && answer.reason && <p class="said">“{answer.reason}”</p>}
    </div>
  );
}

function answerWord(t: Translate, answer: PermissionItem['answer']): string {
  if (answer === undefined || answer === 'closed') return t('Not answered:');
  if (answer.decision === 'allow') return allowedWord(t, answer);
  return answer.by === 'user' || answer.by === 'flag' ? t('Denied:') : t('Not answered:');
}

function allowedWord(t: Translate, { scope, by }: Extract<PermissionItem['answer'], object>): string {
  if (by === 'rule') return t('Allowed by a rule:');
  switch (scope) {
    case 'once':
      return t('Allowed once:');
    case 'session':
      return t('Allowed for this session:');
    case 'workspace':
      return t('Allowed in this workspace:');
    case 'always':
      return t('Always allowed:');
  }
}
