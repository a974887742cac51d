import type { Session } from '../../../agent/index.ts';

/** Says once that nothing works any more; background agents work on after the turn that started them. */
export function createEndWatch(session: Session, onEnd: () => void): () => void {
  let isWatching = false;
  return function watch() {
    if (isWatching) return;
    isWatching = true;
    void session.settled().then(() => {
      isWatching = false;
      if (session.isRunning) watch();
      else onEnd();
    });
  };
}
