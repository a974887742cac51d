/** What the work comes to; undefined as soon as the signal aborts. */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  let end = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
