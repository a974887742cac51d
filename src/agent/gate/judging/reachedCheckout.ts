import { resolve } from 'node:path';
import type { GroundWorktree } from '../places/ground.ts';
import { isInside } from '../places/paths.ts';
import { piecesOf } from '../shell/reach.ts';
import { readScript, type ShellCommand, type ShellScript, type ShellWord } from '../shell/script.ts';
import { baseName } from '../shell/word.ts';
import { directoriesOf, namedPlaces } from './commandPlaces.ts';

/** They lead git to another repository, index or configuration. */
const redirecting =
  /^(export\s+)?GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|NAMESPACE|CEILING_DIRECTORIES|CONFIG\w*|ALTERNATE_OBJECT_DIRECTORIES)\b/;

/**
 * Whether a command of an agent in a worktree names the checkout in whose place the worktree is, or leads git elsewhere.
 * @returns what to tell the agent; undefined: not as far as its text tells
 */
export async function reachesCheckout(
  command: string,
  directory: string,
  { path, main }: Pick<GroundWorktree, 'path' | 'main'>,
): Promise<string | undefined> {
  const script = readScript(command);
  const words = wordsOf(script);
  const variable = words.find(({ text, likely }) => redirecting.test(text) || redirecting.test(likely));
  if (variable) return refuse(`it leads git to another repository (${variable.text.slice(0, 60)})`);
  const option = script.commands.flatMap(gitRedirects).find((target) => !isInside(path, resolve(directory, target)));
  if (option !== undefined) return refuse(`it leads git out of your worktree (${option})`);
  if (script.commands.some(managesWorktrees)) return refuse('worktrees are made and removed by Offshoot');
  const starts = directoriesOf(script, directory);
  const inMain = (place: string) => isInside(main, place) && !isInside(path, place);
  const named = await namedPlaces(script, starts.length > 0 ? starts : [directory]);
  const place = [...starts, ...named, ...piecesIn(words)].find(inMain);
  return place === undefined ? undefined : refuse(`it reaches into the main checkout (${place})`);
}

function refuse(reason: string): string {
  return `This command is refused: ${reason}, and you work in a git worktree of your own. Use relative paths: your worktree holds the same files.`;
}

function wordsOf({ commands, targets, otherWords }: ShellScript): readonly ShellWord[] {
  return [...commands.flatMap(({ words, assignments }) => [...assignments, ...words]), ...targets, ...otherWords];
}

/** Paths in the midst of other text, as in a program for an interpreter. */
function piecesIn(words: readonly ShellWord[]): readonly string[] {
  return words
    .flatMap(({ likely, text }) => [...piecesOf(likely), ...piecesOf(text)])
    .filter((piece) => piece.startsWith('/'));
}

/** The words behind each `git` in a command, however it is started. */
function gitCalls({ words }: ShellCommand): readonly (readonly string[])[] {
  const likely = words.map((word) => word.likely);
  return likely.flatMap((word, index) => (baseName(word) === 'git' ? [likely.slice(index + 1)] : []));
}

function gitRedirects(command: ShellCommand): readonly string[] {
  return gitCalls(command).flatMap((words) =>
    words.flatMap((word, index) => {
      const [, joined] = /^--(?:git-dir|work-tree|exec-path|super-prefix)=(.*)$/.exec(word) ?? [];
      if (joined !== undefined) return [joined];
      return /^(-C|--git-dir|--work-tree|--exec-path)$/.test(word) ? [words[index + 1] ?? ''] : [];
    }),
  );
}

function managesWorktrees(command: ShellCommand): boolean {
  return gitCalls(command).some((words) => {
    const at = words.indexOf('worktree');
    return at >= 0 && words.slice(0, at).every((word) => word.startsWith('-')) && words[at + 1] !== 'list';
  });
}
