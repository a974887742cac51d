import type { Receipt as Facts } from '../../protocol.ts';
import { formatCost, formatCount, formatDuration } from '../format.ts';
import { tokensOf } from '../model/reduce.ts';
import type { AgentInfo } from '../model/types.ts';
import { usePage } from '../page.ts';
import type { Translate } from '../strings.ts';

export function Duration({ ms }: { readonly ms: number }) {
  return <>{formatDuration(usePage().t, ms)}</>;
}

type ReceiptProps = { readonly info: AgentInfo; readonly receipt: Facts };

/** What an agent really did, as the harness counted it. */
export function Receipt({ info, receipt }: ReceiptProps) {
  const { t } = usePage();
  const { filesRead, filesChanged, commands } = receipt;
  const cost = formatCost(receipt.cost);
  return (
    <div class="receipt">
      <span>{receipt.calls === 1 ? t('1 call') : t('{0} calls', receipt.calls)}</span>
      <Fact text={filesRead.length === 1 ? t('1 file read') : t('{0} files read', filesRead.length)} list={filesRead} />
      <Fact text={t('{0} changed', filesChanged.length)} list={filesChanged} />
      {commands.length > 0 && <Fact text={commandsWord(t, commands)} list={commands.map(commandLine)} />}
      <span title={usageTitle(t, receipt)}>{t('{0} tokens', formatCount(tokensOf(receipt.usage)))}</span>
      {cost !== '' && <span>{cost}</span>}
      {info.model !== '' && (
        <span
          class="clip"
          title={info.modelRule === '' ? info.model : t('{0}, chosen by: {1}', info.model, info.modelRule)}
        >
          {info.model}
        </span>
      )}
    </div>
  );
}

function Fact({ text, list }: { readonly text: string; readonly list: readonly string[] }) {
  if (list.length === 0) return <span>{text}</span>;
  return (
    <span class="has-list" title={list.slice(0, 40).join('\n')}>
      {text}
    </span>
  );
}

function commandsWord(t: Translate, commands: Facts['commands']): string {
  const codes = commands.map(({ exitCode }) => exitCode ?? '–').slice(0, 4);
  const more = commands.length > codes.length ? ' …' : '';
  const exits = `${codes.join(' · ')}${more}`;
  return commands.length === 1 ? t('1 command, exit {0}', exits) : t('{0} commands, exit {1}', commands.length, exits);
}

function commandLine({ command, exitCode }: Facts['commands'][number]): string {
  return `${command}  → ${exitCode ?? '–'}`;
}

function usageTitle(t: Translate, { usage }: Facts): string {
  return [
    t('{0} in', formatCount(usage.inputTokens)),
    t('{0} out', formatCount(usage.outputTokens)),
    t('{0} read from cache', formatCount(usage.cacheReadTokens)),
    t('{0} written to cache', formatCount(usage.cacheWriteTokens)),
  ].join(' · ');
}
