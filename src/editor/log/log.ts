import * as vscode from 'vscode';

const keyShape = /sk-[A-Za-z0-9_-]{8,}/g;

/** What Offshoot says about itself goes here; nothing that looks like a key gets in. */
export type Log = {
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
  show(): void;
  dispose(): void;
};

export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Offshoot', { log: true });
  const clean = (text: string) => text.replace(keyShape, 'sk-…');
  return {
    info: (text) => channel.info(clean(text)),
    warn: (text) => channel.warn(clean(text)),
    error: (text, cause) => channel.error(clean(cause === undefined ? text : `${text}: ${describe(cause)}`)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const below = cause.cause === undefined ? '' : `\n  caused by ${describe(cause.cause)}`;
  return `${cause.stack ?? cause.message}${below}`;
}
