/** What git says about one path that is not as in the last commit. */
export type StatusRecord = {
  /** Relative to the top folder, with `/`; a folder with a repository of its own ends in `/`. */
  readonly path: string;
  /** Mode and object as in the last commit; `absent` for a path that is not there. */
  readonly committed: string;
  readonly isSubmodule: boolean;
};

export type GitStatus = {
  readonly head: string | undefined;
  readonly branch: string | undefined;
  readonly records: readonly StatusRecord[];
  /** What the index and the last commit hold, as git says it: equal texts, equal states. */
  readonly text: string;
};

export const absent = 'absent';

/** Reads `git status --porcelain=v2 --branch -z`, made without renames. */
export function parseStatus(output: string): GitStatus {
  let head: string | undefined;
  let branch: string | undefined;
  const records: StatusRecord[] = [];
  const lines: string[] = [];
  for (const line of output.split('\0')) {
    if (line.startsWith('# branch.oid ')) head = unlessNamed(line.slice(13), '(initial)');
    else if (line.startsWith('# branch.head ')) branch = unlessNamed(line.slice(14), '(detached)');
    else if (line.startsWith('? ')) records.push({ path: line.slice(2), committed: absent, isSubmodule: false });
    else {
      const record = parseTracked(line);
      if (!record) continue;
      records.push(record);
    }
    lines.push(line);
  }
  return { head, branch, records, text: lines.join('\0') };
}

function unlessNamed(text: string, name: string): string | undefined {
  return text === name ? undefined : text;
}

/** `1 XY sub mH mI mW hH hI path`, and `u XY sub m1 m2 m3 mW h1 h2 h3 path` for a conflict. */
function parseTracked(line: string): StatusRecord | undefined {
  const fields = line.split(' ');
  const [kind, , submodule = '', , second] = fields;
  if (kind === '1') {
    const path = fields.slice(8).join(' ');
    return { path, committed: identity(fields[3], fields[6]), isSubmodule: submodule.startsWith('S') };
  }
  if (kind !== 'u') return undefined;
  // Of the three sides of a conflict the second is ours.
  const path = fields.slice(10).join(' ');
  return { path, committed: identity(second, fields[8]), isSubmodule: submodule.startsWith('S') };
}

/** The same text as for a file on disk with this content. */
export function identity(mode: string | undefined, object: string | undefined): string {
  return mode === undefined || object === undefined || /^0+$/.test(mode) ? absent : `${mode} ${object}`;
}

export type TreeChange = { readonly before: string; readonly after: string };

/** Reads `git diff-tree -r -z --raw`: `:mode mode object object status` and the path, in turn. */
export function parseTreeChanges(output: string): ReadonlyMap<string, TreeChange> {
  const changes = new Map<string, TreeChange>();
  const fields = output.split('\0');
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [before = '', after, beforeObject, afterObject] = (fields[index] ?? '').split(' ');
    const path = fields[index + 1];
    if (path === undefined || !before.startsWith(':')) continue;
    changes.set(path, { before: identity(before.slice(1), beforeObject), after: identity(after, afterObject) });
  }
  return changes;
}

/** Reads `git ls-tree -r -z`: `mode type object`, a tab, the path. */
export function parseTree(output: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const line of output.split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const [mode, , object] = line.slice(0, tab).split(' ');
    files.set(line.slice(tab + 1), identity(mode, object));
  }
  return files;
}
