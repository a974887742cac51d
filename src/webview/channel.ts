import { createBirpc } from 'birpc';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { type CallArguments, type HostCall, type HostFunctions, hostCalls, type PageFunctions } from './protocol.ts';

/** Something that the page may not do or that failed. */
export type Report = (text: string, cause?: unknown) => void;

type Calls = { readonly [Name in HostCall]: (...args: CallArguments[Name]) => unknown };

const schemas: { readonly [Name in HostCall]: z.ZodType<CallArguments[Name]> } = hostCalls;

const messageSchema = z.union([
  z.object({
    t: z.literal('q'),
    m: z.string(),
    a: z.array(z.unknown()),
    i: z.string().optional(),
    o: z.boolean().optional(),
  }),
  z.object({ t: z.literal('s'), i: z.string() }).loose(),
]);

/** Every message of the page is looked at before anything is done with it: a page may be made to say anything. */
export function connect(webview: vscode.Webview, calls: HostFunctions, report: Report): PageFunctions {
  let subscription: vscode.Disposable | undefined;
  const rpc = createBirpc<PageFunctions, HostFunctions>(calls, {
    post: (message: unknown) => webview.postMessage(message),
    on: (receive) => {
      subscription = webview.onDidReceiveMessage((message: unknown) => {
        const known = messageSchema.safeParse(message);
        if (known.success) receive(known.data);
        else report('The page sent something that is no message');
      });
    },
    off: () => subscription?.dispose(),
    timeout: -1,
    eventNames: ['events', 'state', 'reset', 'focus', 'prefill', 'history', 'historyHits'],
    resolver: (name) => checkedCall(name, calls, report),
    onFunctionError: (error, name) => {
      report(`The page called ${name}, which failed`, error);
    },
  });
  const say = (send: Promise<void>) => void send.catch((error) => report('The page could not be told', error));
  return {
    events: (session, events) => say(rpc.events(session, events)),
    state: (state) => say(rpc.state(state)),
    reset: (snapshot) => say(rpc.reset(snapshot)),
    focus: () => say(rpc.focus()),
    history: (view) => say(rpc.history(view)),
    historyHits: (hits) => say(rpc.historyHits(hits)),
    prefill: (text) => say(rpc.prefill(text)),
  };
}

function checkedCall(name: string, calls: HostFunctions, report: Report) {
  if (!isHostCall(name)) {
    report(`The page called ${JSON.stringify(name.slice(0, 100))}, which does not exist`);
    return undefined;
  }
  return (...args: unknown[]): unknown => {
    const call = toCall(name, args, calls);
    if (call) return call();
    report(`The page called ${name} with what it does not take`);
    throw new Error(`${name}: refused`);
  };
}

function isHostCall(name: string): name is HostCall {
  return Object.hasOwn(hostCalls, name);
}

/** The call with its checked arguments; undefined when they are not what the function takes. */
function toCall<Name extends HostCall>(
  name: Name,
  args: readonly unknown[],
  calls: Calls,
): (() => unknown) | undefined {
  const call: Calls[Name] = calls[name];
  const parsed = schemas[name].safeParse(args);
  return parsed.success ? () => call(...parsed.data) : undefined;
}
