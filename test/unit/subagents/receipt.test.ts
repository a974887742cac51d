import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Git } from '../../../src/agent/host.ts';
import { Agent } from '../../../src/agent/loop/agent.ts';
import type { EventBody } from '../../../src/agent/loop/events.ts';
import { createNodeGit } from '../../../src/agent/node/git.ts';
import { createChangeWatch } from '../../../src/agent/session/crew/changeWatch.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import { commitAll, git, temporaryFolder } from '../../support/gitFolder.ts';
import type { AnswerBlock, Script } from '../../support/scriptedModel.ts';
import { ofType, type StartedSession, type StartOptions, startSession } from '../../support/startSession.ts';
import { untilThere } from '../../support/untilThere.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const settings = { 'permissions.mode': 'acceptEdits' };
const bash = (command: string) => call('Bash', { command });

/** A lead that gives one task for each list of steps; each child makes its steps and ends. */
function team(...plans: readonly (readonly AnswerBlock[])[]): Script {
  return ({ tools, step, prompt, lastResults }) => {
    if (tools.includes('Agent')) {
      const tasks = plans.map((_, index) => delegate(`task ${index}`, { subagent_type: 'general-purpose' }));
      return step === 0 ? say(...tasks) : say(text(lastResults.map((result) => result.text).join('\n')));
    }
    const block = plans[Number(prompt.slice(5))]?.[step];
    return say(block ?? text(`end of ${prompt}`));
  };
}

async function repository(script: Script, options: StartOptions = {}): Promise<StartedSession> {
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': 'out/\n' };
  const started = await startSession({ script, files, settings, ...options });
  commitAll(started.workspace);
  return started;
}

/** What the receipts of the children say was changed, relative to the workspace, in the order of the tasks. */
function changesOf({ events, workspace }: StartedSession): readonly (readonly string[])[] {
  const starts = ofType(events, 'agent-start').filter(({ agent }) => agent !== 'lead');
  return starts
    .toSorted((left, right) => left.prompt.localeCompare(right.prompt))
    .map(({ agent }) => {
      const end = ofType(events, 'agent-end').find((event) => event.agent === agent);
      return (end?.receipt.filesChanged ?? []).map((path) => path.slice(workspace.length + 1)).sort();
    });
}

describe('the files of a receipt', () => {
  it('are those of edits and of commands, each once', async () => {
    const started = await repository(
      team([
        call('Write', { file_path: 'written.txt', content: 'w' }),
        bash('echo more >> a.txt; echo new > new.txt; echo x > b.txt; mkdir -p out; echo i > out/ignored.txt'),
        bash('cat a.txt; echo again >> written.txt; git add -A; git commit -q -m all; rm c.txt'),
      ]),
    );
    const { text: answer } = await started.session.send('go');
    expect(changesOf(started)).toEqual([['a.txt', 'b.txt', 'c.txt', 'new.txt', 'written.txt']]);
    expect(answer).toContain('5 changed');
  });

  it('are none for commands that change none, and for what was dirty before', async () => {
    const started = await repository(team([bash('git status; cat a.txt > /dev/null'), bash('git add -A')]));
    await appendFile(join(started.workspace, 'a.txt'), 'by the user');
    await started.session.send('go');
    expect(changesOf(started)).toEqual([[]]);
  });

  it('are not those that the user changed between two commands', async () => {
    const { workspace, ...started } = await repository(async (request) => {
      if (request.step === 1 && !request.tools.includes('Agent')) {
        await appendFile(join(workspace, 'c.txt'), 'by the user');
      }
      return team([bash('echo x >> a.txt'), bash('echo x >> b.txt')])(request);
    });
    await started.session.send('go');
    expect(changesOf({ ...started, workspace })).toEqual([['a.txt', 'b.txt']]);
  });

  it('are those of a command that failed, with its exit code', async () => {
    const started = await repository(team([bash('echo x >> a.txt; exit 7')]));
    await started.session.send('go');
    expect(changesOf(started)).toEqual([['a.txt']]);
    const end = ofType(started.events, 'agent-end').find(({ agent }) => agent !== 'lead');
    expect(end?.receipt.commands).toEqual([{ command: 'echo x >> a.txt; exit 7', exitCode: 7 }]);
  });

  it('are those of a command that was stopped', async () => {
    const started = await repository(
      team([bash('echo x >> a.txt; mkdir -p out; touch out/began; sleep 20; echo x >> b.txt')]),
    );
    started.session.subscribe((event) => {
      if (event.type !== 'tool-start' || event.tool !== 'Bash') return;
      void untilThere(join(started.workspace, 'out/began')).then(() => started.session.stop(event.agent));
    });
    await started.session.send('go');
    expect(changesOf(started)).toEqual([['a.txt']]);
  });

  it('are counted for the agent whose command it was, also beside others', async () => {
    const started = await repository(
      team([bash('echo x >> a.txt; sleep 0.6')], [bash('sleep 0.3; sleep 0.6; echo x >> b.txt')]),
    );
    await started.session.send('go');
    const [first, second] = changesOf(started);
    expect(first).toContain('a.txt');
    expect(second).toContain('b.txt');
  });

  it('are not those that another agent edits while a command runs', async () => {
    const wait = 'mkdir -p out; touch out/began; while ! test -e out/go; do sleep 0.05; done; echo x >> a.txt';
    const plan = team([bash(wait)], [call('Write', { file_path: 'other.txt', content: 'o' })]);
    const { workspace, ...rest } = await repository(async (request) => {
      if (request.prompt === 'task 1' && request.step === 0) {
        await untilThere(join(workspace, 'out/began'));
      }
      if (request.prompt === 'task 1' && request.step === 1) await writeFile(join(workspace, 'out/go'), '');
      return plan(request);
    });
    const started = { ...rest, workspace };
    await started.session.send('go');
    expect(changesOf(started)).toEqual([['a.txt'], ['other.txt']]);
  });

  it('are those of edits only where there is no repository', async () => {
    const started = await startSession({
      script: team([bash('echo x > made.txt'), call('Write', { file_path: 'w.txt', content: 'w' })]),
      settings,
    });
    await started.session.send('go');
    expect(changesOf(started)).toEqual([['w.txt']]);
  });

  it('are not those of a command that was denied', async () => {
    const started = await repository(team([bash('echo x >> a.txt')]), {
      prompts: { permission: async () => ({ decision: 'deny', scope: 'once', by: 'user' }) },
    });
    await started.session.send('go');
    expect(changesOf(started)).toEqual([[]]);
    const end = ofType(started.events, 'agent-end').find(({ agent }) => agent !== 'lead');
    expect(end?.receipt.commands).toEqual([]);
  });

  it('hold for the lead as well', async () => {
    const started = await repository(({ step }) => (step === 0 ? say(bash('echo x >> a.txt')) : say(text('done'))));
    await started.session.send('go');
    const [end] = ofType(started.events, 'agent-end');
    expect(end?.receipt.filesChanged).toEqual([join(started.workspace, 'a.txt')]);
  });
});

describe('the watch over commands', () => {
  const real = createNodeGit();

  function agentNamed(name: string, emit: (body: EventBody) => unknown = () => undefined): Agent {
    return new Agent({
      identity: { id: name, name, parent: null, depth: 0, type: 'lead' },
      model: { id: 'm', contextWindow: 1000, maxOutputTokens: 100, efforts: [], learnLimits: async () => undefined },
      system: '',
      tools: [],
      maxSteps: 1,
      history: [],
      parent: undefined,
      emit: (body) => void emit(body),
    });
  }

  const changedBy = (agent: Agent) => agent.receipt(0).filesChanged;

  async function folderWith(files: Readonly<Record<string, string>>) {
    const folder = await temporaryFolder();
    await writeFiles(folder, files);
    commitAll(folder);
    return folder;
  }

  it('never makes a command fail', async () => {
    const broken: Git = { state: () => Promise.reject(new Error('broken')), changedBetween: async () => [] };
    const watch = createChangeWatch(broken, [await temporaryFolder()]);
    const agent = agentNamed('a');
    expect(await watch.observe(agent, async () => 'ran')).toBe('ran');
    await expect(watch.observe(agent, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(changedBy(agent)).toEqual([]);
  });

  it('says nothing of a time that it has not seen the beginning of', async () => {
    const folder = await folderWith({ 'a.txt': 'a' });
    let failures = 1;
    const flaky: Git = {
      ...real,
      state: (root, signal) => (failures-- > 0 ? Promise.reject(new Error('once')) : real.state(root, signal)),
    };
    const watch = createChangeWatch(flaky, [folder]);
    const agent = agentNamed('a');
    await watch.observe(agent, () => appendFile(join(folder, 'a.txt'), 'x'));
    expect(changedBy(agent)).toEqual([]);
    await watch.observe(agent, () => appendFile(join(folder, 'a.txt'), 'y'));
    expect(changedBy(agent)).toEqual([join(folder, 'a.txt')]);
  });

  it('tells two commands apart that overlap', async () => {
    const folder = await folderWith({ 'a.txt': 'a' });
    const watch = createChangeWatch(real, [folder]);
    const [first, second] = [agentNamed('first'), agentNamed('second')];
    let end = () => {};
    const secondEnds = new Promise<void>((resolve) => {
      end = resolve;
    });
    const long = watch.observe(second, async () => {
      await secondEnds;
      await writeFile(join(folder, 'late.txt'), '');
    });
    await watch.observe(first, () => writeFile(join(folder, 'both.txt'), ''));
    end();
    await long;
    expect(changedBy(first)).toEqual([join(folder, 'both.txt')]);
    // Of what happened while both ran nobody can tell whose it was.
    expect(changedBy(second)).toEqual([join(folder, 'both.txt'), join(folder, 'late.txt')]);
  });

  it('looks at each repository once, in whichever folder of the workspace it is', async () => {
    const [one, two] = [await folderWith({ 'src/a.txt': 'a' }), await folderWith({ 'b.txt': 'b' })];
    let states = 0;
    const counting: Git = {
      ...real,
      state: (root, signal) => {
        states += 1;
        return real.state(root, signal);
      },
    };
    const watch = createChangeWatch(counting, [one, join(one, 'src'), two]);
    const agent = agentNamed('a');
    await watch.observe(agent, async () => {
      await writeFiles(one, { 'src/a.txt': 'x' });
      await rm(join(two, 'b.txt'));
    });
    expect(states).toBe(4);
    expect(changedBy(agent)).toEqual([join(one, 'src/a.txt'), join(two, 'b.txt')]);
  });

  it('sees what a command that makes a repository leaves for the next', async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { 'a.txt': 'a' });
    const watch = createChangeWatch(real, [folder]);
    const agent = agentNamed('a');
    await watch.observe(agent, async () => void git(folder, 'init', '-q'));
    expect(changedBy(agent)).toEqual([]);
    await watch.observe(agent, () => writeFile(join(folder, 'a.txt'), 'b'));
    expect(changedBy(agent)).toEqual([join(folder, 'a.txt')]);
  });

  it('gives up a repository that takes long, and says so once', async () => {
    const folder = await folderWith({ 'a.txt': 'a' });
    let states = 0;
    const slow: Git = {
      ...real,
      state: async (root, signal) => {
        states += 1;
        await sleep(1600);
        return real.state(root, signal);
      },
    };
    const notices: string[] = [];
    const agent = agentNamed('a', (body) => body.type === 'notice' && notices.push(body.text));
    const watch = createChangeWatch(slow, [folder]);
    for (let round = 0; round < 3; round++) await watch.observe(agent, () => appendFile(join(folder, 'a.txt'), 'x'));
    expect(states).toBe(2);
    expect(notices).toEqual([expect.stringContaining('git takes long here')]);
  });
});
