import { textOf } from '../../messages/types.ts';
import type { ModelCatalog } from '../../model/catalog.ts';
import { costOf } from '../../model/pricing.ts';
import type { Provider, Usage } from '../../model/provider.ts';

const mostChars = 80;

/** What a conversation is called: the beginning of its first prompt. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n')[0] ?? '';
  return line.length > mostChars ? `${line.slice(0, mostChars - 1)}…` : line;
}

export type ModelTitle = {
  /** Empty: the model wrote nothing that could be one. */
  readonly title: string;
  readonly model: string;
  readonly usage: Usage;
  readonly cost: number | undefined;
};

const system =
  'You name conversations. Answer with a title of three to seven words for the conversation below, in its language, without quotes, without a full stop, and nothing else.';
const shownPromptChars = 2000;
const shownAnswerChars = 1000;

/** One small request. @returns undefined when there is no such model @throws ModelError */
export async function askForTitle(
  { provider, catalog }: { readonly provider: Provider; readonly catalog: ModelCatalog },
  modelName: string,
  said: { readonly prompt: string; readonly answer: string },
  signal: AbortSignal,
): Promise<ModelTitle | undefined> {
  const model = await catalog.resolve(modelName, signal);
  if (!model) return undefined;
  const { prompt, answer } = said;
  const text = `<prompt>\n${prompt.slice(0, shownPromptChars)}\n</prompt>\n<answer>\n${answer.slice(0, shownAnswerChars)}\n</answer>`;
  const request = {
    model: model.id,
    // Some models think first.
    maxTokens: 300,
    system: [{ type: 'text', text: system }],
    tools: [],
    toolChoice: 'auto',
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  } as const;
  let written = '';
  for await (const event of provider.stream(request, signal)) {
    if (event.type === 'block-end') written += textOf({ role: 'assistant', content: [event.block] });
    if (event.type === 'message-end') {
      const { usage, stopReason } = event;
      const title = stopReason === 'refusal' ? '' : tidy(written);
      return { title, model: model.id, usage, cost: costOf(model.id, usage) };
    }
  }
  return undefined;
}

/** A title is one line of plain words. */
function tidy(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return titleOf(line.replace(/^[\s"'“”«»#*]+|[\s"'“”«»*.]+$/g, ''));
}
