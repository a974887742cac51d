import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  builtInTools,
  createRuleBook,
  definitionFolders,
  loadDefinitions,
  noDefinitions,
  type PermissionAnswer,
} from '../../../../src/agent/index.ts';
import { settingsSchema } from '../../../../src/agent/settings.ts';
import { delegate, say, text } from '../../../support/answers.ts';
import type { Script } from '../../../support/scriptedModel.ts';
import { ofType, type StartedSession, type StartOptions, startSession } from '../../../support/startSession.ts';
import { bash, on } from './hooked.ts';

const answers: Script = () => say(text('done'));
const repository = (command: string, file = '.claude/settings.json') => ({
  [file]: JSON.stringify({ hooks: on('UserPromptSubmit', command) }),
});

/** A user who answers questions about hooks one after another, and allows everything else. */
function answering(...given: readonly Partial<PermissionAnswer>[]): NonNullable<StartOptions['prompts']> {
  let next = 0;
  return {
    permission: async ({ tool }) => {
      if (tool !== 'Hooks') return { decision: 'allow', scope: 'once', by: 'user' };
      const answer = given[Math.min(next++, given.length - 1)];
      return { decision: 'allow', scope: 'always', by: 'user', ...answer };
    },
  };
}
const deny: Partial<PermissionAnswer> = { decision: 'deny', scope: 'once' };

const ran = ({ workspace }: StartedSession) =>
  access(join(workspace, 'ran')).then(
    () => true,
    () => false,
  );
const asksOf = ({ events }: StartedSession) => ofType(events, 'permission-ask').filter(({ tool }) => tool === 'Hooks');

describe('hooks of a repository', () => {
  it.each(['.claude/settings.json', '.claude/settings.local.json', '.offshoot/settings.json'])(
    'in %s are run once the user has approved them, whole and revealed',
    async (file) => {
      const command = 'touch ran #\u200b\u202e';
      const started = await startSession({ script: answers, files: repository(command, file), prompts: answering({}) });
      await started.session.send('go');
      expect(await ran(started)).toBe(true);
      expect(asksOf(started)).toMatchObject([
        {
          title: 'Run the hooks of this repository',
          detail: expect.stringContaining('UserPromptSubmit: touch ran #\\u{200b}\\u{202e}'),
        },
      ]);
      expect(ofType(started.events, 'hook-run')).toMatchObject([{ origin: 'repository', outcome: 'ok' }]);
    },
  );

  it('are not read where the workspace is not trusted', async () => {
    const options = { script: answers, files: repository('touch ran'), prompts: answering({}), isTrusted: false };
    const started = await startSession(options);
    await started.session.send('go');
    expect([await ran(started), asksOf(started)]).toEqual([false, []]);
  });

  it('are not run when the user declines, and that is asked and told once', async () => {
    const started = await startSession({ script: answers, files: repository('touch ran'), prompts: answering(deny) });
    await started.session.send('one');
    await started.session.send('two');
    expect(await ran(started)).toBe(false);
    expect(asksOf(started)).toHaveLength(1);
    expect(ofType(started.events, 'notice').map((notice) => notice.text)).toEqual([
      expect.stringContaining('The hooks of this repository are not run'),
    ]);
  });

  it('are asked about again when nobody has answered', async () => {
    const options = {
      script: answers,
      files: repository('touch ran'),
      prompts: answering({ ...deny, by: 'dismissed' }),
    };
    const started = await startSession(options);
    await started.session.send('one');
    await started.session.send('two');
    expect([await ran(started), asksOf(started).length]).toEqual([false, 2]);
  });

  it('S25: stay approved over a restart, and are asked about again when anything in them changes', async () => {
    const started = await startSession({
      script: answers,
      files: repository('touch ran'),
      prompts: answering({}, deny),
    });
    await started.session.send('one');
    await started.session.close();
    const again = await started.reopen();
    await again.send('two');
    expect(asksOf(started)).toHaveLength(1);
    await writeFile(
      join(started.workspace, '.claude/settings.json'),
      repository('touch swapped')['.claude/settings.json'] ?? '',
    );
    await again.send('three');
    expect(asksOf(started)).toMatchObject([{}, { detail: expect.stringContaining('touch swapped') }]);
    await expect(access(join(started.workspace, 'swapped'))).rejects.toThrow('ENOENT');
    const kept = await readFile(join(started.state, 'hooks.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({
      approved: [
        {
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          file: join(started.workspace, '.claude/settings.json'),
          text: 'UserPromptSubmit: touch ran',
        },
      ],
    });
  });

  it('are listed once they are approved for good, and asked about again when that is taken back', async () => {
    const started = await startSession({ script: answers, files: repository('touch ran'), prompts: answering({}) });
    await started.session.send('one');
    const { hooks } = createRuleBook({
      workspace: { roots: [started.workspace], isTrusted: true },
      settings: () => settingsSchema.parse({}),
      mode: 'default',
      stateDirectory: started.state,
      tell: () => undefined,
    });
    const [approved] = await hooks.list();
    expect(approved).toMatchObject({ text: 'UserPromptSubmit: touch ran' });
    await hooks.remove(approved?.hash ?? '');
    expect(await hooks.list()).toEqual([]);
    await started.session.send('two');
    expect(asksOf(started)).toHaveLength(2);
  });

  it('approved for the session stand with its other answers, and are asked about again when that is taken back', async () => {
    const started = await startSession({
      script: answers,
      files: repository('touch ran'),
      prompts: answering({ scope: 'session' }),
    });
    await started.session.send('one');
    await started.session.send('two');
    expect(asksOf(started)).toHaveLength(1);
    const kept = started.broker.answers.list(started.session.id);
    expect(kept).toMatchObject([{ tool: 'Hooks', detail: expect.stringContaining('touch ran') }]);
    for (const answer of kept) started.broker.answers.remove(started.session.id, answer);
    await started.session.send('three');
    expect(asksOf(started)).toHaveLength(2);
  });

  it('that were approved for one folder are asked about in another', async () => {
    const started = await startSession({ script: answers, files: repository('touch ran'), prompts: answering({}) });
    await started.session.send('go');
    const kept = await readFile(join(started.state, 'hooks.json'), 'utf8');
    const other = await startSession({ script: answers, files: repository('touch ran'), prompts: answering(deny) });
    await mkdir(other.state, { recursive: true });
    await writeFile(join(other.state, 'hooks.json'), kept);
    await other.session.send('go');
    expect([await ran(other), asksOf(other).length]).toEqual([false, 1]);
  });

  it('cannot undo what the user’s own say', async () => {
    const files = { '.claude/settings.json': JSON.stringify({ hooks: on('UserPromptSubmit', 'exit 0') }) };
    const settings = { hooks: on('UserPromptSubmit', 'echo "no" >&2; exit 2') };
    const started = await startSession({ script: answers, files, settings, prompts: answering({}) });
    expect((await started.session.send('go')).status).toBe('failed');
  });
});

const agentFile = (hooks: string) => `---
name: careful
description: does things with care
hooks:
${hooks}
---
You work.
`;
const guard = agentFile(`  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: 'echo "careful" >&2; exit 2'
  Stop:
    - hooks: [{ type: command, command: 'touch ended' }]`);

async function startCareful(prompts: StartOptions['prompts'], file = guard): Promise<StartedSession> {
  const script: Script = (request) => {
    if (request.firstText === 'child')
      return say(request.step === 0 ? bash('touch out') : text(request.lastResults[0]?.text ?? ''));
    return say(
      request.step === 0 ? delegate('child', { subagent_type: 'careful' }) : text(request.lastResults[0]?.text ?? ''),
    );
  };
  const files = { '.claude/agents/careful.md': file };
  let found = noDefinitions;
  const started = await startSession({
    script,
    files,
    settings: { 'agents.maxDepth': 2 },
    ...(prompts && { prompts }),
    definitions: () => found.definitions,
    definitionProblems: () => found.problems,
  });
  const workspace = { roots: [started.workspace], isTrusted: true };
  const folders = definitionFolders({ workspace, home: started.state });
  found = await loadDefinitions(folders, builtInTools, new AbortController().signal);
  return started;
}

describe('hooks of an agent file', () => {
  it('hold for that agent once they are approved; Stop is the end of that agent', async () => {
    const started = await startCareful(answering({}));
    expect((await started.session.send('go')).text).toContain('careful');
    await expect(access(join(started.workspace, 'out'))).rejects.toThrow('ENOENT');
    await access(join(started.workspace, 'ended'));
    expect(asksOf(started)).toMatchObject([
      {
        title: 'Run the hooks of an agent file',
        detail: expect.stringMatching(/PreToolUse Bash: .*\nSubagentStop: touch ended/),
      },
    ]);
    expect(
      ofType(started.events, 'hook-run').map(({ event, origin, agent }) => [event, origin, agent === 'lead']),
    ).toEqual([
      ['PreToolUse', 'agent', false],
      ['SubagentStop', 'agent', false],
    ]);
  });

  it('hold for agents below it too', async () => {
    const started = await startCareful(answering({}));
    const below = delegate('below', { subagent_type: 'general-purpose' });
    started.model.script(({ firstText, step, lastResults }) => {
      if (step > 0) return say(text(lastResults[0]?.text ?? ''));
      if (firstText === 'below') return say(bash('touch out'));
      return say(firstText === 'child' ? below : delegate('child', { subagent_type: 'careful' }));
    });
    expect((await started.session.send('go')).text).toContain('blocks this call');
    await expect(access(join(started.workspace, 'out'))).rejects.toThrow('ENOENT');
  });

  it('keep it from running when the user declines', async () => {
    const started = await startCareful(answering(deny));
    expect((await started.session.send('go')).text).toContain('not run without them');
    expect(ofType(started.events, 'agent-start').map(({ name }) => name)).toEqual(['lead']);
  });

  it('are asked about once for several of its kind', async () => {
    const started = await startCareful(answering({ scope: 'session' }));
    const child = delegate('child', { subagent_type: 'careful' });
    started.model.script((request) => {
      if (request.firstText === 'child') return say(text('report'));
      return request.step === 0 ? say(child, child) : say(text('done'));
    });
    await started.session.send('go');
    expect(asksOf(started)).toHaveLength(1);
    expect(ofType(started.events, 'agent-start')).toHaveLength(3);
  });

  it.each([
    ['  PreToolUse: ./check.sh', 'cannot be run'],
    ['  PreTool: []', 'no hook event PreTool'],
    ['  PreToolUse: [{ hooks: [{ type: prompt, prompt: fine? }] }]', 'cannot be run'],
  ])('that cannot be read make the file unusable: %s', async (hooks, words) => {
    const started = await startCareful(answering({}), agentFile(hooks));
    expect((await started.session.send('go')).text).toContain('no agent type careful');
    expect(ofType(started.events, 'notice')[0]?.text).toContain(words);
  });
});
