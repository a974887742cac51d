import type { SpawnPreview } from '../../agent/index.ts';

type Translate = (text: string, ...values: (string | number)[]) => string;

/** A preview as a markdown document. @param t translates */
export function describeSpawn(preview: SpawnPreview, t: Translate): string {
  const { type, model, modelRule, directory, baseCommit, branch, tools, notes, firstRequest } = preview;
  const { effort, skills, memory } = preview;
  const { tokens, isCounted, contextWindow, parts } = firstRequest;
  const size = t('{0} of {1} tokens', show(tokens), show(contextWindow));
  const fixed = [
    `${t('System')} ${show(parts.system)}`,
    ...(parts.instructions > 0 ? [`${t('Project instructions')} ${show(parts.instructions)}`] : []),
    `${t('Tools')} ${show(parts.tools)}`,
    `${t('Messages')} ${show(parts.messages)}`,
  ].join(', ');
  const rows: readonly (readonly [string, string])[] = [
    [t('Model'), t('{0}, chosen by: {1}', model, t(modelRule))],
    ...(effort === undefined ? [] : [[t('Effort'), effort] as const]),
    [t('Folder'), `\`${directory}\``],
    ...(branch === undefined ? [] : [[t('Worktree'), t('its own, branch {0}', `\`${branch}\``)] as const]),
    [t('Base commit'), baseCommit === undefined ? t('none') : `\`${baseCommit}\``],
    [t('Tools'), tools.length === 0 ? t('none') : tools.join(', ')],
    ...(skills.length === 0 ? [] : [[t('Skills'), skills.join(', ')] as const]),
    ...(memory === undefined ? [] : [[t('Notes'), `\`${memory}\``] as const]),
    [t('Limits'), limitsOf(preview, t)],
    [t('First request'), `${size} (${isCounted ? t('counted by the server') : t('estimated')}): ${fixed}`],
  ];
  return [
    `# ${t('Preview of an agent: {0}', type)}`,
    t('Nothing was started. This is what a call with this task would start.'),
    ...notes.map((note) => `> ${note}`),
    rows.map(([name, value]) => `- **${name}**: ${value}`).join('\n'),
    `## ${t('Task')}`,
    fenced(preview.prompt),
    `## ${t('System prompt')}`,
    fenced(preview.system),
    '',
  ].join('\n\n');
}

function limitsOf({ maxSteps, budget }: SpawnPreview, t: Translate): string {
  const { tokens, usd, minutes } = budget;
  return [
    t('{0} steps', maxSteps),
    ...(tokens === undefined ? [] : [t('{0} tokens', show(tokens))]),
    ...(usd === undefined ? [] : [`$${usd}`]),
    ...(minutes === undefined ? [] : [t('{0} minutes', minutes)]),
  ].join(', ');
}

/** Whatever the text holds, it does not end its block. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function show(count: number): string {
  return count.toLocaleString('en-US');
}
