import { Marked, type RendererObject, type Token, type TokensList } from 'marked';
import { highlight } from './highlight.ts';
import { type Place, parsePlace, splitPlaces } from './places.ts';

/** Words in the markup that code blocks carry. */
export type Labels = { readonly copy: string; readonly image: string };

export type MarkdownRenderer = {
  lex(text: string): TokensList;
  /** @param isOpen more of the block may come, so it is not worth colouring */
  render(tokens: readonly Token[], links: TokensList['links'], isOpen: boolean): string;
};

/**
 * Markdown to HTML that holds no address a browser would follow or load: HTML is text, an image is its words, and links
 * and places carry what they mean in `data-` attributes.
 */
export function createMarkdown(labels: Labels): MarkdownRenderer {
  let isOpen = false;
  const renderer: RendererObject = {
    html: (token) =>
      token.type === 'html' && token.block ? `<p>${escapeHtml(token.text)}</p>` : escapeHtml(token.text),
    text: (token) => ('tokens' in token && token.tokens ? false : placesToHtml(unescapeHtml(token.text))),
    codespan: ({ text }) => codeToHtml(text),
    code: ({ text, lang }) => blockToHtml(text, lang ?? '', isOpen, labels),
    image: ({ href, text }) => `<span class="image-text">${escapeHtml(`${text || labels.image} (${href})`)}</span>`,
    link({ href, tokens }) {
      return linkToHtml(href, this.parser.parseInline(tokens));
    },
    checkbox: ({ checked }) => `<span class="check" aria-hidden="true">${checked ? '☑' : '☐'}</span> `,
  };
  const marked = new Marked({ gfm: true, breaks: false, async: false, renderer });
  return {
    lex: (text) => marked.lexer(text),
    render(tokens, links, open) {
      isOpen = open;
      return marked.parser(Object.assign([...tokens], { links }));
    },
  };
}

function blockToHtml(code: string, language: string, isOpen: boolean, labels: Labels): string {
  const name = /^[\w+#.-]{0,30}/.exec(language)?.[0] ?? '';
  const html = isOpen ? escapeHtml(code) : (highlight(code, name) ?? escapeHtml(code));
  return (
    `<div class="code"><div class="code-head"><span>${escapeHtml(name)}</span>` +
    `<button type="button" class="icon-button" data-copy="1" title="${escapeHtml(labels.copy)}" aria-label="${escapeHtml(labels.copy)}">` +
    `<span class="codicon codicon-copy" aria-hidden="true"></span></button></div>` +
    `<pre tabindex="0"><code>${html}</code></pre></div>`
  );
}

function codeToHtml(text: string): string {
  const place = parsePlace(text);
  return place ? placeToHtml(text, place) : `<code>${escapeHtml(text)}</code>`;
}

function placesToHtml(text: string): string {
  return splitPlaces(text)
    .map((piece) => (piece.place ? placeToHtml(piece.text, piece.place) : escapeHtml(piece.text)))
    .join('');
}

function placeToHtml(text: string, place: Place, kind = 'place'): string {
  const line = place.line === null ? '' : ` data-line="${place.line}"`;
  return `<button type="button" class="${kind}" data-path="${escapeHtml(place.path)}"${line} title="${escapeHtml(titleOf(place))}">${escapeHtml(text)}</button>`;
}

function titleOf({ path, line }: Place): string {
  return line === null ? path : `${path}:${line}`;
}

function linkToHtml(href: string, label: string): string {
  const address = unescapeHtml(href);
  if (/^https?:\/\/[^\s]+$/i.test(address)) {
    const safe = escapeHtml(address);
    // Inside a link a place is a part of its words.
    const words = label.replace(/<\/?button[^>]*>/g, '');
    return `<a role="link" tabindex="0" class="link" data-link="${safe}" title="${safe}">${words}</a>`;
  }
  const place = parsePlace(safeDecode(address));
  if (!place) return label;
  return placeToHtml(unescapeHtml(label.replace(/<[^>]*>/g, '')), place, 'link');
}

function safeDecode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Undoes escapes, so that text is escaped exactly once. */
function unescapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{2,6}));/g,
    (match, name: string, code: string | undefined) => {
      if (code === undefined) return named[name] ?? match;
      const point = Number(code);
      return point <= 0x10ffff ? String.fromCodePoint(point) : match;
    },
  );
}
