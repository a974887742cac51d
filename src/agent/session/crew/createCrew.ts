import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Hooks } from '../../gate/hooks/hooks.ts';
import { createPathResolver } from '../../gate/places/paths.ts';
import { homeSkillFolders } from '../../skills/folders.ts';
import { createSessionGate } from '../guards/sessionGate.ts';
import { createSessionHooks, withNotifications } from '../guards/sessionHooks.ts';
import type { Past } from '../past/readPast.ts';
import { Crew, type CrewParts } from './crew.ts';

type Parts = Omit<CrewParts, 'gate' | 'hooks' | 'paths' | 'pathRoots' | 'takenNames'> & {
  readonly past: Pick<Past, 'names' | 'turns'>;
};

/** A crew behind its gate, with the hooks that both share. Whoever made them closes the hooks. */
export function createCrew(parts: Parts): { readonly crew: Crew; readonly hooks: Hooks } {
  const { workspace, artifacts, mode, past } = parts;
  const readOnlyRoots = [artifacts.directory, ...homeSkillFolders.map((path) => join(homedir(), path))];
  const pathRoots = { roots: workspace.roots, readOnlyRoots };
  const paths = createPathResolver(pathRoots);
  const hooks = createSessionHooks({ ...parts, turns: past.turns }, mode);
  const host = withNotifications(parts.host, hooks);
  const gate = createSessionGate({ ...parts, hooks: hooks.calls }, paths, mode);
  return { crew: new Crew({ ...parts, host, hooks, gate, paths, pathRoots, takenNames: past.names }), hooks };
}
