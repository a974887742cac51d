/**
 * Shares a reading among those who ask at the same time: one that has begun is of no use to them, since it may have missed what
 * happened just before they asked, so they share the next one.
 */
export function readInTurns<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> | undefined;
  let next: Promise<Value> | undefined;
  const start = () => {
    const reading = read();
    const settled = reading.then(
      () => undefined,
      () => undefined,
    );
    running = settled;
    void settled.then(() => {
      if (running === settled) running = undefined;
    });
    return reading;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}
