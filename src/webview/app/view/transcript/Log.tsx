import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page.ts';
import { Icon } from '../Icon.tsx';

const nearEnd = 24;

type LogProps = {
  readonly label: string;
  /** Rises when the reader has asked for something, whose answer comes at the end. */
  readonly asked?: number;
  readonly children: ComponentChildren;
};

/** Something that grows at its end. It follows its end while the reader is there, and again once the reader asks. */
export function Log({ label, asked, children }: LogProps) {
  const { t } = usePage();
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useSignal(true);

  useEffect(() => {
    const outer = scroller.current;
    const inner = content.current;
    if (!outer || !inner) return;
    const follow = () => {
      if (isFollowing.peek()) outer.scrollTop = outer.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [isFollowing]);

  const onScroll = () => {
    const outer = scroller.current;
    if (outer) isFollowing.value = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearEnd;
  };
  const jump = () => {
    isFollowing.value = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  useEffect(jump, [asked]);
  return (
    <div class="transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <main class="log" ref={scroller} onScroll={onScroll} tabIndex={0} aria-label={label}>
        <div class="content" ref={content}>
          {children}
        </div>
      </main>
      {!isFollowing.value && (
        <button type="button" class="jump" onClick={jump}>
          <Icon name="arrow-down" />
          {t('Jump to latest')}
        </button>
      )}
    </div>
  );
}
