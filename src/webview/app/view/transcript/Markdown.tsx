import { useMemo } from 'preact/hooks';
import { createBlocks } from '../../markdown/blocks.ts';
import { sanitize } from '../../markdown/sanitize.ts';
import { type Host, usePage } from '../../page.ts';

type MarkdownProps = { readonly text: string; readonly isComplete: boolean; readonly class?: string };

/** Text of a model. A block that is finished is drawn once. */
export function Markdown({ text, isComplete, class: extra }: MarkdownProps) {
  const { markdown, host } = usePage();
  const blocks = useMemo(() => createBlocks(markdown, sanitize), [markdown]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the listeners serve the buttons and links inside
    <div
      class={`markdown ${extra ?? ''}`}
      dir="auto"
      onClick={(event) => act(host, event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLAnchorElement) act(host, event);
      }}
    >
      {blocks.update(text, isComplete).map((block) => (
        <HtmlBlock key={block.key} html={block.html} />
      ))}
    </div>
  );
}

function HtmlBlock({ html }: { readonly html: string }) {
  return <div class="block" dangerouslySetInnerHTML={{ __html: html }} />;
}

function act(host: Host, event: Event): void {
  if (!(event.target instanceof Element)) return;
  const target = event.target.closest<HTMLElement>('[data-path], [data-link], [data-copy]');
  if (!target) return;
  event.preventDefault();
  const { path, line, link, copy } = target.dataset;
  if (path !== undefined) host.openFile(path, line === undefined ? null : Number(line));
  else if (link !== undefined) host.openLink(link);
  else if (copy !== undefined) host.copy(target.closest('.code')?.querySelector('pre')?.textContent ?? '');
}
