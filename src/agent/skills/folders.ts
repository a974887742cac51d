import { join } from 'node:path';

/** A folder that holds skills, each in a folder of its own. */
export type SkillFolder = {
  readonly path: string;
  /** It may be a link, but not out of this one. */
  readonly within?: string;
};

/** The folders of one workspace root, the first goes before the others. */
export const projectSkillFolders: readonly string[] = ['.offshoot/skills', '.claude/skills'];
export const homeSkillFolders: readonly string[] = ['.offshoot/skills', '.claude/skills'];

/** Where skills are looked for: the first of two of one name wins. An untrusted workspace has no say. */
export function skillFolders(places: {
  readonly workspace: { readonly roots: readonly string[]; readonly isTrusted: boolean };
  readonly home: string;
}): readonly SkillFolder[] {
  const { workspace, home } = places;
  const project = (workspace.isTrusted ? workspace.roots : []).flatMap((root) =>
    projectSkillFolders.map((path) => ({ path: join(root, path), within: root })),
  );
  return [...project, ...homeSkillFolders.map((path) => ({ path: join(home, path) }))];
}
