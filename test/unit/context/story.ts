import { say, text } from '../../support/answers.ts';
import type { Answer, ListedModel, Script, ScriptedModel, ScriptedRequest } from '../../support/scriptedModel.ts';

export function windowOf(tokens: number, id = 'claude-sonnet-5-5'): ListedModel {
  const about = { display_name: id, created_at: '2026-01-01T00:00:00Z' };
  return { id, ...about, max_input_tokens: tokens, max_tokens: 64_000 };
}

/** 40,000 tokens, 10,000 of them for an answer; its alias is `sonnet`. */
export const smallModels: readonly ListedModel[] = [windowOf(40_000)];
export const largeModel = windowOf(1_000_000, 'claude-opus-5-5');
export const small = {
  models: smallModels,
  settings: { model: 'sonnet', smallModel: 'sonnet' },
};

/** English of about so many tokens; four characters each, as the scripted server counts. */
export function words(tokens: number): string {
  return 'abc '.repeat(tokens).trim();
}

export function isSummaryRequest({ body }: ScriptedRequest): boolean {
  return JSON.stringify(body.messages.at(-1)).includes('about to be replaced by your summary');
}

/** Answers requests for a summary in one way and all others in another. */
export function summarising(summary: Answer | Script, others: Script): Script {
  return (request) => {
    if (!isSummaryRequest(request)) return others(request);
    return typeof summary === 'function' ? summary(request) : summary;
  };
}

/** An answer after which the context is said to hold so many tokens. */
export function filling(tokens: number, answer: string): Answer {
  const usage = { input_tokens: tokens, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  return { ...say(text(answer)), usage };
}

export function counted(model: ScriptedModel): number {
  return model.requests.filter(({ path }) => path.endsWith('/count_tokens')).length;
}

export function sent(model: ScriptedModel): string {
  return JSON.stringify(model.bodies().at(-1)?.messages);
}
