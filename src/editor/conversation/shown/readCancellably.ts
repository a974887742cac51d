import * as vscode from 'vscode';

const patienceMs = 700;

/**
 * Reads something that may take long: after a moment a notification says so, with a way to give it up.
 * @param outer gives it up as well
 * @returns `cancelled` when it was given up
 */
export async function readCancellably<Value>(
  title: string,
  read: (signal: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): Promise<Value | 'cancelled'> {
  const controller = new AbortController();
  const signal = outer ? AbortSignal.any([controller.signal, outer]) : controller.signal;
  const reading = read(signal);
  const ended = reading.then(
    () => undefined,
    () => undefined,
  );
  const notify = () =>
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => controller.abort());
        return ended;
      },
    );
  const timer = setTimeout(notify, patienceMs);
  try {
    const value = await reading;
    return signal.aborted ? 'cancelled' : value;
  } catch (error) {
    if (signal.aborted) return 'cancelled';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
