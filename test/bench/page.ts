/**
 * Measures the sidebar's page, the real bundle in Chromium: a long conversation until it is seen, scrolled through, and kept
 * in memory; answers that stream into it.
 *
 *   npm run bench:page [-- --runs 3]
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createBirpc } from 'birpc';
import type { Browser, Page } from 'playwright-core';
import { PlainError, runMain, say } from '../../scripts/progress.mjs';
import { artifactsFolder, ensureBrowser } from '../../scripts/setup.mjs';
import type { AgentEvent } from '../../src/agent/loop/events.ts';
import type { PageFunctions, Snapshot } from '../../src/webview/protocol.ts';
import { buildPage, openPage, readyState, startBrowser } from '../ui/page/harness.ts';
import { createStory, type Story } from '../ui/page/story.ts';
import { median } from './statistics.ts';

const eventCount = 10_000;
const agentCount = 50;
const deltasPerSecond = 2000;
const streamSeconds = 4;
const messageMs = 24;
const streamers = 8;

const goals = { firstPaintMs: 300, worstScrollFrameMs: 50 } as const;

type Figures = {
  /** From the message with all events to the frame after the one that shows them. */
  readonly firstPaintMs: number;
  readonly worstScrollFrameMs: number;
  readonly worstStreamFrameMs: number;
  /** 99 of 100 frames while answers stream are quicker. */
  readonly slowStreamFrameMs: number;
  /** From the last delta to all text on the page. */
  readonly streamLagMs: number;
  readonly heapMb: number;
  readonly nodes: number;
};

/** A conversation of ten turns in which each lead's answer follows on the work of five agents. */
function longStory(): Story {
  const story = createStory('long', Date.now() - 3_600_000);
  const turns = 10;
  const agentsInTurn = agentCount / turns;
  const callsOfAgent = Math.floor(eventCount / agentCount / 4);
  story.emit('lead', { type: 'session-start', workspace: '/code/shop', title: 'A long one' });
  for (let turn = 1; turn <= turns; turn += 1) {
    story.emit('lead', { type: 'turn-start', turn, prompt: `Look at part ${turn} and say what is in it.` });
    for (let index = 0; index < agentsInTurn; index += 1) {
      const name = `agent-${turn}-${index}`;
      story.call('lead', `d-${name}`, 'Agent', { description: name }, `Explore: ${name}`);
      story.spawn(name, `d-${name}`, { type: 'Explore', description: `Part ${turn}.${index}` });
      for (let call = 0; call < callsOfAgent; call += 1) {
        const id = `${name}-${call}`;
        story.emit(name, { type: 'step-start', step: call + 1, model: 'claude-haiku-5-5' });
        story.call(name, id, 'Grep', { pattern: `word${call}` }, `Grep "word${call}" src`);
        story.result(name, id, 'Grep', `${call} matches`, `src/a${call}.ts:${call}: a line of the result\n`.repeat(5));
        story.usage(name, 10_000 + call * 500, 0.01);
      }
      story.finish(name, `## Part ${turn}.${index}\n\nThe guard is in src/http/guard.ts:41; nothing else was found.`);
      story.result('lead', `d-${name}`, 'Agent', 'completed');
    }
    story.say('lead', 1, [{ type: 'text', text: answerText(turn) }]);
    story.emit('lead', { type: 'turn-end', turn, status: 'completed' });
  }
  return story;
}

function answerText(turn: number): string {
  const code = '```ts\nexport const limit = (count: number) => Math.min(count, 40);\n```';
  const rows = Array.from({ length: 8 }, (_, row) => `| src/part${turn}/file${row}.ts:${row + 1} | ${row * 7} lines |`);
  return `# Part ${turn}\n\nIt holds **units** and \`tables\`.\n\n${code}\n\n| place | size |\n|---|---|\n${rows.join('\n')}\n\n- one\n- two\n`;
}

/** What the host would post. */
function messageOf(send: (page: PageFunctions) => unknown): unknown {
  let message: unknown;
  const page = createBirpc<PageFunctions, Record<string, never>>(
    {},
    {
      eventNames: ['events', 'state', 'reset', 'focus', 'prefill'],
      post: (posted) => {
        message = posted;
      },
      on: () => {},
    },
  );
  send(page);
  return message;
}

const snapshotOf = (events: readonly AgentEvent[], isRunning: boolean): Snapshot => ({
  session: events[0]?.session ?? 'session-1',
  state: { ...readyState, isRunning },
  events,
});

/** Keeps messages in the page, so that only what the page does with them is measured. */
async function keepMessages(page: Page, messages: readonly unknown[]): Promise<void> {
  await page.evaluate((all) => Object.assign(window, { benchMessages: all }), messages);
}

async function measureFirstPaint(page: Page, events: readonly AgentEvent[]): Promise<number> {
  await keepMessages(page, [messageOf((client) => client.reset(snapshotOf(events, false)))]);
  return page.evaluate(async () => {
    const [message]: unknown[] = Reflect.get(window, 'benchMessages');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const startedAt = performance.now();
    window.postMessage(message, '*');
    while (!document.querySelector('.flow .prompt')) await frame();
    await frame();
    return performance.now() - startedAt;
  });
}

/** The whole conversation at 1,200 points a frame, and the time of each frame. */
async function measureScrolling(page: Page): Promise<readonly number[]> {
  // Older parts are drawn in the pauses after the first paint.
  await page.waitForFunction(() => !document.querySelector('.undrawn'), undefined, { timeout: 60_000 });
  return page.evaluate(async () => {
    const scroller = document.querySelector('.log');
    if (!scroller) throw new Error('there is nothing to scroll');
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    const times: number[] = [];
    let last = await frame();
    for (let top = scroller.scrollHeight; top > -1200; top -= 1200) {
      scroller.scrollTop = top;
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    return times;
  });
}

function streamMessages(story: Story): readonly unknown[] {
  const count = Math.floor((streamSeconds * 1000) / messageMs);
  const deltas = Math.round((deltasPerSecond * messageMs) / 1000);
  let number = 0;
  return Array.from({ length: count }, () => {
    const events = Array.from({ length: deltas }, () => {
      number += 1;
      const agent = number % 2 === 0 ? 'lead' : `streamer-${number % streamers}`;
      return story.emit(agent, { type: 'text-delta', step: 1, text: number % 40 === 0 ? 'word.\n\n' : 'word ' });
    });
    return messageOf((client) => client.events(story.events[0]?.session ?? '', events));
  });
}

async function measureStreaming(page: Page): Promise<{ readonly frames: readonly number[]; readonly lagMs: number }> {
  const story = createStory('stream');
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Write a lot.' });
  for (let index = 1; index < streamers; index += 2) {
    story.call('lead', `d${index}`, 'Agent', {}, `Explore: ${index}`);
    story.spawn(`streamer-${index}`, `d${index}`, { type: 'Explore', description: `Part ${index}` });
    story.emit(`streamer-${index}`, { type: 'step-start', step: 1, model: 'claude-haiku-5-5' });
  }
  story.emit('lead', { type: 'step-start', step: 1, model: 'claude-sonnet-5-5' });
  const start = messageOf((client) => client.reset(snapshotOf([...story.events], true)));
  await keepMessages(page, [start, ...streamMessages(story)]);
  const wanted = story.events.filter((event) => event.type === 'text-delta' && event.agent === 'lead').length;
  return page.evaluate(
    async ({ everyMs, words }) => {
      const [first, ...messages]: unknown[] = Reflect.get(window, 'benchMessages');
      const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
      window.postMessage(first, '*');
      while (!document.querySelector('.flow .prompt')) await frame();
      const frames: number[] = [];
      const startedAt = performance.now();
      let sent = 0;
      let last = await frame();
      let endedAt = 0;
      const shown = () => document.querySelector('.flow')?.textContent?.match(/word/g)?.length ?? 0;
      const timer = setInterval(() => {
        while (sent < messages.length && sent * everyMs < performance.now() - startedAt) {
          window.postMessage(messages[sent], '*');
          sent += 1;
        }
        if (sent === messages.length && endedAt === 0) endedAt = performance.now();
      }, 4);
      while (endedAt === 0) {
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      clearInterval(timer);
      const patience = performance.now() + 20_000;
      while (shown() < words && performance.now() < patience) await frame();
      if (shown() < words) throw new Error(`only ${shown()} of ${words} words are shown`);
      return { frames, lagMs: performance.now() - endedAt };
    },
    { everyMs: messageMs, words: wanted },
  );
}

async function measureMemory(page: Page): Promise<{ readonly heapMb: number; readonly nodes: number }> {
  await page.evaluate(() => Reflect.deleteProperty(window, 'benchMessages'));
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  await client.send('Performance.enable');
  const { metrics } = await client.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return { heapMb: metric('JSHeapUsedSize') / 1e6, nodes: metric('Nodes') };
}

async function measureOnce(browser: Browser, bundle: string, events: readonly AgentEvent[]): Promise<Figures> {
  const { page, problems } = await openPage(browser, bundle);
  try {
    const firstPaintMs = await measureFirstPaint(page, events);
    const scrolled = await measureScrolling(page);
    const memory = await measureMemory(page);
    const { frames, lagMs } = await measureStreaming(page);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const sorted = frames.toSorted((left, right) => left - right);
    return {
      firstPaintMs,
      worstScrollFrameMs: Math.max(...scrolled),
      worstStreamFrameMs: Math.max(...frames),
      slowStreamFrameMs: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
      streamLagMs: lagMs,
      ...memory,
    };
  } finally {
    await page.close();
  }
}

await runMain(import.meta.url, async () => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });
  const count = Number(values.runs);
  if (!Number.isInteger(count) || count < 1) throw new PlainError('--runs takes a whole number from 1 on.');
  await ensureBrowser();
  const { events } = longStory();
  const bundle = await buildPage();
  const browser = await startBrowser();
  const runs: Figures[] = [];
  try {
    for (let index = 0; index < count; index += 1) runs.push(await measureOnce(browser, bundle, events));
  } finally {
    await browser.close();
    await rm(bundle, { recursive: true, force: true });
  }
  say(`${events.length} events, ${agentCount} agents; ${deltasPerSecond} deltas a second; ${count} runs\n`);
  const names = [
    'firstPaintMs',
    'worstScrollFrameMs',
    'worstStreamFrameMs',
    'slowStreamFrameMs',
    'streamLagMs',
    'heapMb',
    'nodes',
  ] as const;
  for (const name of names) {
    const own = runs.map((run) => run[name]);
    const goal = name in goals ? `   goal ${Reflect.get(goals, name)}` : '';
    const [low, high] = [Math.min(...own), Math.max(...own)].map((value) => value.toFixed(0));
    say(`${name.padEnd(20)}${median(own).toFixed(0).padStart(7)} (${low}–${high})${goal}`);
  }
  const folder = path.join(artifactsFolder, 'bench');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'page.json'), `${JSON.stringify({ goals, runs }, null, 2)}\n`);
});
