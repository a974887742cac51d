import type { Thoroughness } from '../../subagents/exploration/explore.ts';

export type Intent =
  | { readonly kind: 'explore' }
  | { readonly kind: 'search'; readonly keywords: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'change' };

const greeting =
  /^(hi|hello|hey|hallo|bonjour|hola|ciao|moin|good (morning|afternoon|evening)|thanks?( you)?|thx|ok(ay)?|test|ping|help( me)?|\/help|what can you do|who are you|what are you|how do(es)? (you|this) work|你好|您好|帮助|谢谢)( there| everyone| offshoot)?[\s!.?,。!?]*$/i;
const polite =
  /^((please|kindly|now|then|ok(ay)?|hey|hi|hello|could you|can you|would you|will you|let'?s|i (want|need|would like) (you )?to|i'?d like (you )?to|请|帮我|请帮我)[\s,]*)+/i;
const changing =
  /^(add|fix|change|refactor|rename|write|create|implement|delete|remove|update|edit|make|replace|move|convert|upgrade|downgrade|install|run|execute|commit|push|format|migrate|optimi[sz]e|build|generate|translate|set up|clean up|bump|revert|merge|debug|improve|insert|append|extract|split|port|rewrite|修改|添加|增加|修复|重构|删除|实现|创建|编写|写|改|更新|运行|执行)/i;
const telling = /\b(summary|overview|report|explanation|description|tour|map|list of)\b/i;
const asking =
  /^(how|what|where|why|when|which|who|is|are|does|do|explain|describe|show|find|list)\b|怎么|如何|什么|哪|为什么/i;

const stopWords = new Set(
  `a about above all also an and any anything are as at available be been before being below between but by can code codebase codebases come could did do
does doing done each explain explore exploring every everything file files find first folder folders for from get give go good had has have here how i if in
inside into is it its itself just know let like line lines list look located main make many may me mean more most much must my need of off on one only or
other our out over overview place places please program project projects purpose quick read really repo repository say see should show so some something
source structure summarise summarize summary tell than that the their them then there these they thing things this thorough thoroughness those through to tour
understand up us use used uses using very via want was way we were what when where which while who whole why will with work works working workspace would you
your architecture app application implemented happen happens handled called defined describe start started begin new know
怎么 如何 什么 哪里 哪个 在哪 为什么 这个 那个 项目 代码 实现 是 的 了 吗 请 一下 介绍 解释 说明 工作 文件 结构 里面 我们 可以`.split(
    /\s+/,
  ),
);
const mostKeywords = 6;

export function intentOf(prompt: string): Intent {
  const text = prompt.trim();
  if (text === '' || greeting.test(text)) return { kind: 'help' };
  if (/^explore\b/i.test(text) && /\b(code ?base|repo(sitory)?|project|workspace|folder)\b/i.test(text)) {
    return { kind: 'explore' };
  }
  const request = text.replace(polite, '');
  if (changing.test(request) && !telling.test(request) && !asking.test(request)) return { kind: 'change' };
  const keywords = keywordsOf(text);
  return keywords.length > 0 ? { kind: 'search', keywords } : { kind: 'explore' };
}

export function thoroughnessOf(text: string): Thoroughness {
  if (/\b(very thorough|thoroughly|in depth|in detail|deep(ly)?)\b/i.test(text)) return 'very thorough';
  return /\bquick(ly)?\b|\bbrief(ly)?\b/i.test(text) ? 'quick' : 'medium';
}

/** What to look for: quoted words and identifiers first, then the words that carry meaning. */
export function keywordsOf(text: string): readonly string[] {
  const quoted = [...text.matchAll(/[`"“'‘「]([^`"”'’」\n]{2,60})[`"”'’」]/g)].map((found) => (found[1] ?? '').trim());
  const plain = text.replace(/`[^`]*`/g, ' ').replace(/\bhttps?:\S+/g, ' ');
  const words = [...plain.matchAll(/[A-Za-z_$][\w$]*(?:(?:\.|::|#|-|\/)[\w$]+)*/g)].map((found) => found[0]);
  const identifiers = words.filter(isIdentifier).flatMap((word) => [word, ...lastPartOf(word)]);
  const others = words
    .filter((word) => !isIdentifier(word) && word.length > 2 && !stopWords.has(word.toLowerCase()))
    .map(stemOf);
  const chosen = [...quoted, ...identifiers, ...others, ...wordsOfOtherScripts(plain)].filter(
    (word) => word.length > 1,
  );
  return distinct(chosen).slice(0, mostKeywords);
}

/** `res.render` is also looked for as `render`, which is how other objects name it. */
function lastPartOf(word: string): readonly string[] {
  const parts = word.split(/\.|::|#/);
  const last = parts.at(-1) ?? '';
  return parts.length > 1 && last.length > 3 ? [last] : [];
}

function isIdentifier(word: string): boolean {
  return /[a-z$][A-Z]|[_.#/]|::|[A-Z]{2,}[a-z]|\d/.test(word) && !/^(e\.g|i\.e|etc)\b/i.test(word);
}

/** So that `views` finds `view`, and `rendering` `render`. */
function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 6 && lower.endsWith('ing')) return lower.slice(0, -3).replace(/(.)\1$/, '$1');
  if (lower.length > 5 && lower.endsWith('ies')) return lower.slice(0, -3);
  if (lower.length > 5 && /(sh|ch|x|ss)es$/.test(lower)) return lower.slice(0, -2);
  if (lower.length > 3 && lower.endsWith('s') && !/(ss|us|is)$/.test(lower)) return lower.slice(0, -1);
  return lower;
}

function wordsOfOtherScripts(text: string): readonly string[] {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  return [...segmenter.segment(text)]
    .filter(
      (part) => part.isWordLike === true && /^[^\x20-\x7f]{2,}$/.test(part.segment) && !stopWords.has(part.segment),
    )
    .map((part) => part.segment);
}

function distinct(words: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return words.filter((word) => {
    const key = word.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
