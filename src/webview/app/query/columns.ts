import type { QueryRow } from '../../queryProtocol.ts';
import { formatDuration } from '../format.ts';
import type { Translate } from '../strings.ts';

export type Column = {
  readonly title: string;
  readonly text: (row: QueryRow) => string;
  /** Paths and commands, in the editor's font. */
  readonly isCode?: boolean;
  readonly isNumber?: boolean;
};

/** What a table says of each row, beside when it was and whose it is. */
export function columnsOf(t: Translate, kind: 'agents' | 'commands' | 'permissions'): readonly Column[] {
  const of = (text: (row: QueryRow) => string, title: string, more: Partial<Column> = {}) => ({ title, text, ...more });
  const status = of((row) => ('status' in row ? statusText(t, row.status) : ''), t('Outcome'));
  const duration = of((row) => ('durationMs' in row ? formatMilliseconds(t, row.durationMs) : ''), t('Duration'), {
    isNumber: true,
  });
  switch (kind) {
    case 'agents':
      return [of((row) => ('summary' in row ? row.summary : ''), t('Call'), { isCode: true }), status, duration];
    case 'commands':
      return [
        of((row) => ('command' in row ? row.command : ''), t('Command'), { isCode: true }),
        of((row) => ('exitCode' in row ? String(row.exitCode ?? '') : ''), t('Exit code'), { isNumber: true }),
        status,
        duration,
      ];
    case 'permissions':
      return [
        of((row) => ('decision' in row ? row.summary || row.tool : ''), t('Call'), { isCode: true }),
        of((row) => ('decision' in row ? decisionText(t, row.decision) : ''), t('Decision')),
        of((row) => ('decision' in row ? deciderText(t, row.by) : ''), t('Decided by')),
        of((row) => ('decision' in row ? [row.rule, row.source].filter(Boolean).join(' · ') : ''), t('Rule'), {
          isCode: true,
        }),
      ];
  }
}

type Status = 'ok' | 'error' | 'denied' | 'cancelled' | 'open';

function statusText(t: Translate, status: Status): string {
  switch (status) {
    case 'ok':
      return t('Done');
    case 'error':
      return t('Failed');
    case 'denied':
      return t('Denied');
    case 'cancelled':
      return t('Stopped');
    case 'open':
      return t('Unknown');
  }
}

function decisionText(t: Translate, decision: 'allow' | 'deny'): string {
  return decision === 'allow' ? t('Allowed') : t('Denied');
}

/** Whatever else a newer version may know. */
function deciderText(t: Translate, by: string): string {
  switch (by) {
    case 'user':
      return t('You');
    case 'session':
      return t('This session');
    case 'rule':
      return t('a rule');
    case 'protected':
      return t('a built-in protection');
    case 'mode':
      return t('the mode');
    case 'readOnly':
      return t('the analysis of the command');
    case 'tool':
      return t('the tool');
    case 'trust':
      return t('workspace trust');
    case 'outside':
      return t('the borders of the workspace');
    case 'hook':
      return t('a hook');
    default:
      return by;
  }
}

function formatMilliseconds(t: Translate, milliseconds: number): string {
  if (milliseconds < 1000) return t('{0} ms', Math.round(milliseconds));
  return milliseconds < 60_000 ? t('{0} s', (milliseconds / 1000).toFixed(1)) : formatDuration(t, milliseconds);
}
