/** Ideas of other systems that delegation keeps, each with its name. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const isForced = (toolChoice: { readonly type: string } | undefined) => toolChoice?.type === 'none';

describe('AstroResearch', () => {
  it('calls subagent with research_prompt and max_steps, and the last answer is forced without tools', async () => {
    const script: Script = (request) => {
      if (!request.tools.includes('Agent')) {
        if (isForced(request.body.tool_choice)) return say(text(`answer to: ${request.firstText}`));
        return say(call('Glob', { pattern: `${request.step}*` }));
      }
      if (request.step === 0) return say(call('subagent', { research_prompt: 'how far is it?', max_steps: 2 }));
      return say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session, model } = await startSession({ script });
    expect((await session.send('go')).text).toMatch(/status="limit_reached">\nanswer to: how far is it\?/);
    const forced = model.bodies().find((body) => isForced(body.tool_choice));
    expect(forced?.tools?.length).toBeGreaterThan(0);
  });
});

describe('neovate', () => {
  it('resumes a Task by its id and forks the context of the caller', async () => {
    const script: Script = (request) => {
      if (!request.tools.includes('Agent')) return say(text(`${request.body.messages.length} messages`));
      const input = { description: 'Explore it', prompt: 'look', subagent_type: 'Explore' };
      if (request.step === 0) return say(call('Task', { ...input, context: 'fork', name: 'forked' }));
      const [result] = request.lastResults;
      if (request.step === 1)
        return say(call('Task', { ...input, resume: /id="(\w+)"/.exec(result?.text ?? '')?.[1] }));
      return say(text(result?.text ?? ''));
    };
    const { session, events } = await startSession({ script });
    expect((await session.send('remember this')).text).toContain('3 messages');
    const [first, second] = ofType(events, 'agent-start').slice(1);
    expect(second?.agent).toBe(first?.agent);
    expect(ofType(events, 'context-compact')).toMatchObject([{ how: 'fork' }]);
  });
});

describe('the Java S04Subagent', () => {
  it('finds agent types in a registry by name, and says which there are', async () => {
    const script: Script = ({ step, lastResults }) =>
      step === 0 ? say(call('task', { prompt: 'x', subagent_type: 'nobody' })) : say(text(lastResults[0]?.text ?? ''));
    const { session } = await startSession({ script });
    const { text: answer } = await session.send('go');
    for (const name of ['general-purpose', 'Explore', 'Plan', 'code-reviewer']) expect(answer).toContain(name);
  });

  it('keeps a cache of results by task, as long as the tree is the same', async () => {
    let looks = 0;
    const script: Script = (request) => {
      if (!request.tools.includes('Agent')) {
        looks += 1;
        return say(text('the same'));
      }
      const task = call('task', { prompt: 'look', subagent_type: 'Explore' });
      return request.step === 0 ? say(task) : say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session, workspace } = await startSession({ script, files: { a: 'x' } });
    await session.send('go');
    expect((await session.send('again')).text).toContain('status="cached"');
    await writeFile(join(workspace, 'a'), 'y');
    expect((await session.send('once more')).text).toContain('status="completed"');
    expect(looks).toBe(2);
  });
});

describe('the Claude Code agent format', () => {
  it('gives a child its prompt, tools and model', async () => {
    const definition = {
      name: 'poet',
      description: 'writes verse',
      tools: ['Read', 'Grep'],
      disallowedTools: [],
      prompt: 'You rhyme.',
      hasInstructions: false,
      modelRole: 'parent',
      model: 'opus',
    } as const;
    const script: Script = (request) => {
      if (!request.tools.includes('Agent')) return say(text(`${request.model} ${request.tools.join('+')}`));
      if (request.step === 0) return say(call('Agent', { description: 'd', prompt: 'p', subagent_type: 'poet' }));
      return say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session, workspace } = await startSession({ script, definitions: () => [definition] });
    await writeFile(join(workspace, 'a'), 'x');
    expect((await session.send('go')).text).toContain('claude-opus-5-5 Read+Grep');
  });
});
