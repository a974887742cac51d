import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import Turndown from 'turndown';

export type RawPage = { readonly html: string; readonly url: string };
export type PageText = { readonly title: string; readonly text: string };

const unwanted =
  'title, script, style, noscript, template, iframe, object, embed, svg, canvas, form, button, input, select, nav, footer, aside, [hidden], [aria-hidden="true"]';
/** An article that holds less of a page's text than this is not what the page is about. */
const leastShare = 0.3;

/** The text of a page: the article where there is one, else all but its frame. Runs nothing and asks for nothing. */
export function toMarkdown({ html, url }: RawPage): PageText {
  const document = parse(html);
  const title = (document.title ?? '').replace(/\s+/g, ' ').trim();
  for (const element of document.querySelectorAll(unwanted)) element.remove();
  const whole = bodyOf(document);
  const base = baseOf(document.querySelector('base')?.getAttribute('href'), url);
  // Its search takes the document apart.
  const article = new Readability(parse(document.documentElement.outerHTML), { charThreshold: 200 }).parse();
  const isArticle = (article?.textContent ?? '').trim().length >= leastShare * lengthOf(whole.textContent);
  const body = isArticle && article?.content ? bodyOf(parse(article.content)) : whole;
  for (const link of body.querySelectorAll('a')) straighten(link, base);
  return { title, text: turndown().turndown(body).trim() };
}

/** Where a page leaves tags out, its parser sets up no frame. */
function parse(html: string): Document {
  return parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html>${html}</html>`).document;
}

function bodyOf(document: Document): HTMLElement {
  return document.querySelector('body') ?? document.documentElement;
}

function lengthOf(text: string | null): number {
  return (text ?? '').replace(/\s+/g, ' ').length;
}

function baseOf(written: string | null | undefined, url: string): string {
  return URL.canParse(written ?? '', url) ? new URL(written ?? '', url).href : url;
}

/** A link to a page in full; any other is text. */
function straighten(link: Element, base: string): void {
  const href = link.getAttribute('href') ?? '';
  const target = URL.canParse(href, base) ? new URL(href, base) : undefined;
  if (target && /^https?:$/.test(target.protocol) && !href.startsWith('#')) link.setAttribute('href', target.href);
  else link.removeAttribute('href');
}

function turndown(): Turndown {
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  // A picture is a word: whoever reads this sees none, and nobody should be led to load it.
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) =>
      ('getAttribute' in node ? (node.getAttribute('alt') ?? '') : '').replace(/\s+/g, ' '),
  });
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) =>
      ` ${content
        .replace(/\s*\n\s*/g, ' ')
        .trim()
        .replaceAll('|', '\\|')} |`,
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) =>
      `|${content.trim() === '' ? '' : content}\n${isHead(node) ? ruleBelow(content) : ''}`,
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.replace(/\n{2,}/g, '\n').trim()}\n\n`,
  });
  return service;
}

function isHead(node: Node): boolean {
  const cells = [...node.childNodes].filter(({ nodeName }) => /^(td|th)$/i.test(nodeName));
  return cells.length > 0 && cells.every(({ nodeName }) => /^th$/i.test(nodeName));
}

function ruleBelow(cells: string): string {
  return `|${cells.replace(/[^|]+/g, ' --- ').replace(/\\\|/g, '')}\n`;
}
