import type { Answer, AnswerBlock } from './scriptedModel.ts';

export const text = (value: string): AnswerBlock => ({ type: 'text', text: value });

export const call = (name: string, input: Readonly<Record<string, unknown>>): AnswerBlock => ({
  type: 'tool_use',
  name,
  input,
});

export const delegate = (prompt: string, more: Readonly<Record<string, unknown>> = {}): AnswerBlock =>
  call('Agent', { description: 'do a part', prompt, subagent_type: 'Explore', ...more });

export const say = (...blocks: readonly AnswerBlock[]): Answer => ({ blocks });
