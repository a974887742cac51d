import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { List } from '../../model/list.ts';
import type { Item } from '../../model/types.ts';
import { useConversation, usePage } from '../../page.ts';
import { AgentGroup } from '../agents/AgentGroup.tsx';
import { Permission } from '../asking/Permission.tsx';
import { Question } from '../asking/Question.tsx';
import { BranchNotice, CompactNotice, Note, Notice, Thinking, TurnEnd, Wake } from '../Notices.tsx';
import { Call } from './Call.tsx';
import { Earlier } from './Earlier.tsx';
import { Edit } from './Edit.tsx';
import { Markdown } from './Markdown.tsx';
import { Prompt } from './Prompt.tsx';
import { type Place, readPlace, restorePlace } from './place.ts';

const drawnAtFirst = 2;

type FlowProps = {
  readonly list: List<string>;
  readonly isLive: boolean;
  /** What was before it can be shown as well. */
  readonly hasPast?: boolean;
};

/**
 * The items of an agent in order. A chunk is drawn again when something joins it, the others are not. A long flow is drawn
 * from its end, so that the newest is there at once; the rest follows in pieces that are too short to be felt.
 */
export function Flow({ list, isLive, hasPast = false }: FlowProps) {
  const chunks = list.chunks.value;
  const earlier = list.earlier.value;
  const flow = useRef<HTMLDivElement>(null);
  const place = useRef<Place | undefined>(undefined);
  const onPut = () => {
    place.current = flow.current ? readPlace(flow.current) : undefined;
  };
  useLayoutEffect(() => {
    if (flow.current && place.current) restorePlace(flow.current, place.current);
    place.current = undefined;
  }, [earlier]);
  const drawnFrom = useSignal(Math.max(0, chunks.length - drawnAtFirst));
  const start = drawnFrom.value;
  useEffect(() => {
    if (start === 0) return;
    const timer = setTimeout(() => {
      drawnFrom.value = start - 1;
    });
    return () => clearTimeout(timer);
  }, [start, drawnFrom]);
  return (
    <div class="flow" ref={flow}>
      {hasPast && <Earlier side="front" onPut={onPut} />}
      {earlier.map(({ key, chunk }) => (
        <Chunk key={key} chunk={chunk} isDrawn={true} isLast={false} isLive={isLive} />
      ))}
      {hasPast && earlier.length > 0 && <Earlier side="back" onPut={onPut} />}
      {chunks.map((chunk, index) => (
        <Chunk
          key={index}
          chunk={chunk}
          isDrawn={index >= start}
          isLast={index === chunks.length - 1}
          isLive={isLive}
        />
      ))}
    </div>
  );
}

type ChunkProps = {
  readonly chunk: Signal<readonly string[]>;
  readonly isDrawn: boolean;
  readonly isLast: boolean;
  readonly isLive: boolean;
};

function Chunk({ chunk, isDrawn, isLast, isLive }: ChunkProps) {
  if (!isDrawn) return <div class="chunk undrawn" />;
  return (
    <div class={isLast ? 'chunk' : 'chunk past'}>
      {chunk.value.map((id) => (
        <ItemView key={id} id={id} isLive={isLive} />
      ))}
    </div>
  );
}

export function ItemView({ id, isLive }: { readonly id: string; readonly isLive: boolean }) {
  const item = useConversation().items.get(id)?.value;
  if (!item) return null;
  return <ItemBody id={id} item={item} isLive={isLive} />;
}

function ItemBody({ id, item, isLive }: { readonly id: string; readonly item: Item; readonly isLive: boolean }) {
  const asker = useConversation().askers.get(id);
  const { t } = usePage();
  switch (item.kind) {
    case 'prompt':
      return <Prompt turn={item.turn} text={item.text} isLive={isLive} />;
    case 'branch':
      return <BranchNotice title={item.from.title} session={item.from.session} />;
    case 'note':
      return <Note item={item} />;
    case 'wake':
      return <Wake item={item} />;
    case 'text':
      return <Markdown text={item.text} isComplete={!item.isStreaming} class="answer-text" />;
    case 'thinking':
      return <Thinking item={item} />;
    case 'call':
      return <Call id={id} isLive={isLive} />;
    case 'group':
      return <AgentGroup item={item} isLive={isLive} />;
    case 'permission':
      return <Permission item={item} isLive={isLive} />;
    case 'edit':
      return <Edit item={item} isLive={isLive} />;
    case 'question':
      return <Question item={item} name={asker?.info.value.name || t('Offshoot')} isLive={isLive} />;
    case 'notice':
      return <Notice level={item.level} text={item.text} />;
    case 'compact':
      return <CompactNotice before={item.before} after={item.after} />;
    case 'end':
      return <TurnEnd item={item} isLive={isLive} />;
  }
}
