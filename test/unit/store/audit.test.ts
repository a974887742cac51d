import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AuditEntry, auditHead, auditLine, readAudit } from '../../../src/agent/index.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import { startSession } from '../../support/startSession.ts';

async function all(entries: AsyncIterable<AuditEntry>): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

const { signal } = new AbortController();

describe('the audit', () => {
  it('has every decision with agent, call, rule and answer, across sessions', async () => {
    const { session, state, workspace, reopen } = await startSession({
      script: ({ step, firstText }) => {
        if (firstText === 'child') return step === 0 ? say(call('Bash', { command: 'touch out' })) : say(text('ok'));
        if (step === 0) return say(call('Bash', { command: 'curl x' }), call('Read', { file_path: 'a.txt' }));
        return step === 1 && firstText === 'one'
          ? say(delegate('child', { subagent_type: 'general-purpose' }))
          : say(text('ok'));
      },
      files: { 'a.txt': 'a' },
      settings: { 'permissions.deny': ['Bash(curl:*)'] },
      prompts: { permission: async () => ({ decision: 'deny', scope: 'once', by: 'user', reason: 'use make' }) },
    });
    await session.send('one');
    await session.close();
    const other = await reopen();
    await other.send('two');
    const entries = await all(readAudit(state, {}, signal));
    const short = entries.map(({ agentName, tool, input, decision, by, rule, source, reason }) =>
      [agentName, tool, input, decision, by, rule, source, reason].map((value) => value ?? '').join('|'),
    );
    expect(short).toEqual([
      'lead|Bash|curl x|deny|rule|Bash(curl:*)|settings|',
      'lead|Read|Read a.txt|allow|tool|||',
      'lead|Agent|general-purpose: do a part|allow|tool|||',
      'do-a-part|Bash|touch out|deny|user|||use make',
      'lead|Bash|curl x|deny|rule|Bash(curl:*)|settings|',
      'lead|Read|Read a.txt|allow|tool|||',
    ]);
    expect(entries[0]).toMatchObject({ session: session.id, workspace, agent: 'lead' });
    const denied = await all(readAudit(state, { session: session.id, decision: 'deny', agent: 'do-a-part' }, signal));
    expect(denied).toMatchObject([{ tool: 'Bash', reason: 'use make' }]);
    expect(await all(readAudit(state, { tool: 'Read', since: entries[4]?.time ?? 0 }, signal))).toHaveLength(1);
  });

  it('has every run of a hook, with what it wanted, before the decision that it led to', async () => {
    const command = 'echo "not now" >&2; exit 2';
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
    const { session, state } = await startSession({
      script: ({ step }) => (step === 0 ? say(call('Bash', { command: 'make' })) : say(text('ok'))),
      settings: { hooks },
    });
    await session.send('go');
    expect(await all(readAudit(state, {}, signal))).toMatchObject([
      {
        by: 'hookRun',
        event: 'PreToolUse',
        hook: command,
        tool: 'Bash',
        input: 'make',
        decision: 'deny',
        source: 'settings',
      },
      { by: 'hook', tool: 'Bash', decision: 'deny' },
    ]);
  });

  it('goes past damage and says so; an unknown session and an abort are errors', async () => {
    const { session, state } = await startSession({
      script: ({ step }) => (step === 0 ? say(call('Bash', { command: 'ls' })) : say(text('ok'))),
    });
    await session.send('go');
    await session.close();
    const [file = ''] = (await readdir(join(state, 'sessions'))).filter((name) => name.endsWith('.jsonl'));
    const path = join(state, 'sessions', file);
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [lines[0], 'garbage', ...lines.slice(1)].join('\n'));
    const problems: string[] = [];
    expect(await all(readAudit(state, {}, signal, (problem) => problems.push(problem)))).toHaveLength(1);
    expect(problems).toEqual([expect.stringContaining(session.id)]);
    const unknown = { session: '20260101-000000000-00000000' };
    await expect(all(readAudit(state, unknown, signal))).rejects.toThrow('There is no session');
    await expect(all(readAudit(state, {}, AbortSignal.abort()))).rejects.toThrow();
  });
});

describe('an exported decision', () => {
  const entry: AuditEntry = {
    time: Date.UTC(2026, 0, 2, 3, 4, 5),
    session: 's',
    workspace: '/w',
    agent: 'lead',
    agentName: 'lead',
    call: 'c',
    tool: 'Bash',
    input: 'make',
    decision: 'allow',
    by: 'user',
  };

  it('is a JSON line, or a line of a table', () => {
    expect(JSON.parse(auditLine({ ...entry, reason: 'a\nb' }, 'jsonl'))).toEqual({
      at: '2026-01-02T03:04:05.000Z',
      ...entry,
      reason: 'a\nb',
    });
    expect(auditHead('jsonl')).toBe('');
    expect(auditHead('csv')).toBe(
      'at,session,workspace,agent,agentName,call,tool,input,decision,by,rule,source,event,hook,scope,reason\r\n',
    );
    expect(auditLine({ ...entry, input: 'echo "a", b' }, 'csv')).toBe(
      '2026-01-02T03:04:05.000Z,s,/w,lead,lead,c,Bash,"echo ""a"", b",allow,user,,,,,,\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@a', '\t=1', '  =1', '\n=1', '\uff1d1', '|calc', "=cmd|' /C calc'!A1", '\r\n@x'])(
    'is no formula to a table program: %j',
    (input) => {
      const fields = auditLine({ ...entry, input }, 'csv').split(',');
      expect(fields[7]?.replace(/^"/, '').startsWith("'"), auditLine({ ...entry, input }, 'csv')).toBe(true);
    },
  );
});
