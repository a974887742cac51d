import * as z from 'zod';
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool.ts';

const maxUrlChars = 2000;

export const webFetchTool = defineTool({
  name: 'WebFetch',
  description:
    'Fetches a public web page as markdown; the user is asked first. A redirect to another host is told, not followed.',
  input: z.strictObject({
    url: z.string(),
    prompt: z.string().optional().describe('What you look for in it'),
  }),
  effect: 'send',
  isConcurrent: true,
  summarize: ({ url }) => `WebFetch ${url}`,
  url: ({ url }) => readAddress(url).href,
  run: ({ url, prompt }, context) => fetchPage(readAddress(url), prompt, context),
});

function readAddress(written: string): URL {
  if (!URL.canParse(written)) {
    throw new ToolError(`${JSON.stringify(written)} is no address. Write it in full, e.g. https://example.com/page.`);
  }
  const url = new URL(written);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ToolError(`WebFetch asks http and https only, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('The address holds a name or a password. Leave them out: WebFetch sends no credentials.');
  }
  if (url.href.length > maxUrlChars) throw new ToolError(`An address may have ${maxUrlChars} characters.`);
  url.hash = '';
  return url;
}

async function fetchPage(url: URL, prompt: string | undefined, context: ToolContext): Promise<ToolResult> {
  const answer = await context.host.web.fetch(url.href, context.signal);
  if (answer.kind === 'redirect') {
    return {
      content: `${answer.from} redirects to ${answer.to}. That was not followed. If you want that page, call WebFetch with its address.`,
      summary: 'redirected',
    };
  }
  const head = [
    `Page: ${answer.url}`,
    ...(answer.title === '' ? [] : [`Title: ${answer.title}`]),
    ...(prompt === undefined || prompt.trim() === '' ? [] : [`Looked for: ${prompt.trim()}`]),
    ...(answer.isCut ? ['The page was too long and is cut.'] : []),
  ].join('\n');
  const text = answer.text.trim() === '' ? '(The page holds no text.)' : answer.text;
  return { content: `${head}\n\n${text}`, summary: `${text.length} characters` };
}
