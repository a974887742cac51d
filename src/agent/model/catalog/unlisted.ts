/** What is known of models without the server's list. */
import { type Effort, effortLevels } from '../provider.ts';

/** What an alias means where the server has no list: the newest of each family as of October 2026. */
export const fallbackIds: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
};
export const fallbackContextWindow = 200_000;

/** What every model of that age accepts as `max_tokens`, where the server does not say. */
export function fallbackMaxOutput(id: string): number {
  if (/claude-3-\d/.test(id)) return 8_192;
  return /claude-3-/.test(id) ? 4_096 : 32_000;
}

/**
 * Where the server does not say: https://platform.claude.com/docs/en/build-with-claude/effort (it began with Opus 4.5; models of
 * 4.6 added `max`, later ones `xhigh`).
 */
export function fallbackEfforts(id: string): readonly Effort[] | undefined {
  const [, family, major, minor = '0'] = /^claude-(opus|sonnet|haiku)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(id) ?? [];
  if (family === undefined) return /^claude-3/.test(id) ? [] : undefined;
  const version = Number(major) * 100 + Number(minor);
  if (family === 'haiku') return version < 500 ? [] : undefined;
  if (version >= 407) return effortLevels;
  if (version >= 406) return effortLevels.filter((level) => level !== 'xhigh');
  return family === 'opus' && version === 405 ? ['low', 'medium', 'high'] : [];
}
