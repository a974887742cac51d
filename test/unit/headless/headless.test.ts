import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { type Script, type ScriptedModel, startScriptedModel } from '../../support/scriptedModel.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const source = join(import.meta.dirname, '../../../src/headless.ts');

const script: Script = (request) => {
  const { prompt, step, lastResults } = request;
  if (prompt === 'delegate') {
    if (!request.tools.includes('Agent')) return say(text('child'));
    return step === 0 ? say(delegate('child task')) : say(text('done'));
  }
  if (prompt === 'background') {
    return step === 0 ? say(delegate('late child', { run_in_background: true })) : say(text('free'));
  }
  if (prompt === 'late child') return { blocks: [text('late')], delayMs: 500 };
  if (prompt.startsWith('A background agent has ended')) return say(text('woken'));
  // The prompt stands behind the result of the call that was killed.
  const last = JSON.stringify(request.body.messages.at(-1));
  const [, resumed] = /resume ([0-9a-f]{6})/.exec(last) ?? [];
  if (resumed !== undefined) return say(delegate('go on', { resume: resumed }));
  if (prompt === 'killed') {
    return step === 0 ? say(delegate('much to do')) : say(text(lastResults.at(-1)?.text ?? ''));
  }
  if (last.includes('"go on"')) return say(text(`${request.firstText}, then: go on`));
  if (prompt === 'much to do') {
    if (step === 0) return say(call('Glob', { pattern: '*' }));
    return { blocks: [text('x'.repeat(5000))], chunkMs: 50 };
  }
  if (prompt === 'fail')
    return { blocks: [], fault: { type: 'status', status: 401, errorType: 'authentication_error' } };
  if (prompt === 'loop')
    return request.body.tool_choice?.type === 'none' ? say(text('enough')) : say(call('Glob', { pattern: '*' }));
  if (prompt === 'slow') return { blocks: [text('x'.repeat(2000))], chunkMs: 100 };
  if (prompt === 'bash')
    return step === 0 ? say(call('Bash', { command: 'touch out' })) : say(text(lastResults[0]?.text ?? ''));
  if (prompt === 'widen') {
    if (step > 0) return say(text(lastResults.map(({ isError }) => isError).join(' ')));
    return say(
      call('Write', { file_path: 'my.json', content: '{"permissions.mode":"bypassPermissions"}' }),
      call('Write', { file_path: 'my-agents/two.md', content: 'x' }),
      call('Bash', { command: 'echo x > my.json' }),
      call('Bash', { command: 'rm -r my-agents' }),
    );
  }
  return say(text(`re: ${prompt}`));
};

type Line = Readonly<Record<string, unknown>>;
type Outcome = {
  readonly code: number | null;
  readonly lines: readonly Line[];
  readonly stderr: string;
  readonly result: Line;
};

let model: ScriptedModel;
let root: string;
let workspace: string;
let program: string;
let bundled: Metafile;

beforeAll(async () => {
  model = await startScriptedModel({ script });
  root = await mkdtemp(join(tmpdir(), 'offshoot-'));
  ({ program, bundled } = await bundle(join(root, 'bundle')));
  workspace = join(root, 'workspace');
  await writeFiles(workspace, { 'a.txt': 'x' });
});
afterAll(async () => {
  await model.close();
  await rm(root, { recursive: true, force: true });
});

async function bundle(outdir: string): Promise<{ program: string; bundled: Metafile }> {
  const { metafile } = await build({
    entryPoints: [source],
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    outdir,
    outExtension: { '.js': '.mjs' },
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
  return { program: join(outdir, 'headless.mjs'), bundled: metafile };
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = { ANTHROPIC_API_KEY: 'test-key' }) {
  const { ANTHROPIC_API_KEY: _, ...inherited } = process.env;
  return spawn(process.execPath, [program, ...args], { env: { ...inherited, ...env } });
}

async function finish(child: ReturnType<typeof start>): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  return { code, lines, stderr, result: lines.at(-1) ?? {} };
}

async function printed(child: ReturnType<typeof start>): Promise<string> {
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  return stdout;
}

const runArguments = (prompt: string, ...more: readonly string[]) => [
  ...['run', '--workspace', workspace, '--prompt', prompt, '--model-url', model.url, '--model', 'claude-sonnet-5-5'],
  ...['--state', join(root, 'state'), ...more],
];
const runHeadless = (prompt: string, ...more: readonly string[]) => finish(start(runArguments(prompt, ...more)));

describe('headless', () => {
  it('prints the decisions of earlier sessions, as JSON lines and as a table', async () => {
    const { result } = await runHeadless('bash');
    const session = String(result.session);
    const audit = ['audit', '--state', join(root, 'state'), '--session', session];
    const { code, lines } = await finish(start(audit));
    expect([code, lines]).toEqual([
      0,
      [expect.objectContaining({ session, tool: 'Bash', input: 'touch out', decision: 'deny', by: 'flag' })],
    ]);
    const table = await printed(start([...audit, '--format', 'csv']));
    expect(table.split('\r\n').map((line) => line.split(',').slice(6, 10))).toEqual([
      ['tool', 'input', 'decision', 'by'],
      ['Bash', 'touch out', 'deny', 'flag'],
      [],
    ]);
    const wrong = await finish(start(['audit', '--state', join(root, 'state'), '--session', 'none']));
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('There is no session none')]);
    expect((await finish(start(['audit', '--format', 'xml']))).stderr).toContain('jsonl or csv');
  });

  it('is free of the editor', () => {
    const imported = Object.values(bundled.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported.length).toBeGreaterThan(50);
    expect(imported).not.toContain('vscode');
  });

  it('prints every event with its stamp, and the result last', async () => {
    const { code, lines, result } = await runHeadless('delegate');
    expect(code).toBe(0);
    const child = lines.find((line) => line.type === 'agent-start' && line.agent !== 'lead');
    for (const line of lines) {
      const { type, session, agent, seq, time } = line;
      expect({ type, session, agent, seq, time }).toEqual({
        type: expect.any(String),
        session: result.session,
        agent: agent === 'lead' ? 'lead' : child?.agent,
        seq: expect.any(Number),
        time: expect.any(Number),
      });
      expect(line.parent).toBe(agent === 'lead' ? null : 'lead');
    }
    expect(result).toMatchObject({ type: 'result', status: 'completed', text: 'done', cost: expect.any(Number) });
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, index) => index + 1));
  });

  it('waits for background agents, and bills them', async () => {
    const { code, lines, result } = await runHeadless('background');
    expect([code, result.text]).toEqual([0, 'woken']);
    const usages = lines.flatMap((line) =>
      line.type === 'usage-update' ? [line.usage as Record<string, number>] : [],
    );
    const output = usages.reduce((sum, usage) => sum + (usage.outputTokens ?? 0), 0);
    expect(usages).toHaveLength(4);
    expect(result.usage).toMatchObject({ outputTokens: output });
  });

  it('sends nothing but the requests of its agents', async () => {
    const before = model.requests.length;
    await runHeadless('hello');
    expect(model.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/messages']);
  });

  it.each([
    ['fail', 1, 'failed'],
    ['loop', 3, 'limit_reached'],
  ])('ends %s with exit code %i', async (prompt, exitCode, status) => {
    const settings = join(root, 'settings.json');
    await writeFile(settings, JSON.stringify({ 'agents.maxTurns': 2 }));
    const { code, result } = await runHeadless(prompt, '--settings', settings);
    expect([code, result.status]).toEqual([exitCode, status]);
  });

  it('runs the hooks of its settings file, and of a repository only with a yes', async () => {
    const blocking = (reason: string) => ({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `echo ${reason} >&2; exit 2` }] }] },
    });
    const settings = join(root, 'hooked.json');
    await writeFile(settings, JSON.stringify(blocking('mine')));
    const hooked = await runHeadless('hello', '--settings', settings);
    expect([hooked.code, hooked.result.error]).toEqual([1, expect.stringContaining('mine')]);
    await writeFiles(workspace, { '.claude/settings.json': JSON.stringify(blocking('theirs')) });
    const [untrusted, asked, allowed] = await Promise.all([
      runHeadless('hello', '--untrusted'),
      runHeadless('hello'),
      runHeadless('hello', '--answer', 'allow'),
    ]);
    await rm(join(workspace, '.claude'), { recursive: true });
    expect([untrusted.code, asked.code, allowed.code]).toEqual([0, 0, 1]);
    expect(untrusted.lines.filter(({ type }) => type === 'permission-ask' || type === 'notice')).toEqual([]);
    expect(allowed.result.error).toContain('theirs');
  });

  it.each(['default', 'acceptEdits'])('lets no agent change in mode %s what it was set up from', async (mode) => {
    const agents = join(workspace, 'my-agents');
    await writeFiles(workspace, {
      'my.json': '{}',
      'my-agents/one.md': '---\nname: one\ndescription: first\n---\nOne.',
    });
    const run = (answer: string) =>
      runHeadless(
        'widen',
        '--settings',
        join(workspace, 'my.json'),
        '--agents',
        agents,
        '--mode',
        mode,
        '--answer',
        answer,
      );
    const { result, lines } = await run('deny');
    expect(lines.filter(({ type }) => type === 'permission-ask')).toHaveLength(4);
    expect(result.text).toBe('true true true true');
    expect(await readFile(join(workspace, 'my.json'), 'utf8')).toBe('{}');
    await rm(agents, { recursive: true });
    await rm(join(workspace, 'my.json'));
  });

  it('moves numbers out of range into it and says so, and refuses values of the wrong kind', async () => {
    const settings = join(root, 'odd.json');
    await writeFile(settings, JSON.stringify({ 'agents.maxConcurrent': 1000, 'offshoot.agents.maxConcurent': 2 }));
    const moved = await runHeadless('hello', '--settings', settings);
    expect([moved.code, moved.stderr.trim().split('\n')]).toEqual([
      0,
      [
        'The setting agents.maxConcurrent is 1000; a number from 1 to 64 is wanted. In use: 64.',
        'There is no setting agents.maxConcurent; it is passed over.',
      ],
    ]);
    await writeFile(settings, JSON.stringify({ 'agents.maxConcurrent': 'many' }));
    const refused = await runHeadless('hello', '--settings', settings);
    expect([refused.code, refused.stderr.trim()]).toEqual([
      2,
      'The value "many" of agents.maxConcurrent cannot be used: a number from 1 to 64 is wanted.',
    ]);
  });

  it('stops cleanly on a signal', async () => {
    const child = start(runArguments('slow'));
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), 300));
    const { code, result } = await finish(child);
    expect([code, result.status]).toEqual([130, 'stopped']);
  });

  it('denies what would be asked, unless told to allow', async () => {
    const denied = await runHeadless('bash');
    expect(denied.result.text).toContain('--answer allow');
    await expect(readFile(join(workspace, 'out'))).rejects.toThrow('ENOENT');
    await runHeadless('bash', '--answer', 'allow');
    expect(await readFile(join(workspace, 'out'), 'utf8')).toBe('');
  });

  it('S21 runs nothing in a workspace that is not trusted, whatever it is told to allow', async () => {
    const untrusted = await finish(
      start(runArguments('bash', '--untrusted', '--answer', 'allow', '--mode', 'bypassPermissions')),
    );
    expect([untrusted.code, untrusted.result.text]).toEqual([
      0,
      expect.stringContaining('Bash is not in your toolset'),
    ]);
  });

  it('goes on with a session', async () => {
    const { result } = await runHeadless('first');
    const again = await runHeadless('second', '--resume', String(result.session));
    expect(again.result).toMatchObject({ session: result.session, text: 're: second' });
    expect(JSON.stringify(model.bodies().at(-1)?.messages)).toContain('re: first');
  });

  it('goes on with a session behind one of its turns, in a branch', async () => {
    const { result } = await runHeadless('one');
    const session = String(result.session);
    await runHeadless('two', '--resume', session);
    const branch = await runHeadless('other', '--resume', session, '--fork-at', '1');
    expect(branch.result).toMatchObject({ status: 'completed', text: 're: other' });
    expect(branch.result.session).not.toBe(session);
    const sent = JSON.stringify(model.bodies().at(-1)?.messages);
    expect([sent.includes('re: one'), sent.includes('re: two')]).toEqual([true, false]);
    const refused = await runHeadless('other', '--resume', session, '--fork-at', '9');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('has no turn 9')]);
    expect((await runHeadless('other', '--fork-at', '1')).code).toBe(2);
  });

  it('goes on with a session and an agent of it that were killed in mid-step', async () => {
    const child = start(runArguments('killed'));
    let session = '';
    let agent = '';
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      for (const line of out
        .split('\n')
        .slice(0, -1)
        .map((text) => JSON.parse(text) as Line)) {
        session = String(line.session);
        if (line.type === 'agent-start' && line.agent !== 'lead') agent = String(line.agent);
        // An answer is heard once what it stands on is written.
        if (line.type === 'text-delta') child.kill('SIGKILL');
      }
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(agent).toMatch(/^[0-9a-f]{6}$/);
    const { code, result } = await runHeadless(`resume ${agent}`, '--resume', session);
    expect(code).toBe(0);
    expect(result.text).toMatch(new RegExp(`id="${agent}" status="completed">\nmuch to do[^]*go on`));
  });

  it('offers the agent types of files, and says what is wrong with the others', async () => {
    const home = join(root, 'home');
    const agents = join(root, 'agents');
    const own = join(root, 'with-agents');
    await writeFiles(home, { '.claude/agents/mine.md': '---\nname: mine\ndescription: of the user\n---\n' });
    await writeFiles(own, {
      '.claude/agents/poet.md': '---\nname: poet\ndescription: of the project\n---\n',
      '.github/agents/planner.agent.md': '---\ndescription: plans\ntools: [search, read]\n---\n',
    });
    await writeFiles(agents, {
      'poet.md': '---\nname: poet\ndescription: writes verse\ntools: Read, Grep\n---\nYou rhyme.\n',
      'bad.md': '---\nname: bad\ndescription: x\ntools: Wand\n---\n',
    });
    const offered = async (...more: readonly string[]) => {
      const args = runArguments('hello', ...more).map((value) => (value === workspace ? own : value));
      const outcome = await finish(start(args, { ANTHROPIC_API_KEY: 'test-key', HOME: home, USERPROFILE: home }));
      expect(outcome.code).toBe(0);
      const { tools = [] } = model.bodies().at(-1) ?? {};
      const list = tools.find(({ name }) => name === 'Agent')?.description ?? '';
      return { ...outcome, types: list.split('\n').filter((line) => /^- (poet|mine|planner|bad):/.test(line)) };
    };
    const all = await offered('--agents', agents);
    expect(all.types.sort()).toEqual(['- mine: of the user', '- planner: plans', '- poet: writes verse']);
    expect(all.stderr).toMatch(/^\S+bad\.md:4: unknown tools Wand/);
    const notices = all.lines.filter((line) => line.type === 'notice');
    expect(notices).toEqual([
      expect.objectContaining({ level: 'warning', text: expect.stringContaining('bad.md:4:') }),
    ]);
    expect((await offered('--untrusted')).types).toEqual(['- mine: of the user']);
  });

  it('explores without a key in the offline demo', async () => {
    const args = [
      'run',
      '--workspace',
      workspace,
      '--prompt',
      'Explore this',
      '--provider',
      'demo',
      '--state',
      join(root, 'demo'),
    ];
    const { code, result, lines } = await finish(start(args, {}));
    expect(code).toBe(0);
    expect(result.cost).toBeNull();
    expect(lines.some((line) => line.type === 'tool-start')).toBe(true);
  });

  it.each([
    [[], /Say what to do/],
    [['run'], /--workspace DIR/],
    [['run', '--workspace', '.'], /--prompt TEXT/],
    [['run', '--workspace', '/no/such', '--prompt', 'x', '--provider', 'demo'], /no folder/],
    [['run', '--workspace', '.', '--prompt', 'x'], /ANTHROPIC_API_KEY/],
    [['run', '--workspace', '.', '--prompt', 'x', '--provider', 'demo', '--mode', 'yolo'], /permissions.mode/],
    [['run', '--workspace', '.', '--prompt', 'x', '--provider', 'demo', '--answer', 'maybe'], /allow or deny/],
    [['run', '--workspace', '.', '--prompt', 'x', '--provider', 'demo', '--resume', 'none'], /no session/],
    [
      ['run', '--workspace', '.', '--prompt', 'x', '--provider', 'demo', '--settings', '/no/such.json'],
      /cannot be read/,
    ],
    [['run', '--workspace', '.', '--prompt', 'x', '--model-url', 'nowhere'], /address .*, not "nowhere"/],
    [['run', '--workspace', '.', '--prompt', 'two', 'words'], /"words" .*quotes/],
    [['run', '--workspace', '.', '--prompt'], /^Option '--prompt <value>' argument missing\. See .* --help\.$/m],
    [['run', '--wrkspace', '.'], /^Unknown option '--wrkspace'\. See .* --help\.$/m],
  ])('refuses %j with exit code 2 and one line', async (args, message) => {
    const { code, stderr, lines } = await finish(start(args, {}));
    expect(stderr).toMatch(message);
    expect([code, lines.length, stderr.trim().split('\n').length]).toEqual([2, 0, 1]);
  });
});
