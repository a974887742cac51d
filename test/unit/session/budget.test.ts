import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const endless: Script = ({ body, step }) =>
  body.tool_choice?.type === 'none'
    ? say(text('what I have'))
    : { ...say(call('Glob', { pattern: `${step}*` })), usage: { input_tokens: 3_000 } };

describe('budgets of the settings', () => {
  it.each([
    ['budget.turnTokens', 9_000, /9000 tokens/],
    ['budget.turnUsd', 0.015, /0\.015 US dollars/],
  ])('%s ends a turn with the answer from what there is', async (key, value, reason) => {
    const { session } = await startSession({ script: endless, settings: { [key]: value } });
    expect(await session.send('go')).toMatchObject({
      status: 'limit_reached',
      text: 'what I have',
      error: expect.stringMatching(reason),
    });
  });

  it('budget.turnTokens binds the agents below', async () => {
    const script: Script = (request) => {
      if (!request.tools.includes('Agent')) return endless(request);
      return request.step === 0 ? say(delegate('look')) : say(text('lead is done'));
    };
    const { session, events } = await startSession({ script, settings: { 'budget.turnTokens': 12_000 } });
    await session.send('go');
    expect(ofType(events, 'agent-end').map(({ agent, status }) => `${agent === 'lead'} ${status}`)).toEqual([
      'false limit_reached',
      'true limit_reached',
    ]);
  });

  it('budget.agentMinutes ends a subagent, and not the lead', async () => {
    const script: Script = async (request) => {
      if (!request.tools.includes('Agent')) return { ...(await endless(request)), delayMs: 60 };
      return request.step === 0
        ? say(delegate('look', { max_turns: 900 }))
        : say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session } = await startSession({ script, settings: { 'budget.agentMinutes': 0.002 } });
    const { status, text: answer } = await session.send('go');
    expect(status).toBe('completed');
    expect(answer).toMatch(/status="limit_reached"/);
    expect(answer).toMatch(/budget of 0\.002 minutes is used up/);
    expect(answer).toMatch(/max_turns 900 is over the limit; it was set to 50\./);
  });

  it('0 is no limit', async () => {
    const settings = { 'budget.turnTokens': 0, 'budget.turnUsd': 0, 'budget.agentMinutes': 0 };
    const { session } = await startSession({ script: () => say(text('fine')), settings });
    expect((await session.send('go')).status).toBe('completed');
  });
});
