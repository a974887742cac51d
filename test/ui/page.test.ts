import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPage, bundleSize, openPage, type PageOptions, readyState, settle, startBrowser } from './page/harness.ts';
import { backgroundStory, createStory, doneStory, emptyReceipt, type Story, workingStory } from './page/story.ts';

let browser: Browser;
let bundle: string;

beforeAll(async () => {
  [browser, bundle] = await Promise.all([startBrowser(), buildPage()]);
});
afterAll(() => browser?.close());

const open = (options: PageOptions = {}) => openPage(browser, bundle, options);
const textBox = 'textarea';

function startedStory(): Story {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Look around.' });
  story.emit('lead', { type: 'step-start', step: 1, model: 'm' });
  return story;
}

/** An answer that is complete. */
function answered(text: string): Story {
  const story = startedStory();
  story.say('lead', 1, [{ type: 'text', text }]);
  story.emit('lead', { type: 'turn-end', turn: 1, status: 'completed' });
  return story;
}

test('the page stays within its budget of 300 kB', async () => {
  expect(await bundleSize(bundle)).toBeLessThan(300_000);
});

describe('composer', () => {
  test('Enter sends, Shift+Enter makes a line, an empty prompt is not sent', async () => {
    const { page, calls } = await open();
    await page.focus(textBox);
    await page.keyboard.press('Enter');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await expect.poll(() => calls).toEqual([['send', 'one\ntwo']]);
    expect(await page.inputValue(textBox)).toBe('');
    await page.close();
  });

  test('a draft survives that the page is loaded again', async () => {
    const first = await open();
    await first.page.fill(textBox, 'half a thought');
    const saved = await first.page.evaluate('window.savedState');
    await first.page.close();
    const second = await open({ saved });
    expect(await second.page.inputValue(textBox)).toBe('half a thought');
    await second.page.close();
  });

  test('mode and model are chosen, the host fills in and focuses', async () => {
    const { page, calls, client } = await open();
    await page.getByLabel('Permission mode').selectOption('plan');
    await page.getByLabel('Model').selectOption('opus');
    await expect
      .poll(() => calls)
      .toEqual([
        ['setMode', 'plan'],
        ['setModel', 'opus'],
      ]);
    await client.prefill('Explain this');
    await expect.poll(() => page.inputValue(textBox)).toBe('Explain this');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await page.close();
  });

  test('while a turn runs it can be stopped by button and key, and prompts wait as chips', async () => {
    const story = startedStory();
    story.emit('lead', { type: 'prompt-queue', prompts: ['And the tests?'] });
    const { page, calls } = await open({ events: story.events, state: { isRunning: true } });
    expect(await page.locator('.chip').textContent()).toContain('And the tests?');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Escape');
    await expect
      .poll(() => calls)
      .toEqual([
        ['stop', null],
        ['stop', null],
      ]);
    await page.close();
  });
});

describe('conversation', () => {
  test('text streams, and the blocks before the last stay the same elements', async () => {
    const story = startedStory();
    const { page, client } = await open({ events: story.events, state: { isRunning: true } });
    const say = (text: string) =>
      client.events('session-1', [story.emit('lead', { type: 'text-delta', step: 1, text })]);
    await say('First paragraph.\n\nSecond');
    await page.locator('.block').nth(1).waitFor();
    await page.evaluate(() => document.querySelector('.block')?.setAttribute('data-mark', 'kept'));
    await say(' goes on.\n\nThird');
    await page.locator('.block').nth(2).waitFor();
    expect(await page.locator('.block').allTextContents()).toEqual([
      'First paragraph.\n',
      'Second goes on.\n',
      'Third\n',
    ]);
    expect(await page.locator('.block').first().getAttribute('data-mark')).toBe('kept');
    await page.close();
  });

  test('it follows its end only while the reader is there', async () => {
    const story = startedStory();
    const { page, client } = await open({ events: story.events, state: { isRunning: true }, height: 500 });
    const say = (text: string) =>
      client.events('session-1', [story.emit('lead', { type: 'text-delta', step: 1, text })]);
    const distance = () =>
      page.evaluate(() => {
        const log = document.querySelector('.log');
        return log ? log.scrollHeight - log.scrollTop - log.clientHeight : -1;
      });
    await say('A line.\n\n'.repeat(60));
    await expect.poll(() => page.evaluate(() => document.querySelector('.log')?.scrollHeight)).toBeGreaterThan(1000);
    await expect.poll(distance).toBeLessThan(2);
    await page.evaluate(() => document.querySelector('.log')?.scrollTo(0, 100));
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await say('More.\n\n'.repeat(20));
    await settle(page);
    expect(await page.evaluate(() => document.querySelector('.log')?.scrollTop)).toBe(100);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(distance).toBeLessThan(2);
    await page.close();
  });

  test('it goes to its end when the reader asks, not when a queued prompt or an agent begins a turn', async () => {
    const story = answered('A line.\n\n'.repeat(60));
    const { page, client } = await open({ events: story.events, height: 500 });
    const top = () => page.evaluate(() => document.querySelector('.log')?.scrollTop ?? -1);
    const readOn = async () => {
      await page.evaluate(() => document.querySelector('.log')?.scrollTo(0, 100));
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    };
    const begin = (turn: number, by: 'user' | 'agent' = 'user') =>
      story.emit('lead', { type: 'turn-start', turn, prompt: 'And then?', ...(by === 'agent' ? { by } : {}) });
    const end = (turn: number) => story.emit('lead', { type: 'turn-end', turn, status: 'completed' });
    await readOn();
    await client.events('session-1', [begin(2)]);
    await expect.poll(top).toBeGreaterThan(500);
    await readOn();
    const queue = (...prompts: string[]) => story.emit('lead', { type: 'prompt-queue', prompts });
    await client.events('session-1', [queue('And then?'), end(2), queue(), begin(3), end(3), begin(4, 'agent')]);
    await settle(page);
    expect(await top()).toBe(100);
    await page.close();
  });

  test('places open files, links ask the host, code is copied, an answer opens as a document', async () => {
    const text = 'See src/a.ts:12 and [docs](https://a.example/x).\n\n```ts\nconst a = 1;\n```';
    const { page, calls, requests } = await open({ events: answered(text).events });
    await page.getByRole('button', { name: 'src/a.ts:12' }).click();
    await page.getByRole('link', { name: 'docs' }).click();
    await page.getByRole('link', { name: 'docs' }).press('Enter');
    await page.getByRole('button', { name: 'Copy code' }).click();
    await page.getByRole('button', { name: 'Open as document' }).click();
    await expect
      .poll(() => calls)
      .toEqual([
        ['openFile', 'src/a.ts', 12],
        ['openLink', 'https://a.example/x'],
        ['openLink', 'https://a.example/x'],
        ['copy', 'const a = 1;'],
        ['openAsDocument', text],
      ]);
    expect(requests).toEqual([]);
    await page.close();
  });

  test('S30, S31 what a model, a tool or a file name says stays text', async () => {
    const attack =
      '<img src=x onerror=alert(1)><svg onload=alert(2)><style>*{background:url(https://evil.example)}</style>';
    const story = startedStory();
    story.say('lead', 1, [
      {
        type: 'text',
        text: `${attack}\n\n![x](https://evil.example/p.png) [a](javascript:alert(3)) [b](command:x) [c](data:text/html,x)\n\n\`\`\`mermaid\n${attack}\n\`\`\`\n\n\`${attack}\``,
      },
    ]);
    story.call('lead', 'c1', 'Bash', { command: attack }, attack);
    story.result('lead', 'c1', 'Bash', attack, attack);
    story.emit('lead', {
      type: 'edit-propose',
      edit: 'e',
      call: 'c9',
      path: `${attack}.ts`,
      isNew: true,
      added: 1,
      removed: 0,
    });
    story.emit('lead', { type: 'question-ask', question: 'q', text: attack, options: [attack] });
    story.emit('lead', { type: 'notice', level: 'error', text: attack });
    const opened = await open({ events: story.events, state: { isRunning: true } });
    const { page } = opened;
    await page.locator('button.line').first().click();
    for (const words of ['a', 'b', 'c']) expect(await page.getByText(words, { exact: true }).count()).toBeLessThan(2);
    await page.waitForTimeout(200);
    expect(
      await page.locator('#root :is(img, svg, style, iframe, script, [onerror], [onload], [href], [src])').count(),
    ).toBe(0);
    expect(opened.problems).toEqual([]);
    expect(opened.requests).toEqual([]);
    await page.close();
  });
});

describe('agents and cards', () => {
  test('a permission is answered once, and a reason goes with a denial', async () => {
    const { page, calls, client } = await open({
      events: workingStory().events,
      state: { isRunning: true, prompt: 'modal' },
    });
    const card = page.locator('.card.ask');
    expect(await card.locator('.whole').textContent()).toBe('npm run bench -- guard --json > out.json');
    await card.getByLabel('Reason to deny').fill('Not now');
    await card.getByRole('button', { name: 'Deny' }).click();
    await card.getByRole('button', { name: 'Allow once' }).click({ force: true });
    await expect.poll(() => calls).toEqual([['answerPermission', 'ask-1', 'deny', 'once', 'Not now']]);
    const answer = {
      type: 'permission-answer',
      ask: 'ask-1',
      call: 'b1',
      decision: 'deny',
      scope: 'once',
      by: 'user',
    } as const;
    await client.events('working', [workingStory().emit('bench', { ...answer, reason: 'Not now' })]);
    await expect.poll(() => card.count()).toBe(0);
    await page.close();
  });

  test('agents are stopped one by one or together, and show their calls when opened', async () => {
    const { page, calls } = await open({ events: workingStory().events, state: { isRunning: true } });
    await page.hover('[data-agent="limits"] .row');
    await page.getByRole('button', { name: 'Stop limits' }).click();
    await page.getByRole('button', { name: 'Stop these agents' }).click();
    await expect
      .poll(() => calls)
      .toEqual([
        ['stop', 'limits'],
        ['stop', 'limits'],
        ['stop', 'bench'],
      ]);
    const row = page.locator('[data-agent="auth-map"]');
    expect(await row.locator('.call').count()).toBe(0);
    await row.locator('.row-main').click();
    expect(await row.locator('.call').textContent()).toContain('Read src/http/guard.ts');
    await page.close();
  });

  test('the line about the agents follows them to their end', async () => {
    const story = workingStory();
    const { page, client } = await open({ events: story.events, state: { isRunning: true } });
    const head = page.locator('.group-head');
    expect(await head.textContent()).toContain('3 agents · 1 done · 1 waiting for you');
    const before = story.events.length;
    story.finish('limits', 'Nothing limits.');
    story.emit('bench', { type: 'agent-end', status: 'stopped', report: '', receipt: emptyReceipt });
    story.emit('lead', { type: 'turn-end', turn: 1, status: 'stopped' });
    await client.events('working', story.events.slice(before));
    await client.state(readyState);
    await expect.poll(() => head.textContent()).toContain('3 agents · 2 done · 1 stopped');
    await expect.poll(() => page.getByRole('button', { name: /^Stop/ }).count()).toBe(0);
    await expect.poll(() => page.locator('.card').count()).toBe(0);
    await page.close();
  });

  test('edits are reviewed, decided one by one and together', async () => {
    const { page, calls } = await open({ events: doneStory(true).events, state: { isRunning: true } });
    const bar = page.getByRole('region', { name: 'Changes to review' });
    expect(await bar.textContent()).toContain('2 files to review');
    await bar.getByRole('button', { name: 'Review' }).click();
    const server = page.locator('[data-item="edit:e1"]');
    await server.getByLabel('Reason to reject').fill('Too much');
    await server.getByRole('button', { name: 'Reject' }).click();
    await bar.getByRole('button', { name: 'Accept all' }).click();
    await expect
      .poll(() => calls)
      .toEqual([
        ['showEdit', 'e1'],
        ['decideEdit', 'e1', 'reject', 'Too much'],
        ['decideEdit', 'e1', 'accept', ''],
        ['decideEdit', 'e2', 'accept', ''],
      ]);
    await page.close();
  });

  test('a rejected edit is no failure, an accepted one that was not written is', async () => {
    const story = startedStory();
    for (const [edit, decision] of [['e1', 'reject'] as const, ['e2', 'accept'] as const]) {
      const file = { edit, call: edit, path: `${edit}.ts` };
      story.call('lead', edit, 'Edit', { file_path: file.path }, `Edit ${file.path}`);
      story.emit('lead', { type: 'edit-propose', ...file, isNew: false, added: 1, removed: 1 });
      story.emit('lead', { type: 'edit-decide', ...file, decision, isAmended: false, by: 'user' });
      const said = { summary: decision === 'reject' ? 'rejected' : 'no space', preview: '', durationMs: 1 };
      story.emit('lead', { type: 'tool-end', call: edit, tool: 'Edit', status: 'error', ...said });
    }
    const { page } = await open({ events: story.events });
    expect(await page.locator('.edit .said').allTextContents()).toEqual(['Not written: no space']);
    await page.close();
  });

  test('a question takes an option or own words', async () => {
    const story = startedStory();
    story.emit('lead', { type: 'question-ask', question: 'q1', text: 'Which store?', options: ['SQLite', 'Files'] });
    story.emit('lead', { type: 'question-ask', question: 'q2', text: 'Which name?', options: [] });
    const { page, calls } = await open({ events: story.events, state: { isRunning: true } });
    await page.getByRole('button', { name: 'Files' }).click();
    await page.locator('[data-item="question:q2"] input').fill('limiter');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => calls)
      .toEqual([
        ['answerQuestion', 'q1', 'Files'],
        ['answerQuestion', 'q2', 'limiter'],
      ]);
    await page.close();
  });

  test('a waiting agent is found, allowed and stopped with the keyboard alone', async () => {
    const { page, calls } = await open({ events: workingStory().events, state: { isRunning: true } });
    await page.focus(textBox);
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Allow once');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[data-agent="limits"] .row-main').focus();
    await page.keyboard.press('Enter');
    for (const _ of ['pause', 'stop']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    }
    await expect
      .poll(() => calls)
      .toEqual([
        ['answerPermission', 'ask-1', 'allow', 'session', ''],
        ['pause', 'limits'],
        ['stop', 'limits'],
      ]);
    await page.close();
  });

  test('states are said to a screen reader, streamed text is not', async () => {
    const { page } = await open({ events: workingStory().events, state: { isRunning: true } });
    expect(await page.locator('[aria-live]').textContent()).toBe('bench asks: Run a command Waiting for 2 agents.');
    expect(await page.locator('[data-agent="auth-map"] .state').getByRole('img').getAttribute('aria-label')).toBe(
      'done',
    );
    expect(await page.locator('[aria-live]').count()).toBe(1);
    await page.close();
    const story = startedStory();
    story.emit('lead', { type: 'turn-end', turn: 1, status: 'stopped' });
    const stopped = await open({ events: story.events });
    expect(await stopped.page.locator('[aria-live]').textContent()).toBe('stopped');
    await stopped.page.close();
  });
});

describe('control of agents', () => {
  const row = (agent: string) => `[data-agent="${agent}"]`;

  test('a working agent is paused, sent to the background, told something and opened', async () => {
    const story = workingStory();
    const { page, calls, client } = await open({ events: story.events, state: { isRunning: true } });
    const tell = (activity: 'pausing' | 'running') =>
      client.events('working', [story.emit('limits', { type: 'agent-status', activity })]);
    await page.hover(`${row('limits')} .row`);
    await page.getByRole('button', { name: 'Pause limits' }).click();
    await tell('pausing');
    await page.getByText('pauses after this step').waitFor();
    await page.getByRole('button', { name: 'Continue limits' }).click();
    await tell('running');
    await page.getByRole('button', { name: 'Send limits to the background' }).click();
    await page.getByRole('button', { name: 'Message limits' }).click();
    // The field takes the focus by itself.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Look at the proxy');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Tell limits…').count()).toBe(0);
    await page.getByRole('button', { name: 'Open the transcript of limits' }).click();
    await expect
      .poll(() => calls)
      .toEqual([
        ['pause', 'limits'],
        ['resume', 'limits', ''],
        ['detach', 'limits'],
        ['tell', 'limits', 'Look at the proxy'],
        ['openTranscript', 'limits'],
      ]);
    await page.close();
  });

  test('only what works in its state is offered', async () => {
    const offered = async (agent: string) => {
      await page.hover(`${row(agent)} .row`);
      const buttons = await page.locator(`${row(agent)} .row .actions button`).all();
      return Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    };
    const { page, show } = await open({ events: backgroundStory().events, state: { isRunning: true } });
    expect(await offered('scout')).toEqual(['Open the transcript of scout']);
    expect(await offered('limits')).toEqual([
      'Pause limits',
      'Stop limits',
      'Message limits',
      'Open the transcript of limits',
    ]);
    expect((await offered('bench'))[0]).toBe('Continue bench');
    await show(doneStory(false).events, { isRunning: false });
    expect(await offered('bench')).toEqual([
      'Let bench go on',
      'Retry bench',
      'Preview what retrying bench would start',
      'Open the transcript of bench',
    ]);
    await page.close();
  });

  test('a paused agent goes on as it was or with another instruction', async () => {
    const { page, calls } = await open({ events: backgroundStory().events, state: { isRunning: true } });
    const bench = page.locator(row('bench'));
    await bench.getByRole('button', { name: 'Continue', exact: true }).click();
    await bench.getByRole('button', { name: 'Change instruction…' }).click();
    const field = bench.getByLabel('Instruction');
    expect(await field.inputValue()).toBe('Please: Measure the guard.');
    await bench.getByRole('button', { name: 'Continue', exact: true }).click();
    await bench.getByRole('button', { name: 'Change instruction…' }).click();
    await field.fill('Measure the limiter.');
    await field.press('Control+Enter');
    await expect
      .poll(() => calls)
      .toEqual([
        ['resume', 'bench', ''],
        ['resume', 'bench', ''],
        ['resume', 'bench', 'Measure the limiter.'],
      ]);
    await page.close();
  });

  test('while agents work in the background the page is not idle, and the next prompt does not wait', async () => {
    const { page, calls } = await open({ events: backgroundStory().events, state: { isRunning: true } });
    expect(await page.locator('.activity').textContent()).toContain('Waiting for 2 agents in the background.');
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.fill(textBox, 'And then?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => calls).toEqual([['send', 'And then?']]);
    const wake = page.locator('.wake');
    expect(await wake.locator('summary').textContent()).toBe('scout has ended');
    expect(await wake.getByText('Tokens are checked once').isVisible()).toBe(false);
    await wake.locator('summary').click();
    await wake.getByText('Tokens are checked once').waitFor();
    await page.close();
  });

  test('the parts of a receipt lead to what they count', async () => {
    const { page, calls } = await open({ events: backgroundStory().events, state: { isRunning: true } });
    const scout = page.locator(row('scout'));
    await scout.getByRole('button', { name: '2 files read' }).click();
    await scout.getByRole('button', { name: 'session/store.ts' }).click();
    await scout.getByRole('button', { name: '1 changed' }).click();
    await scout.getByRole('button', { name: 'docs/auth.md' }).click();
    await scout.getByRole('button', { name: '2 commands' }).click();
    expect(await scout.locator('.facts li').allTextContents()).toEqual(['npm testexit 0', 'npm run lintexit 2']);
    await scout.getByRole('button', { name: '12 calls' }).click();
    expect(await scout.locator('.row-main').getAttribute('aria-expanded')).toBe('true');
    await expect
      .poll(() => calls)
      .toEqual([
        ['openFile', '/code/shop/session/store.ts', null],
        ['openChange', '/code/shop/docs/auth.md'],
      ]);
    await page.close();
  });

  test('a waiting prompt is taken back or edited', async () => {
    const story = startedStory();
    story.emit('lead', { type: 'prompt-queue', prompts: ['one', 'two'] });
    const { page, calls } = await open({ events: story.events, state: { isRunning: true } });
    await page.getByRole('button', { name: 'Edit this message' }).last().click();
    await page.getByRole('button', { name: 'Cancel this message' }).first().click();
    await expect
      .poll(() => calls)
      .toEqual([
        ['editQueued', 1, 'two'],
        ['cancelQueued', 0, 'one'],
      ]);
    await page.close();
  });

  test('what waits stays when everything is stopped, and says when it follows', async () => {
    const story = startedStory();
    story.emit('lead', { type: 'prompt-queue', prompts: ['one', 'two'] });
    const { page, calls, client } = await open({ events: story.events, state: { isRunning: true } });
    const hint = page.getByText('What is queued follows your next message.');
    await page.locator('.chip').nth(1).waitFor();
    expect(await hint.count()).toBe(0);
    await page.fill(textBox, 'half a thought');
    await client.events('session-1', [story.emit('lead', { type: 'turn-end', turn: 1, status: 'stopped' })]);
    await client.state(readyState);
    await hint.waitFor();
    expect(await page.inputValue(textBox)).toBe('half a thought');
    await page.getByRole('button', { name: 'Edit this message' }).first().click();
    await expect.poll(() => calls).toEqual([['editQueued', 0, 'one']]);
    await page.close();
  });

  test('an agent alone: its task, its steps and what it was told, live', async () => {
    const story = backgroundStory();
    const { page, calls, client } = await open({ events: story.events, state: { isRunning: true }, agent: 'limits' });
    expect(await page.getByRole('heading').textContent()).toBe('limits');
    await page.getByText('Please: Find rate limiting.').waitFor();
    expect(await page.locator('.note').textContent()).toContain('The proxy has limits of its own');
    expect(await page.getByText('Three agents look at it').count()).toBe(0);
    expect(await page.locator('.composer').count()).toBe(0);
    await client.events('background', [story.emit('limits', { type: 'text-delta', step: 1, text: 'Nothing so far.' })]);
    await page.getByText('Nothing so far.').waitFor();
    await page.getByRole('button', { name: 'Stop limits' }).click();
    await expect.poll(() => calls).toEqual([['stop', 'limits']]);
    expect(await page.evaluate('window.savedState')).toEqual({ agent: 'limits', session: 'background' });
    await page.close();
  });
});

describe('first run', () => {
  test('ways in', async () => {
    const opened = await open({ state: { stage: 'choose' } });
    const { page, calls } = opened;
    await page.getByRole('button', { name: /Explore this folder now/ }).click();
    await page.getByRole('button', { name: /Add an Anthropic key/ }).click();
    expect(await page.locator(textBox).isDisabled()).toBe(true);
    await opened.show([], { stage: 'none' });
    await page.getByRole('button', { name: /Open a folder/ }).click();
    await opened.show([], { stage: 'ready', provider: 'demo', isTrusted: false });
    await page.getByRole('button', { name: 'Explore codebase' }).click();
    await page.getByRole('button', { name: 'Manage Trust' }).click();
    await page.getByText('Offline demo: no language model').waitFor();
    await expect
      .poll(() => calls.map((call) => call.join(' ')))
      .toEqual(['start demo', 'start key', 'start folder', 'explore', 'start trust']);
    await page.close();
  });

  test('words come from the host', async () => {
    const { page } = await open({ strings: { 'Explore codebase': '探索代码库' } });
    await page.getByRole('button', { name: '探索代码库' }).waitFor();
    await page.close();
  });
});

test('10,000 events: the newest are drawn first, the rest follows', async () => {
  const story = startedStory();
  for (let index = 0; story.events.length < 10_000; index += 1) {
    story.emit('lead', { type: 'step-start', step: index, model: 'm' });
    story.say('lead', index, [{ type: 'text', text: `Step ${index} reads src/a${index}.ts:3.` }]);
    story.call('lead', `c${index}`, 'Read', { path: 'x' }, `Read src/a${index}.ts`);
    story.result('lead', `c${index}`, 'Read', '3 lines');
  }
  const { page } = await open({ events: story.events, state: { isRunning: true } });
  expect(await page.locator('.call').last().textContent()).toContain('Read src/a2499.ts');
  await expect.poll(() => page.locator('.call').count(), { timeout: 20_000 }).toBe(2500);
  expect(await page.locator('.undrawn').count()).toBe(0);
  await page.close();
});

describe.each(['dark', 'light', 'high-contrast'] as const)('looks: %s', (theme) => {
  test('screenshots', async () => {
    const opened = await open({ theme, events: workingStory().events, state: { isRunning: true } });
    await opened.page.hover('[data-agent="limits"] .row');
    await opened.shot(`page-working-${theme}`);
    await opened.show(doneStory(true).events);
    await opened.shot(`page-review-${theme}`);
    await opened.show(doneStory(false).events, { isRunning: false });
    await opened.shot(`page-done-${theme}`);
    await opened.show(backgroundStory().events, { isRunning: true });
    await opened.page.getByRole('button', { name: 'Change instruction…' }).click();
    await opened.page.hover('[data-agent="limits"] .row');
    await opened.shot(`page-background-${theme}`);
    await opened.show([], { isRunning: false });
    await opened.show([], { stage: 'choose' });
    await opened.shot(`page-first-${theme}`);
    await opened.show([], { stage: 'ready', provider: 'demo', isTrusted: false });
    await opened.shot(`page-empty-${theme}`);
    expect(opened.problems).toEqual([]);
    await opened.page.close();
  });
});
