/** A call that the user allowed for as long as a session is open. */
export type SessionAnswer = { readonly tool: string; readonly directory: string; readonly detail: string };

/** What was allowed "for this session", of every session of the window. Never written to disk. */
export interface SessionAnswers {
  /** A session is opened: nothing is allowed in it yet. */
  begin(session: string): void;
  has(session: string, call: SessionAnswer): boolean;
  add(session: string, call: SessionAnswer): void;
  /** Takes effect at the next call. */
  remove(session: string, call: SessionAnswer): void;
  /** In the order in which they were allowed. */
  list(session: string): readonly SessionAnswer[];
  /** @returns ends the subscription */
  onChange(listener: () => void): () => void;
}

export function createSessionAnswers(): SessionAnswers {
  const bySession = new Map<string, Map<string, SessionAnswer>>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    begin(session) {
      if (bySession.delete(session)) tell();
    },
    has: (session, call) => bySession.get(session)?.has(keyOf(call)) ?? false,
    add(session, { tool, directory, detail }) {
      const answers = bySession.get(session) ?? new Map<string, SessionAnswer>();
      bySession.set(session, answers);
      answers.set(keyOf({ tool, directory, detail }), { tool, directory, detail });
      tell();
    },
    remove(session, call) {
      if (bySession.get(session)?.delete(keyOf(call))) tell();
    },
    list: (session) => [...(bySession.get(session)?.values() ?? [])],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function keyOf({ tool, directory, detail }: SessionAnswer): string {
  return JSON.stringify([tool, directory, detail]);
}
