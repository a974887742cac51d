import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Agent } from '../../../src/agent/loop/agent.ts';
import { readInTurns } from '../../../src/agent/subagents/reports/readInTurns.ts';
import { ReportCache, type Work } from '../../../src/agent/subagents/reports/reportCache.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import { createDoor, type Door } from '../../support/door.ts';
import { commitAll, git } from '../../support/gitFolder.ts';
import type { Script, ScriptedRequest } from '../../support/scriptedModel.ts';
import { ofType, type StartedSession, type StartOptions, startSession } from '../../support/startSession.ts';

type Delegations = readonly (readonly [prompt: string, more?: Readonly<Record<string, unknown>>])[];

const isChild = ({ tools }: ScriptedRequest) => !tools.includes('Agent');
const explorer: Script = ({ step, prompt }) =>
  step === 0 ? say(call('Read', { file_path: 'a.txt' })) : say(text(`report of ${prompt}`));

/** A lead that delegates once a turn, as often as its prompt says, and answers with what came back. */
function leadOf(delegations: Delegations, child: Script): Script {
  return (request) => {
    if (isChild(request)) return child(request);
    if (request.step > 0) return say(text(request.lastResults.map((result) => result.text).join('\n')));
    return say(...delegations.map(([prompt, more]) => delegate(prompt, more)));
  };
}

async function start(script: Script, options: StartOptions = {}): Promise<StartedSession> {
  const files = { 'a.txt': 'a', 'b.txt': 'b', '.gitignore': 'ignored/\n', 'ignored/i.txt': 'i' };
  const started = await startSession({ script, files, ...options });
  commitAll(started.workspace);
  return started;
}

const childRequests = ({ model }: StartedSession) =>
  model.bodies().filter(({ tools }) => !tools?.some(({ name }) => name === 'Agent')).length;

/** Delegates the same again after `change`. */
async function again(started: StartedSession, change?: (workspace: string) => Promise<unknown> | unknown) {
  const first = await started.session.send('go');
  const requests = childRequests(started);
  await change?.(started.workspace);
  const second = await started.session.send('go');
  return { first: first.text, second: second.text, requests: childRequests(started) - requests };
}

describe('a second identical delegation', () => {
  it('costs no request on an unchanged tree, and says so', async () => {
    const started = await start(leadOf([['look', { thoroughness: 'quick' }]], explorer));
    const { second, requests } = await again(started);
    expect(requests).toBe(0);
    expect(second).toMatch(/^<report agent="do-a-part-2" id="[0-9a-f]{6}" status="cached">\nreport of look/);
    expect(second).toContain('[The report of do-a-part: nothing has changed since.]');
    expect(second).toContain('<receipt>0 calls · 0 files read · 0 changed · 0 tokens');
    const end = ofType(started.events, 'agent-end').findLast(({ agent }) => agent !== 'lead');
    expect(end).toMatchObject({
      status: 'cached',
      report: expect.stringContaining('report of look'),
      receipt: { calls: 0 },
    });
  });

  it('costs none in a folder without a repository either', async () => {
    const started = await startSession({ script: leadOf([['look']], explorer), files: { 'a.txt': 'a' } });
    expect(await again(started)).toMatchObject({ requests: 0, second: expect.stringContaining('status="cached"') });
    expect(await again(started, (folder) => writeFile(join(folder, 'new.txt'), ''))).toMatchObject({ requests: 2 });
  });

  it('is not changed by its name, and can be resumed', async () => {
    const script: Script = (request) => {
      if (isChild(request)) return request.prompt === 'more' ? say(text('more of it')) : explorer(request);
      if (request.step > 0) return say(text(request.lastResults[0]?.text ?? ''));
      const resumed = /resume (\w+)/.exec(request.prompt)?.[1];
      if (resumed !== undefined) return say(delegate('more', { resume: resumed }));
      return say(delegate('look', { name: request.prompt }));
    };
    const started = await start(script);
    await started.session.send('first');
    const { text: cached } = await started.session.send('second');
    expect(cached).toContain('agent="second"');
    const id = /id="(\w+)" status="cached"/.exec(cached)?.[1];
    expect((await started.session.send(`resume ${id}`)).text).toContain('more of it');
    expect(JSON.stringify(started.model.bodies().at(-2)?.messages)).toContain('report of look');
  });

  const changes: readonly (readonly [string, (folder: string) => Promise<unknown> | unknown])[] = [
    ['a tracked file', (folder) => appendFile(join(folder, 'b.txt'), 'x')],
    ['an untracked file', (folder) => writeFile(join(folder, 'new.txt'), '')],
    ['a removed file', (folder) => rm(join(folder, 'b.txt'))],
    ['the index', (folder) => git(folder, 'rm', '-q', '--cached', 'b.txt')],
    ['a commit', (folder) => git(folder, 'commit', '-q', '--allow-empty', '-m', 'next')],
    ['a branch', (folder) => git(folder, 'checkout', '-q', '-b', 'other')],
  ];
  it.each(changes)('is done anew after a change of %s', async (_, change) => {
    const started = await start(leadOf([['look']], explorer));
    expect(await again(started, change)).toMatchObject({
      requests: 2,
      second: expect.stringContaining('status="completed"'),
    });
  });

  it('is done anew when a file that git ignores was read and is another', async () => {
    const reader: Script = ({ step }) =>
      step === 0 ? say(call('Read', { file_path: 'ignored/i.txt' })) : say(text('ignored'));
    const started = await start(leadOf([['look']], reader));
    expect(await again(started)).toMatchObject({ requests: 0 });
    const changed = await again(started, (folder) => writeFile(join(folder, 'ignored/i.txt'), 'other'));
    expect(changed).toMatchObject({ requests: 2 });
  });

  it('is done anew when the tree changed while the first one looked', async () => {
    let workspace = '';
    const slow: Script = async ({ step }) => {
      if (step === 0) return say(call('Glob', { pattern: '*' }));
      await appendFile(join(workspace, 'b.txt'), 'x');
      return say(text('mixed'));
    };
    const started = await start(leadOf([['look']], slow));
    workspace = started.workspace;
    const { requests } = await again(started);
    expect(requests).toBe(2);
  });

  const differences: readonly (readonly [string, Delegations, Delegations])[] = [
    ['prompt', [['look']], [['look there']]],
    ['model', [['look']], [['look', { model: 'claude-sonnet-5-5' }]]],
    ['thoroughness', [['look', { thoroughness: 'quick' }]], [['look', { thoroughness: 'medium' }]]],
    ['type', [['look']], [['look', { subagent_type: 'Plan' }]]],
    ['context', [['look']], [['look', { context: 'fork' }]]],
    ['budget', [['look']], [['look', { max_turns: 7 }]]],
  ];
  it.each(differences)('is done anew with another %s', async (_, one, other) => {
    const script: Script = (request) => leadOf(request.prompt === 'one' ? one : other, explorer)(request);
    const started = await start(script);
    await started.session.send('one');
    const requests = childRequests(started);
    await started.session.send('other');
    expect(childRequests(started)).toBeGreaterThan(requests);
  });

  it('is done anew for agents that can do more than look', async () => {
    for (const subagent_type of ['general-purpose', 'code-reviewer']) {
      const started = await start(leadOf([['look', { subagent_type }]], explorer));
      expect(await again(started)).toMatchObject({ requests: 2 });
    }
  });

  it('is done anew when the first asked the web', async () => {
    const child: Script = ({ step }) =>
      step === 0 ? say(call('WebFetch', { url: 'http://127.0.0.1/' })) : say(text('report'));
    const started = await start(leadOf([['look']], child));
    expect((await again(started)).requests).toBe(2);
  });

  it('is done anew after one that did not complete', async () => {
    const limited = await start(
      leadOf([['look', { max_turns: 1 }]], ({ body }) =>
        body.tool_choice?.type === 'none' ? say(text('so far')) : say(call('Glob', { pattern: '*' })),
      ),
    );
    expect((await again(limited)).requests).toBeGreaterThan(0);
    let tries = 0;
    const failing = await start(
      leadOf([['look']], () => {
        tries += 1;
        const fault = { type: 'status', status: 400, errorType: 'invalid_request_error', message: 'no' } as const;
        return tries === 1 ? { ...say(text('')), fault } : say(text('well'));
      }),
    );
    const { first, second } = await again(failing);
    expect(first).toContain('status="failed"');
    expect(second).toContain('status="completed"');
  });

  it('is done anew when the first was told more than its task', async () => {
    const slow: Script = async ({ step, prompt }) => {
      if (step === 0) await sleep(200);
      return step === 0 ? say(call('Glob', { pattern: '*' })) : say(text(`heard ${prompt}`));
    };
    const started = await start(leadOf([['look']], slow));
    const stop = started.session.subscribe((event) => {
      if (event.type !== 'step-start' || event.agent === 'lead') return;
      started.session.tell(event.agent, 'and there');
      stop();
    });
    expect((await again(started)).requests).toBeGreaterThan(0);
  });

  it('is done anew when the user retries it', async () => {
    const started = await start(leadOf([['look']], explorer));
    await started.session.send('go');
    const requests = childRequests(started);
    const child = ofType(started.events, 'agent-end').find(({ agent }) => agent !== 'lead');
    await started.session.retry(child?.agent ?? '');
    await started.session.settled();
    expect(childRequests(started)).toBeGreaterThan(requests);
  });
});

describe('an identical delegation that still runs', () => {
  /** Its report waits at the door. */
  function slowExplorer(): Door & { readonly slow: Script } {
    const door = createDoor();
    const slow: Script = async (request) => {
      if (request.step === 1) await door.wait;
      return explorer(request);
    };
    return { ...door, slow };
  }

  /** One waits for the report of the other. */
  const whenJoined = ({ session }: StartedSession, act: () => void) =>
    session.subscribe((event) => {
      const isJoining = event.type === 'agent-status' && event.activity === 'waiting_agents';
      if (isJoining && event.agent !== 'lead') setImmediate(act);
    });

  it('is joined: both get the report, it is made once', async () => {
    const { slow, open } = slowExplorer();
    const started = await start(leadOf([['look'], ['look'], ['other']], slow));
    whenJoined(started, open);
    const { text: answer } = await started.session.send('go');
    expect(answer.match(/status="completed">\nreport of look/g)).toHaveLength(2);
    expect(answer).toContain('report of other');
    expect(answer).toContain('[The report of do-a-part, which had the same task.]');
    expect(childRequests(started)).toBe(4);
  });

  it('is not joined when the tree has changed since it began', async () => {
    const { slow, open } = slowExplorer();
    let reporting = 0;
    const script: Script = async (request) => {
      if (isChild(request)) {
        if (request.step === 1) reporting += 1;
        if (reporting === 2) open();
        return slow(request);
      }
      if (request.step > 1) return say(text(request.lastResults[0]?.text ?? ''));
      if (request.step === 1) {
        while (ofType(started.events, 'tool-end').every(({ tool }) => tool !== 'Read')) await sleep(10);
        await appendFile(join(started.workspace, 'b.txt'), 'x');
      }
      return say(delegate('look', { run_in_background: request.step === 0 }));
    };
    const started = await start(script);
    await started.session.send('go');
    await started.session.settled();
    expect(childRequests(started)).toBe(4);
  });

  it.each([0, 1])('goes on when one of two is stopped: number %i', async (number) => {
    const { slow, open } = slowExplorer();
    const started = await start(leadOf([['look'], ['look']], slow));
    const ids: string[] = [];
    started.session.subscribe((event) => {
      if (event.type === 'agent-start' && event.agent !== 'lead') ids.push(event.agent);
    });
    whenJoined(started, () => {
      started.session.stop(ids[number]);
      open();
    });
    const { text: answer } = await started.session.send('go');
    const statuses = [...answer.matchAll(/id="(\w+)" status="(\w+)"/g)].map(([, id, status]) => [id, status] as const);
    // Results stand in the order of their calls, and either may have started first.
    expect(new Map(statuses)).toEqual(
      new Map([
        [ids[0], number === 0 ? 'stopped' : 'completed'],
        [ids[1], number === 1 ? 'stopped' : 'completed'],
      ]),
    );
    expect(answer).toContain('status="completed">\nreport of look');
    expect(childRequests(started)).toBe(2);
  });

  it('ends when all are stopped, and is not joined after that', async () => {
    const { slow, open } = slowExplorer();
    const started = await start(leadOf([['look'], ['look']], slow));
    started.session.subscribe((event) => {
      if (event.type === 'step-start' && event.agent !== 'lead' && event.step === 2) {
        setTimeout(() => started.session.stop(), 50);
      }
    });
    expect((await started.session.send('go')).status).toBe('stopped');
    const ends = ofType(started.events, 'agent-end').filter(({ agent }) => agent !== 'lead');
    expect(ends.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
    const requests = childRequests(started);
    open();
    await sleep(200);
    expect(childRequests(started)).toBe(requests);
  });
});

describe('a report whose workspace was looked at too late', () => {
  it('is not kept', async () => {
    const agent = new Agent({
      identity: { id: 'a', name: 'a', parent: 'lead', depth: 1, type: 'Explore' },
      model: { id: 'm', contextWindow: 1000, maxOutputTokens: 100, efforts: [], learnLimits: async () => undefined },
      system: '',
      tools: [],
      maxSteps: 1,
      history: [],
      parent: undefined,
      emit: () => undefined,
    });
    const state = async () => {
      await sleep(20);
      return 'state';
    };
    const cache = new ReportCache({ state, versionOf: async () => 'version' });
    const { signal } = new AbortController();
    let runs = 0;
    const hasty: Work = async () => {
      runs += 1;
      agent.tally.countCall();
      return { status: 'completed', text: 'hasty' };
    };
    for (let round = 0; round < 2; round++) await cache.endOf('key', agent, hasty, signal);
    expect(runs).toBe(2);
  });
});

describe('a shared reading', () => {
  it('is never one that began before it was asked for', async () => {
    let value = 0;
    let readings = 0;
    const read = readInTurns(async () => {
      readings += 1;
      const seen = value;
      await sleep(20);
      return seen;
    });
    const first = read();
    value = 1;
    const others = [read(), read(), read()];
    expect(await first).toBe(0);
    expect(await Promise.all(others)).toEqual([1, 1, 1]);
    expect(readings).toBe(2);
    expect(await read()).toBe(1);
  });

  it('fails for those who share it, and is taken anew', async () => {
    let isBroken = true;
    const read = readInTurns(async () => {
      if (isBroken) throw new Error('broken');
      return 'well';
    });
    await expect(read()).rejects.toThrow('broken');
    isBroken = false;
    expect(await read()).toBe('well');
  });
});
