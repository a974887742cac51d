import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import bundle from '../../../l10n/bundle.l10n.zh-cn.json' with { type: 'json' };
import type { AgentEvent, EventBody } from '../../../src/agent/loop/events.ts';
import { createSay } from '../../../src/editor/language/say.ts';
import { sentences } from '../../../src/editor/language/sentences.ts';
import { translateEvent } from '../../../src/editor/language/shownEvents.ts';
import { createTranslate } from '../../../src/webview/app/strings.ts';

const say = createSay(sentences(), createTranslate(new Map(Object.entries(bundle))));

async function sourceFiles(): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob('src/agent/**/*.ts')) files.push(await readFile(file, 'utf8'));
  return files;
}

describe('what the agent says to people', () => {
  it('is said in the words that the agent uses', async () => {
    const all = (await sourceFiles()).join('\n').replaceAll("\\'", "'");
    const gone = sentences().filter((sentence) => {
      const parts = sentence.split(/\{\d\}/).map((part) => part.trim());
      const isPutTogether = putTogether.some((beginning) => sentence.startsWith(beginning));
      return !parts.every((part) => part.length < 4 || all.includes(part) || (isPutTogether && hasWords(part, all)));
    });
    expect(gone).toEqual([]);
  });

  it('is put into another language, with what varies and what stands in it', () => {
    expect(say('Stopped by the user.')).toBe('已被用户停止。');
    expect(say('The limit of 50 steps is reached. Shall scout go on?')).toBe(
      '已达到 50 步的上限。 要让 scout 继续吗？',
    );
    expect(say('Stopped by the user. It had not begun.')).toBe('已被用户停止。 尚未开始。');
    const hook = 'The hook guard.sh (PreToolUse) failed: no such file. The calls that it is for are asked about.';
    expect(say(hook)).toBe('钩子 guard.sh (PreToolUse) 失败：no such file. 它所针对的调用会先询问。');
    expect(say('lines 1–20 of 300')).toBe('第 1–20 行，共 300 行');
    expect(say('The key was refused. Run “Offshoot: Set API Key”. The server has: opus, haiku.')).toBe(
      '密钥被拒绝。请运行“Offshoot: 设置 API 密钥”。 服务器提供：opus, haiku。',
    );
  });

  it('stays as it is where nobody knows it', () => {
    for (const text of ['', 'Expected three lines', 'A report. With two sentences.', '[a-z]+ {0}'])
      expect(say(text)).toBe(text);
  });

  it('is what people see of an event; what agents and users wrote is not touched', () => {
    const stamp = { session: 's', agent: 'lead', parent: null, seq: 1, time: 1 };
    const shown = (body: EventBody): AgentEvent => translateEvent({ ...stamp, ...body }, say);
    expect(shown({ type: 'turn-end', turn: 1, status: 'stopped', error: 'Stopped by the user.' })).toMatchObject({
      error: '已被用户停止。',
    });
    const options = ['Grant as much again', 'Answer with what is there'];
    expect(shown({ type: 'question-ask', question: 'q', text: 'Which one?', options })).toMatchObject({
      text: 'Which one?',
      options: ['再给予同样多', '用现有内容作答'],
    });
    const prompt: EventBody = { type: 'turn-start', turn: 1, prompt: 'Stopped by the user.' };
    expect(shown(prompt)).toEqual({ ...stamp, ...prompt });
  });
});

/** Of pieces that the source joins by a condition. */
const putTogether: readonly string[] = [
  'The budget of',
  'The model server failed',
  'No connection to',
  'the model server (',
  'The conversation could not be summarised',
  '{0} lines,',
  '1 match',
  '{0} places,',
];

function hasWords(part: string, all: string): boolean {
  return part.split(' ').every((word) => all.includes(word));
}
