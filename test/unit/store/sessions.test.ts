import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createArtifacts } from '../../../src/agent/store/artifacts.ts';
import { HistoryReader } from '../../../src/agent/store/history.ts';
import { openJournal } from '../../../src/agent/store/journal/journal.ts';
import { journalPath, listSessions, newSessionId, sessionsDirectory } from '../../../src/agent/store/sessions.ts';
import { notice, stamped, temporaryFolder } from './sample.ts';

async function addSession(state: string, id: string, title: string, seconds: number): Promise<void> {
  const path = journalPath(state, id);
  const journal = await openJournal(path, { onProblem: (message) => expect.unreachable(message) });
  await journal.append(stamped(1, { type: 'session-start', workspace: `/code/${id}`, title }), 'lazy');
  await journal.append(notice(2, 'x'.repeat(100_000)), 'lazy');
  await journal.close();
  await utimes(path, seconds, seconds);
}

test('sessions are listed newest first, with title and workspace, and none of them is touched', async () => {
  const state = await temporaryFolder();
  expect(await listSessions(state)).toEqual([]);
  await addSession(state, 'a', 'First', 100);
  await addSession(state, 'b', 'Second', 300);
  await addSession(state, 'c', '', 200);
  const broken = journalPath(state, 'd');
  await writeFile(broken, '\0\0\0');
  await utimes(broken, 50, 50);
  await writeFile(join(sessionsDirectory(state), 'b.jsonl.torn-1'), 'x');
  await writeFile(join(sessionsDirectory(state), 'b.lock'), 'x');
  expect(await listSessions(state)).toEqual([
    { id: 'b', title: 'Second', workspace: '/code/b', updatedAt: 300_000 },
    { id: 'c', title: 'c', workspace: '/code/c', updatedAt: 200_000 },
    { id: 'a', title: 'First', workspace: '/code/a', updatedAt: 100_000 },
    { id: 'd', title: 'd', workspace: '', updatedAt: 50_000 },
  ]);
});

test('a hundred sessions are all listed', async () => {
  const state = await temporaryFolder();
  await mkdir(sessionsDirectory(state));
  await Promise.all(Array.from({ length: 100 }, (_, index) => writeFile(journalPath(state, `s${index}`), '')));
  expect(new Set((await listSessions(state)).map((session) => session.id)).size).toBe(100);
});

test('ids of sessions sort by time, differ within a millisecond, and cannot lead elsewhere', () => {
  const ids = [0, 999, 1_700_000_000_000, 1_700_000_000_001].map(newSessionId);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 100 }, () => newSessionId(5))).size).toBe(100);
  expect(journalPath('state', ids[0] ?? '')).toBe(join('state', 'sessions', `${ids[0]}.jsonl`));
  for (const id of ['', '..', '../x', 'a/b', 'a\\b', '.hidden', 'a.b', 'x'.repeat(101), 'a\0']) {
    expect(() => journalPath('state', id)).toThrow(/is no id of a session/);
    expect(() => createArtifacts('state', id)).toThrow(/is no id of a session/);
  }
});

test('S44 artifacts are private files under names that cannot be foreseen', async () => {
  const state = await temporaryFolder();
  const artifacts = createArtifacts(state, 's1');
  expect(await readdir(state)).toEqual([]);
  const [first, second] = await Promise.all([artifacts.write('long 注意', 'txt'), artifacts.write('other', '.txt')]);
  const free = await artifacts.path('../log');
  expect(await readFile(first, 'utf8')).toBe('long 注意');
  expect(new Set([first, second, free].map((path) => dirname(path)))).toEqual(new Set([artifacts.directory]));
  for (const path of [first, second]) expect(path).toMatch(/[0-9a-f]{24}\.txt$/);
  expect(free).toMatch(/[0-9a-f]{24}\.log$/);
  await expect(stat(free)).rejects.toThrow(/ENOENT/);
  if (process.platform === 'win32') return;
  expect((await stat(first)).mode & 0o777).toBe(0o600);
  expect((await stat(artifacts.directory)).mode & 0o777).toBe(0o700);
});

test('S44 a folder for artifacts that others could read is closed, and a file in its place is refused until it is gone', async () => {
  const state = await temporaryFolder();
  await mkdir(join(state, 'artifacts', 'open'), { recursive: true, mode: 0o777 });
  const open = createArtifacts(state, 'open');
  await open.write('x', 'txt');
  if (process.platform !== 'win32') expect((await stat(open.directory)).mode & 0o777).toBe(0o700);
  await writeFile(join(state, 'artifacts', 'taken'), '');
  await expect(createArtifacts(state, 'taken').write('x', 'txt')).rejects.toThrow();
});

test("an agent's history is what it said since its last compaction", () => {
  const said = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
  const compact = { type: 'context-compact', by: 'lead', how: 'summary', tokensBefore: 9, tokensAfter: 1 } as const;
  const history = new HistoryReader();
  history.add(stamped(1, { type: 'message-append', step: 0, message: said('one') }));
  history.add(stamped(2, { ...compact, history: [said('summary')] }));
  history.add(notice(3));
  history.add(stamped(4, { type: 'message-append', step: 1, message: said('two') }));
  expect(history.messages).toEqual([said('summary'), said('two')]);
});
