import { type Signal, useSignal } from '@preact/signals';
import type { Receipt as Facts } from '../../../protocol.ts';
import { formatCost, formatCount, formatDuration } from '../../format.ts';
import { tokensOf } from '../../model/reduce.ts';
import type { AgentInfo } from '../../model/types.ts';
import { useConversation, usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import type { Translate } from '../../strings.ts';
import { Icon } from '../Icon.tsx';

export function Duration({ ms }: { readonly ms: number }) {
  return <>{formatDuration(usePage().t, ms)}</>;
}

type ReceiptProps = {
  readonly info: AgentInfo;
  readonly receipt: Facts;
  /** Shows the calls; left out where they are shown. */
  readonly onCalls?: () => void;
};
type Part = 'read' | 'changed' | 'commands';
/** The part whose list is open. */
type OpenPart = Signal<Part | undefined>;

/** What an agent really did, as the harness counted it. */
export function Receipt({ info, receipt, onCalls }: ReceiptProps) {
  const { t, host } = usePage();
  const open: OpenPart = useSignal(undefined);
  const { filesRead, filesChanged, commands } = receipt;
  const cost = formatCost(receipt.cost);
  const calls = receipt.calls === 1 ? t('1 call') : t('{0} calls', receipt.calls);
  const read = filesRead.length === 1 ? t('1 file read') : t('{0} files read', filesRead.length);
  return (
    <>
      <div class="receipt">
        {onCalls && receipt.calls > 0 ? (
          <button type="button" class="has-list" onClick={onCalls}>
            {calls}
          </button>
        ) : (
          <span>{calls}</span>
        )}
        <Fact part="read" text={read} count={filesRead.length} open={open} />
        <Fact part="changed" text={t('{0} changed', filesChanged.length)} count={filesChanged.length} open={open} />
        {commands.length > 0 && (
          <Fact part="commands" text={commandsWord(t, commands)} count={commands.length} open={open} />
        )}
        {receipt.worktree && (
          <span class="clip" title={receipt.worktree.path}>
            {t('kept on {0}', receipt.worktree.branch)}
          </span>
        )}
        <span title={usageTitle(t, receipt)}>{t('{0} tokens', formatCount(tokensOf(receipt.usage)))}</span>
        {cost !== '' && <span>{cost}</span>}
        {info.model !== '' && (
          <span
            class="clip"
            title={info.modelRule === '' ? info.model : t('{0}, chosen by: {1}', info.model, info.modelRule)}
          >
            {info.effort === undefined ? info.model : t('{0}, effort {1}', info.model, info.effort)}
          </span>
        )}
      </div>
      {open.value === 'read' && <Paths icon="file" paths={filesRead} onOpen={(path) => host.openFile(path, null)} />}
      {open.value === 'changed' && <Paths icon="diff" paths={filesChanged} onOpen={host.openChange} />}
      {open.value === 'commands' && <Commands commands={commands} />}
    </>
  );
}

type FactProps = { readonly part: Part; readonly text: string; readonly count: number; readonly open: OpenPart };

/** A count that shows what it counts. */
function Fact({ part, text, count, open }: FactProps) {
  if (count === 0) return <span>{text}</span>;
  const isOpen = open.value === part;
  const toggle = () => {
    open.value = isOpen ? undefined : part;
  };
  return (
    <button type="button" class="has-list" aria-expanded={isOpen} onClick={toggle}>
      {text}
    </button>
  );
}

const mostListed = 200;

type PathsProps = {
  readonly icon: string;
  readonly paths: readonly string[];
  readonly onOpen: (path: string) => void;
};

function Paths({ icon, paths, onOpen }: PathsProps) {
  const { root } = useConversation();
  return (
    <ul class="facts">
      {paths.slice(0, mostListed).map((path) => (
        <li key={path}>
          <button type="button" class="line" title={path} onClick={() => onOpen(path)}>
            <Icon name={icon} tone="muted" />
            <code class="clip start">
              <bdi>{revealText(root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path)}</bdi>
            </code>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Commands({ commands }: { readonly commands: Facts['commands'] }) {
  const { t } = usePage();
  return (
    <ul class="facts">
      {commands.slice(0, mostListed).map(({ command, exitCode }, index) => (
        <li key={index} class="line" title={command}>
          <Icon name={exitCode === 0 ? 'check' : 'error'} tone={exitCode === 0 ? 'ok' : 'error'} />
          <code class="clip">{revealText(command)}</code>
          <span class="num">{exitCode === undefined ? t('no exit code') : t('exit {0}', exitCode)}</span>
        </li>
      ))}
    </ul>
  );
}

function commandsWord(t: Translate, commands: Facts['commands']): string {
  const codes = commands.map(({ exitCode }) => exitCode ?? '–').slice(0, 4);
  const more = commands.length > codes.length ? ' …' : '';
  const exits = `${codes.join(' · ')}${more}`;
  return commands.length === 1 ? t('1 command, exit {0}', exits) : t('{0} commands, exit {1}', commands.length, exits);
}

function usageTitle(t: Translate, { usage }: Facts): string {
  return [
    t('{0} in', formatCount(usage.inputTokens)),
    t('{0} out', formatCount(usage.outputTokens)),
    t('{0} read from cache', formatCount(usage.cacheReadTokens)),
    t('{0} written to cache', formatCount(usage.cacheWriteTokens)),
  ].join(' · ');
}
