import { describe, expect, it } from 'vitest';
import { readHookConfiguration } from '../../../../src/agent/gate/hooks/configuration.ts';

const command = (text: string) => ({ type: 'command', command: text });
const told = (value: unknown) => readHookConfiguration(value).problems;

describe('written hooks', () => {
  it('are read as Claude Code writes them', () => {
    const written = {
      PreToolUse: [{ matcher: 'Bash|Edit', hooks: [{ ...command('./a.sh'), timeout: 5 }, command('./b.sh')] }],
      Stop: [{ hooks: [command('./c.sh')] }],
    };
    expect(readHookConfiguration(written)).toEqual({
      hooks: [
        { event: 'PreToolUse', matcher: 'Bash|Edit', action: { kind: 'command', command: './a.sh', timeoutMs: 5000 } },
        {
          event: 'PreToolUse',
          matcher: 'Bash|Edit',
          action: { kind: 'command', command: './b.sh', timeoutMs: 60_000 },
        },
        { event: 'Stop', action: { kind: 'command', command: './c.sh', timeoutMs: 60_000 } },
      ],
      problems: [],
    });
  });

  it.each([undefined, null, {}])('may be absent: %j', (value) => {
    expect(readHookConfiguration(value)).toEqual({ hooks: [], problems: [] });
  });

  it('of an unknown event, or of one that is not fired, are told', () => {
    expect(told({ PreTool: [] })).toEqual([expect.stringContaining('There is no hook event PreTool')]);
    expect(told({ TeammateIdle: [] })).toEqual(['This version does not fire TeammateIdle; its hooks never run.']);
  });

  it.each([
    ['no list', { hooks: [] }],
    ['no group', ['./a.sh']],
    ['no hooks', [{ matcher: 'Bash' }]],
    ['another type', [{ hooks: [{ type: 'prompt', prompt: 'x' }] }]],
    ['no command', [{ hooks: [{ type: 'command' }] }]],
    ['an empty command', [{ hooks: [command(' ')] }]],
    ['a condition', [{ hooks: [{ ...command('./a.sh'), if: 'Bash(git *)' }] }]],
    ['a time-out that is none', [{ hooks: [{ ...command('./a.sh'), timeout: -1 }] }]],
  ])('with %s stay as hooks that cannot be run, and are told', (_, groups) => {
    const { hooks, problems } = readHookConfiguration({ PreToolUse: groups });
    expect(hooks).toMatchObject([{ event: 'PreToolUse', action: { kind: 'unusable' } }]);
    expect(problems).toEqual([expect.stringMatching(/^The hook .* of PreToolUse cannot be run: /)]);
  });
});
