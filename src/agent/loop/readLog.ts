import type { ReadLog } from '../tools/tool.ts';

/** Remembers the versions of files. */
export function createReadLog(): ReadLog {
  const versions = new Map<string, string>();
  return {
    versionOf: (path) => versions.get(path),
    record: (path, version) => void versions.set(path, version),
  };
}
