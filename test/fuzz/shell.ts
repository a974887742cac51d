/**
 * Looks for scripts that the gate would run unasked and that do more than read: random scripts, judged, and those that are
 * judged harmless run by a real bash in a folder of their own.
 *
 *   npm run fuzz [-- COUNT [SEED]]
 */
import { judgeCommand } from '../../src/agent/gate/judging/judgeCommand.ts';
import { createPathResolver } from '../../src/agent/gate/places/paths.ts';
import { createPolicy } from '../../src/agent/gate/rules/policy.ts';
import { readScript } from '../../src/agent/gate/shell/script.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { createRandom, randomScript } from './scripts.ts';

export type Find = { readonly script: string; readonly problem: string };
export type FuzzResult = { readonly scripts: number; readonly run: number; readonly finds: readonly Find[] };

export async function fuzz(options: {
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (result: FuzzResult) => void;
}): Promise<FuzzResult> {
  const sandbox = await createSandbox();
  try {
    return await fuzzIn(sandbox, options);
  } finally {
    await sandbox.remove();
  }
}

async function fuzzIn(sandbox: Sandbox, { count, seed, onProgress }: Parameters<typeof fuzz>[0]): Promise<FuzzResult> {
  const { workspace } = sandbox;
  const random = createRandom(seed);
  const paths = createPathResolver({ roots: [workspace], readOnlyRoots: [] });
  const policy = await createPolicy([], { workspace: [workspace], home: '/nowhere' });
  const protection = { roots: [workspace], stateDirectory: '/nowhere' };
  const finds: Find[] = [];
  const done = new Set<string>();
  for (let number = 1; number <= count; number += 1) {
    const script = randomScript(random);
    const judged = await judgeCommand(script, { policy, paths, protection, directory: workspace });
    if (judged.kind === 'allow' && !done.has(script)) {
      done.add(script);
      const problem = (await sandbox.runReal(script)) || (await compareCalls(script, sandbox));
      if (problem !== '') finds.push({ script, problem });
    }
    if (number % 5000 === 0) onProgress?.({ scripts: number, run: done.size, finds });
  }
  return { scripts: count, run: done.size, finds };
}

/** What bash called has to be what was read in the script. */
async function compareCalls(script: string, sandbox: Sandbox): Promise<string> {
  const read = new Set(readScript(script).commands.map(({ words }) => JSON.stringify(words.map(({ value }) => value))));
  const called = (await sandbox.runNoting(script)).map((call) => JSON.stringify(call));
  const unread = called.filter((call) => !read.has(call));
  return unread.length === 0 ? '' : `called ${unread.join(' ')} but read ${[...read].join(' ')}`;
}

if (import.meta.main) {
  const [count = '100000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  console.log(`${count} scripts, seed ${seed}`);
  const started = Date.now();
  const result = await fuzz({
    count: Number(count),
    seed: Number(seed),
    onProgress: ({ scripts, run, finds }) =>
      console.log(
        `${scripts} scripts, ${run} judged harmless and run, ${finds.length} finds, ${Math.round((Date.now() - started) / 1000)} s`,
      ),
  });
  for (const { script, problem } of result.finds) console.log(`${JSON.stringify(script)}: ${problem}`);
  console.log(`${result.scripts} scripts, ${result.run} judged harmless and run, ${result.finds.length} finds`);
  process.exitCode = result.finds.length === 0 ? 0 : 1;
}
