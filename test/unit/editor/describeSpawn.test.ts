import { expect, test } from 'vitest';
import type { SpawnPreview } from '../../../src/agent/index.ts';
import { describeSpawn } from '../../../src/editor/agents/describeSpawn.ts';
import { createTranslate } from '../../../src/webview/app/strings.ts';

const preview: SpawnPreview = {
  type: 'Explore',
  model: 'claude-haiku-5-5',
  modelRule: 'small model setting',
  system: 'You explore.\n````\nfence\n````',
  prompt: 'Find the door.',
  tools: ['Read', 'Grep'],
  directory: '/code/shop',
  branch: 'offshoot/find-door',
  baseCommit: '0123abcd',
  maxSteps: 50,
  budget: { minutes: 3, usd: 0.5 },
  effort: 'high',
  skills: ['api-style'],
  memory: '/state/agent-memory/Explore',
  firstRequest: {
    tokens: 2_345,
    isCounted: true,
    parts: { system: 1_000, instructions: 0, tools: 1_300, messages: 45 },
    contextWindow: 200_000,
  },
  notes: ['max_turns 400 is over the limit; it was set to 50.'],
};

test('a preview is a document that says what would be started', () => {
  expect(describeSpawn(preview, createTranslate(new Map()))).toBe(`# Preview of an agent: Explore

Nothing was started. This is what a call with this task would start.

> max_turns 400 is over the limit; it was set to 50.

- **Model**: claude-haiku-5-5, chosen by: small model setting
- **Effort**: high
- **Folder**: \`/code/shop\`
- **Worktree**: its own, branch \`offshoot/find-door\`
- **Base commit**: \`0123abcd\`
- **Tools**: Read, Grep
- **Skills**: api-style
- **Notes**: \`/state/agent-memory/Explore\`
- **Limits**: 50 steps, $0.5, 3 minutes
- **First request**: 2,345 of 200,000 tokens (counted by the server): System 1,000, Tools 1,300, Messages 45

## Task

\`\`\`text
Find the door.
\`\`\`

## System prompt

\`\`\`\`\`text
You explore.
\`\`\`\`
fence
\`\`\`\`
\`\`\`\`\`

`);
});
