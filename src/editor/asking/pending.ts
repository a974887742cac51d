/** A promise that waits for one of several parties; whoever settles first wins and the rest is ignored. */
export type Pending<Value> = {
  readonly promise: Promise<Value>;
  readonly isOpen: boolean;
  /** @returns false when it was settled before */
  settle(value: Value): boolean;
};

/** @param onAbort the outcome when the signal aborts first */
export function createPending<Value>(signal: AbortSignal, onAbort: () => Value): Pending<Value> {
  const { promise, resolve } = withResolvers<Value>();
  let isOpen = true;
  const settle = (value: Value) => {
    if (!isOpen) return false;
    isOpen = false;
    signal.removeEventListener('abort', abort);
    resolve(value);
    return true;
  };
  const abort = () => settle(onAbort());
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  return {
    promise,
    get isOpen() {
      return isOpen;
    },
    settle,
  };
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
