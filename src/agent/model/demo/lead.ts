/** Plays the lead: understands the prompt, divides the work, delegates, and puts the reports together. */
import { type Area, exploreAreas, type Thoroughness } from '../../subagents/exploration/explore.ts';
import { plural, readAreaReport } from './areaReport.ts';
import { type Conversation, failedListings, offers, type PlannedCall, planCall, type Reply } from './conversation.ts';
import { type Intent, intentOf, thoroughnessOf } from './intent.ts';
import { answerSearch, describeProject, type LeadFindings } from './leadReport.ts';
import { isTruncated, pathsIn, reportIn, reportStatusIn } from './results.ts';
import { areasNamedIn, taskPrompt } from './task.ts';
import { emptyFolderText, helpText, readOnlyText } from './words.ts';

const mostAgents = { quick: 3, medium: 4, 'very thorough': 5 } as const;
/** Where a listing was cut, these find at least the upper part of every branch. */
const shallowPatterns = ['*', '*/*', '*/*/*', '*/*/*/*'];
const mostListedFolders = 12;

export function playLead(conversation: Conversation): Reply {
  const intent = intentOf(conversation.prompt);
  if (intent.kind === 'help') return say(helpText);
  if (intent.kind === 'change') return say(readOnlyText);
  const paths = listedPaths(conversation);
  const next = conversation.isTextOnly ? undefined : nextStep(conversation, intent, paths);
  return next ?? conclude(conversation, intent, paths);
}

function nextStep(conversation: Conversation, intent: Intent, paths: readonly string[]): Reply | undefined {
  if (conversation.calls.some(({ name }) => name === 'Agent')) return undefined;
  const globs = conversation.calls.filter(({ name }) => name === 'Glob');
  const list = (patterns: readonly string[]) => patterns.map((pattern) => planCall(conversation, 'Glob', { pattern }));
  if (globs.length === 0 && offers(conversation, 'Glob')) {
    return { text: 'First I look at what is in this folder.', calls: list(['**/*']) };
  }
  const failed = failedListings(conversation);
  const listings = conversation.steps.length - failed;
  if (listings === 0 && failed === 1) return { text: 'That failed; I try it once more.', calls: list(['**/*']) };
  if (listings === 1 && globs.some(isTruncated)) {
    return { text: 'One listing cannot hold all of it, so I go level by level.', calls: list(shallowPatterns) };
  }
  const folders = topFolders(paths).map((folder) => `${folder}/**/*`);
  if (listings === 2 && globs.slice(failed + 1).some(isTruncated) && folders.length > 0) {
    return { text: 'And folder by folder.', calls: list(folders) };
  }
  return paths.length === 0 ? undefined : delegate(conversation, intent, paths);
}

function delegate(conversation: Conversation, intent: Intent, paths: readonly string[]): Reply {
  const thoroughness = thoroughnessOf(conversation.prompt);
  const named = areasNamedIn(conversation.prompt, paths);
  const areas = named.length > 0 ? named : exploreAreas(paths, mostAgents[thoroughness]);
  const keywords = intent.kind === 'search' ? intent.keywords : [];
  const calls = areas.map((area, index) => delegation(conversation, area, index, areas, keywords, thoroughness));
  const names = areas.map(({ name }) => `**${name}**`).join(', ');
  const aim = keywords.length > 0 ? ` to look for ${keywords.map((word) => `\`${word}\``).join(', ')}` : '';
  const who = plural(areas.length, 'Explore agent');
  return {
    text: `${plural(paths.length, 'file')}. I send ${who}${areas.length > 1 ? ' in parallel' : ''}${aim}: ${names}.`,
    calls,
  };
}

function delegation(
  conversation: Conversation,
  area: Area,
  index: number,
  areas: readonly Area[],
  keywords: readonly string[],
  thoroughness: Thoroughness,
): PlannedCall {
  const short = shortName(area);
  const slug = slugOf(short) || `area-${index + 1}`;
  const isTaken = areas.slice(0, index).some((other) => slugOf(shortName(other)) === slug);
  return planCall(conversation, 'Agent', {
    description: keywords.length > 0 ? `Search in ${short}` : `Explore area ${short}`,
    prompt: taskPrompt(area, keywords, thoroughness),
    subagent_type: 'Explore',
    name: isTaken ? `${slug}-${index + 1}` : slug,
    thoroughness,
  });
}

function conclude(conversation: Conversation, intent: Intent, paths: readonly string[]): Reply {
  const agents = conversation.calls.filter(({ name }) => name === 'Agent');
  const failedGlob = conversation.calls.find(({ name, isError }) => name === 'Glob' && isError);
  if (paths.length === 0 && agents.length === 0) {
    if (failedGlob !== undefined) return say(`The folder could not be listed: ${failedGlob.output.slice(0, 300)}`);
    return say(conversation.calls.length > 0 ? emptyFolderText : helpText);
  }
  const findings: LeadFindings = {
    paths,
    isPartial: conversation.calls.some((call) => call.name === 'Glob' && isTruncated(call)),
    reports: agents.flatMap((call) => (call.isError ? [] : (readAreaReport(reportIn(call.output)) ?? []))),
    unfinished: agents.flatMap((call) => {
      const status = call.isError ? 'failed' : reportStatusIn(call.output);
      const name = typeof call.input.name === 'string' ? call.input.name : 'an agent';
      if (status === 'completed' || status === 'cached') return [];
      return [`${name}: ${status.replaceAll('_', ' ')}`];
    }),
  };
  return say(intent.kind === 'search' ? answerSearch(intent.keywords, findings) : describeProject(findings));
}

function listedPaths(conversation: Conversation): readonly string[] {
  return [...new Set(conversation.calls.filter(({ name }) => name === 'Glob').flatMap(pathsIn))];
}

/** Those that hold most of what is known so far. */
function topFolders(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [folder = '', ...rest] = path.split('/');
    if (rest.length > 0 && !folder.startsWith('.')) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return sorted.slice(0, mostListedFolders).map(([folder]) => folder.replace(/[[\]{}()*?!\\]/g, '?'));
}

function say(text: string): Reply {
  return { text, calls: [] };
}

/** At most three words. */
function shortName({ name }: Area): string {
  const words = name.slice(0, 60).split(' ').slice(0, 3).join(' ');
  return words.replace(/( and( \d+)?|[,:])$/, '');
}

/** Kebab-case, in letters of any script. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 36)
    .replace(/-+$/, '');
}
