import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { createDoor } from '../../support/door.ts';
import { defaultModels } from '../../support/scriptedModel/modelList.ts';
import type { Script, ScriptedRequest } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const isChild = (request: ScriptedRequest) => !request.tools.includes('Agent');

const background = (prompt: string, more = {}) => delegate(prompt, { run_in_background: true, ...more });
const sentTexts = (request: ScriptedRequest | undefined) =>
  JSON.stringify(request?.body.messages ?? []).replaceAll('\\"', '"');

describe('a background agent', () => {
  it('lets the lead go on at once and wakes it at its end, once', async () => {
    const gate = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        await gate.wait;
        return say(text('deep findings'));
      }
      if (request.prompt.startsWith('A background agent has ended')) return say(text('noted'));
      return request.step === 0 && request.prompt === 'go' ? say(background('look')) : say(text('meanwhile'));
    };
    const { session, events, model } = await startSession({ script });
    expect(await session.send('go')).toMatchObject({ status: 'completed', text: 'meanwhile' });
    expect(session.isRunning).toBe(true);
    gate.open();
    expect(await session.settled()).toMatchObject({ status: 'completed', text: 'noted' });
    expect(ofType(events, 'turn-start').map((event) => event.by)).toEqual([undefined, 'agent']);
    const whole = JSON.stringify(model.bodies().at(-1)?.messages);
    expect(whole.match(/deep findings/g)).toHaveLength(1);
    await session.send('again');
    expect(JSON.stringify(model.bodies().at(-1)?.messages).match(/deep findings/g)).toHaveLength(1);
  });

  it('reports to a working lead before its next request', async () => {
    const ended = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) return say(text('quick findings'));
      if (request.step === 0) return say(background('look'));
      if (request.step === 1) {
        await ended.wait;
        return say(call('Glob', { pattern: '*' }));
      }
      return say(text(sentTexts(request).includes('quick findings') ? 'heard' : 'not heard'));
    };
    const { session, events } = await startSession({ script });
    session.subscribe((event) => event.type === 'agent-end' && event.agent !== 'lead' && ended.open());
    expect((await session.send('go')).text).toBe('heard');
    await session.settled();
    expect(ofType(events, 'turn-start')).toHaveLength(1);
  });

  it('gives its report to TaskOutput, and then no second time', async () => {
    const gate = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        await gate.wait;
        return say(text('the report'));
      }
      if (request.step === 0) return say(background('look', { name: 'scout' }));
      if (request.step === 1) return say(call('TaskOutput', { task_id: 'scout', block: false }));
      if (request.step === 2) return say(call('TaskOutput', { task_id: 'scout' }));
      return say(
        text(
          request.results
            .slice(1)
            .map((result) => result.text.split('\n')[0])
            .join(' then '),
        ),
      );
    };
    const { session, events } = await startSession({ script });
    session.subscribe((event) => event.type === 'tool-end' && event.tool === 'TaskOutput' && gate.open());
    expect((await session.send('go')).text).toMatch(/status="running"> then <report .*status="completed">/);
    await session.settled();
    expect(ofType(events, 'turn-start')).toHaveLength(1);
  });

  it('tells nobody a second time what a call has waited for', async () => {
    const gate = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        await gate.wait;
        return say(text('the only report'));
      }
      if (request.step === 0) return say(background('look', { name: 'scout' }));
      return request.step === 1 ? say(call('TaskOutput', { task_id: 'scout' })) : say(text('end'));
    };
    const { session, model } = await startSession({ script });
    session.subscribe((event) => {
      if (event.type === 'tool-start' && event.tool === 'TaskOutput') setTimeout(gate.open, 50);
    });
    await session.send('go');
    await session.settled();
    expect(sentTexts({ body: model.bodies().at(-1) } as ScriptedRequest).match(/the only report/g)).toHaveLength(1);
  });

  it('is told something between its steps, and stopped', async () => {
    const told = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        if (sentTexts(request).includes('look at the tests too')) told.open();
        // Nothing waits for it: it only keeps the steps few.
        await sleep(20);
        return say(call('Glob', { pattern: `${request.step}*` }));
      }
      if (request.step === 0) return say(background('look', { name: 'scout' }));
      if (request.step === 1) return say(call('SendMessage', { to: 'scout', message: 'look at the tests too' }));
      if (request.step === 2) {
        await told.wait;
        return say(call('TaskStop', { task_id: 'scout' }));
      }
      return say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session } = await startSession({ script, settings: { 'agents.maxTurns': 1000 } });
    expect((await session.send('go')).text).toContain('status="stopped"');
    await session.settled();
  });

  it('can become one while it runs, and nothing starts again', async () => {
    const gate = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        await gate.wait;
        return say(text('late'));
      }
      if (request.prompt.includes('has ended')) return say(text('woken'));
      return request.step === 0 ? say(delegate('look')) : say(text('free'));
    };
    const { session, events, model } = await startSession({ script });
    session.subscribe((event) => {
      if (event.type === 'step-start' && event.agent !== 'lead') setTimeout(() => session.detach(event.agent), 50);
    });
    expect((await session.send('go')).text).toBe('free');
    gate.open();
    expect((await session.settled())?.text).toBe('woken');
    expect(ofType(events, 'agent-start').filter((event) => event.agent !== 'lead')).toHaveLength(1);
    expect(model.bodies().filter((body) => !body.tools?.some((tool) => tool.name === 'Agent'))).toHaveLength(1);
  });

  it('is stopped with everything else, and wakes nobody then', async () => {
    const script: Script = async (request) => {
      if (isChild(request)) return { blocks: [text('x'.repeat(5000))], chunkMs: 50 };
      return request.step === 0 ? say(background('look')) : say(text('free'));
    };
    const { session, events } = await startSession({ script });
    await session.send('go');
    session.stop();
    await session.settled();
    expect(ofType(events, 'turn-start')).toHaveLength(1);
    expect(ofType(events, 'agent-end').at(-1)).toMatchObject({ status: 'stopped' });
    await session.send('what happened?');
    const told = ofType(events, 'message-append').filter((event) =>
      JSON.stringify(event.message).includes('has ended'),
    );
    expect(told).toHaveLength(1);
  });

  it('whose end cannot wake the lead is told with the next turn', async () => {
    const gate = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        await gate.wait;
        return say(text('precious'));
      }
      return request.step === 0 && request.prompt === 'go' ? say(background('look')) : say(text('ok'));
    };
    const models = defaultModels.filter(({ id }) => !id.includes('opus'));
    const { session, model, events } = await startSession({ script, models });
    await session.send('go');
    session.setModel('opus');
    gate.open();
    await session.settled();
    expect(ofType(events, 'turn-end').map(({ status }) => status)).toEqual(['completed', 'failed']);
    session.setModel('claude-sonnet-5-5');
    for (const prompt of ['again', 'and again']) await session.send(prompt);
    expect(JSON.stringify(model.bodies().at(-1)?.messages).match(/precious/g)).toHaveLength(1);
  });

  it('that ended with the editor is told after a restart, once', async () => {
    const script: Script = async (request) => {
      if (isChild(request)) return { blocks: [text('x'.repeat(5000))], chunkMs: 50 };
      return request.step === 0 && request.prompt === 'go' ? say(background('look')) : say(text('ok'));
    };
    const { session, model, reopen } = await startSession({ script });
    await session.send('go');
    await session.close();
    const again = await reopen(session.id);
    await again.send('one');
    await again.send('two');
    await again.close();
    await (await reopen(session.id)).send('three');
    const sent = JSON.stringify(model.bodies().at(-1)?.messages);
    expect(sent).toContain('three');
    expect(sent.match(/A background agent has ended/g)).toHaveLength(1);
  });
});

describe('an agent that ended', () => {
  const script: Script = (request) => {
    if (isChild(request)) return say(text(`I know: ${request.body.messages.length} messages`));
    if (request.step === 0 && request.prompt === 'go') return say(delegate('learn', { name: 'scholar' }));
    if (request.step === 0) return say(delegate('and more', { resume: 'scholar' }));
    return say(text(request.lastResults[0]?.text.split('\n').slice(0, 2).join('|') ?? ''));
  };

  it('goes on with its history, also after a restart', async () => {
    const { session, reopen } = await startSession({ script });
    const first = (await session.send('go')).text;
    const id = /id="(\w+)"/.exec(first)?.[1];
    expect(first).toContain('I know: 1 messages');
    expect((await session.send('resume')).text).toMatch(new RegExp(`id="${id}".*I know: 3 messages`));
    await session.close();
    const again = await reopen(session.id);
    expect((await again.send('resume')).text).toMatch(new RegExp(`id="${id}".*I know: 5 messages`));
  });

  it('goes on once at a time, whoever asks for it', async () => {
    let id = '';
    const gate = createDoor();
    const script: Script = async (request) => {
      if (isChild(request)) {
        if (request.prompt !== 'look') await gate.wait;
        return say(text('seen'));
      }
      if (request.prompt === 'one') return request.step === 0 ? say(delegate('look')) : say(text('ok'));
      if (request.prompt !== 'two') return say(text('heard'));
      if (request.step > 0) return say(text(request.lastResults.map((result) => result.text).join('\n')));
      return say(delegate('more', { resume: id }), delegate('even more', { resume: id }));
    };
    const { session, events } = await startSession({ script });
    session.subscribe((event) => {
      if (event.type === 'tool-end' && event.status === 'error') gate.open();
    });
    await session.send('one');
    id = ofType(events, 'agent-start').find((event) => event.agent !== 'lead')?.agent ?? '';
    expect((await session.send('two')).text).toMatch(/status="completed"[\s\S]*still at work/);
    const both = await Promise.allSettled([session.goOn(id), session.goOn(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await session.settled();
    expect(ofType(events, 'agent-start').filter((event) => event.agent === id)).toHaveLength(3);
  });

  it('is retried by hand whatever the turn may start', async () => {
    const script: Script = (request) => {
      if (isChild(request)) return say(text('seen'));
      return request.step === 0 && request.prompt === 'go' ? say(delegate('look')) : say(text('ok'));
    };
    const { session, events } = await startSession({ script, settings: { 'agents.maxPerTurn': 1 } });
    await session.send('go');
    await session.retry(ofType(events, 'agent-start').find((event) => event.agent !== 'lead')?.agent ?? '');
    await session.settled();
    expect(ofType(events, 'agent-start').filter((event) => event.agent !== 'lead')).toHaveLength(2);
  });

  it('can be done again, with a new history', async () => {
    let tries = 0;
    const flaky: Script = (request) => {
      if (isChild(request)) {
        tries += 1;
        if (tries === 1)
          return { blocks: [], fault: { type: 'status', status: 400, errorType: 'invalid_request_error' } };
        return say(text(`second try, ${request.body.messages.length} message`));
      }
      if (request.prompt.includes('has ended')) return say(text(request.prompt));
      return request.step === 0 ? say(delegate('learn', { name: 'scholar' })) : say(text('failed, it seems'));
    };
    const { session, events } = await startSession({ script: flaky });
    await session.send('go');
    const failed = ofType(events, 'agent-end').find((event) => event.status === 'failed');
    await session.retry(failed?.agent ?? '');
    expect((await session.settled())?.text).toContain('second try, 1 message');
  });
});

describe('a fork', () => {
  it('knows the conversation, without calls that it cannot make or that have no result', async () => {
    const script: Script = (request) => {
      if (isChild(request)) {
        const sent = sentTexts(request);
        const facts = ['remember the word sprout', 'Called Bash', 'Your own task begins here', 'tail task'];
        return say(text(facts.filter((fact) => sent.includes(fact)).join(';')));
      }
      if (request.prompt.startsWith('remember') && request.step === 0) return say(call('Bash', { command: 'echo x' }));
      if (request.prompt.startsWith('remember')) return say(text('I will'));
      return request.step === 0
        ? say(text('forking'), delegate('tail task', { context: 'fork' }))
        : say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session } = await startSession({ script });
    await session.send('remember the word sprout');
    const { text: answer } = await session.send('go');
    expect(answer).toContain('remember the word sprout;Called Bash;Your own task begins here;tail task');
  });
});

describe('pause', () => {
  it('holds an agent between steps and goes on with a changed instruction', async () => {
    const script: Script = (request) => {
      if (isChild(request)) {
        if (sentTexts(request).includes('It now reads')) return say(text('changed'));
        return request.step < 5 ? say(call('Glob', { pattern: `${request.step}*` })) : say(text('never told'));
      }
      return request.step === 0 ? say(delegate('look')) : say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session, events } = await startSession({ script });
    session.subscribe((event) => {
      if (event.type === 'step-start' && event.agent !== 'lead' && event.step === 1) session.pause(event.agent);
      if (event.type === 'agent-status' && event.activity === 'paused') {
        setTimeout(() => session.resume(event.agent, 'look elsewhere'), 100);
      }
    });
    expect((await session.send('go')).text).toContain('changed');
    expect(ofType(events, 'step-start').filter((event) => event.agent !== 'lead')).toHaveLength(2);
    const states = ofType(events, 'agent-status').filter(({ agent }) => agent !== 'lead');
    expect(states.map(({ activity }) => activity)).toEqual(['running', 'pausing', 'paused', 'running']);
  });

  it('is on its way to the pause until its step has ended, whatever it does, and may be called back', async () => {
    const script: Script = ({ step }) =>
      step === 0 ? say(call('AskUser', { question: 'Which?' })) : say(text('went on'));
    const { session, events } = await startSession({ script, prompts: { question: async () => 'this' } });
    session.subscribe((event) => {
      if (event.type === 'step-start' && event.step === 1) session.pause('lead');
      if (event.type === 'tool-end') session.resume('lead', '');
    });
    expect((await session.send('go')).text).toBe('went on');
    const states = ofType(events, 'agent-status').map(({ activity }) => activity);
    expect(states).toEqual(['running', 'pausing', 'waiting_user', 'pausing', 'running']);
  });

  it('can be stopped', async () => {
    const script: Script = () => say(call('Glob', { pattern: '*' }));
    const { session } = await startSession({ script });
    session.subscribe((event) => {
      if (event.type === 'step-start') session.pause('lead');
      if (event.type === 'agent-status' && event.activity === 'paused') setTimeout(() => session.stop(), 50);
    });
    expect((await session.send('go')).status).toBe('stopped');
  });
});
