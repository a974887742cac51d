import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { commitAll, git } from '../../support/gitFolder.ts';
import type { RecordedRequest, Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const task = {
  description: 'look around',
  prompt: 'Find the door.',
  subagent_type: 'Explore',
  thoroughness: 'quick',
} as const;

const script: Script = ({ tools, step }) => {
  if (!tools.includes('Agent')) return say(text('found'));
  return step === 0 ? say(delegate(task.prompt, task)) : say(text('done'));
};

const countRequests = (requests: readonly RecordedRequest[]) =>
  requests.filter(({ path }) => path.endsWith('/count_tokens'));

/** A body without what only a request for an answer has. */
function countable(body: unknown): unknown {
  const { max_tokens: _, stream: __, ...rest } = JSON.parse(JSON.stringify(body));
  return rest;
}

describe('a preview of a spawn', () => {
  it('is the request that the spawn then sends, and starts nothing', async () => {
    const { session, model, workspace, events } = await startSession({ script, files: { 'AGENTS.md': 'Be brief.' } });
    commitAll(workspace);
    const preview = await session.previewSpawn(task);
    expect(model.bodies()).toEqual([]);
    expect([events, session.events()]).toEqual([[], []]);

    await session.send('go');
    const start = ofType(events, 'agent-start').find(({ agent }) => agent !== 'lead');
    const body = model.bodies().find(({ tools }) => !tools?.some(({ name }) => name === 'Agent'));
    const [counted] = countRequests(model.requests);
    expect(countable(body)).toEqual(JSON.parse(counted?.rawBody ?? ''));
    expect(preview).toMatchObject({
      type: 'Explore',
      model: start?.model,
      modelRule: start?.modelRule,
      tools: start?.tools,
      prompt: 'Find the door.\n\nThoroughness: quick.',
      directory: workspace,
      baseCommit: git(workspace, 'rev-parse', 'HEAD').trim(),
      maxSteps: 50,
      budget: {},
      notes: [],
    });
    const usage = ofType(events, 'usage-update').find(({ agent }) => agent === start?.agent)?.usage;
    const { tokens, isCounted, parts } = preview.firstRequest;
    expect(isCounted).toBe(true);
    expect(tokens).toBe((usage?.inputTokens ?? 0) + (usage?.cacheWriteTokens ?? 0) + (usage?.cacheReadTokens ?? 0));
    expect(parts.system + parts.instructions + parts.tools + parts.messages).toBe(tokens);
  });

  it('says what would be done otherwise than asked', async () => {
    const { session } = await startSession({ script, settings: { 'agents.maxTurns': 10, 'budget.agentMinutes': 3 } });
    const preview = await session.previewSpawn({ ...task, max_turns: 400, budget: { minutes: 9 } });
    expect(preview).toMatchObject({ maxSteps: 10, budget: { minutes: 3 }, baseCommit: undefined });
    expect(preview.notes).toEqual(['max_turns 400 is over the limit; it was set to 10.']);
  });

  it('is refused where the spawn would be, with what to ask for instead', async () => {
    const { session } = await startSession({ script });
    await expect(session.previewSpawn({ ...task, subagent_type: 'Wizard' })).rejects.toThrow(/There are: .*Explore/);
    await expect(session.previewSpawn({ ...task, acceptance: 'npm test' })).rejects.toThrow(/has no Bash/);
    await expect(session.previewSpawn({ ...task, resume: 'nobody' })).rejects.toThrow(/There is no agent nobody/);
    const none = await startSession({ script, settings: { 'agents.maxDepth': 0 } });
    await expect(none.session.previewSpawn(task)).rejects.toThrow(/maxDepth is 0/);
  });

  it('estimates where the server does not count, and sees what a fork would bring along', async () => {
    const { session } = await startSession({ script: () => say(text('noted')), counting: 'none' });
    await session.send(`remember this: ${'word '.repeat(3_000)}`);
    const fresh = await session.previewSpawn(task);
    const forked = await session.previewSpawn({ ...task, context: 'fork' });
    expect(fresh.firstRequest.isCounted).toBe(false);
    expect(forked.firstRequest.tokens - fresh.firstRequest.tokens).toBeGreaterThan(3_000);
  });

  it('is to be had while a turn runs', async () => {
    const busy: Script = ({ step }) => (step === 0 ? say(call('Read', { file_path: 'a.txt' })) : say(text('done')));
    const { session } = await startSession({ script: busy, files: { 'a.txt': 'x' } });
    const previews: Promise<unknown>[] = [];
    session.subscribe((event) => event.type === 'tool-start' && void previews.push(session.previewSpawn(task)));
    await session.send('go');
    expect(await Promise.all(previews)).toMatchObject([{ type: 'Explore' }]);
  });
});
