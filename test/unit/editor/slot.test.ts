import { describe, expect, test } from 'vitest';
import type { Session } from '../../../src/agent/index.ts';
import { createSlot } from '../../../src/editor/conversation/shown/slot.ts';

type Place = { readonly session: Session };

/** Sessions that open when they are told to. */
function setUp() {
  const closed: string[] = [];
  const left: string[] = [];
  const starts: { readonly id: string; readonly open: () => void; readonly fail: (error: Error) => void }[] = [];
  let made = 0;
  const start = () =>
    new Promise<Place | undefined>((resolve, reject) => {
      const id = `new ${++made}`;
      const session = { id, close: async () => void closed.push(id) } as unknown as Session;
      starts.push({ id, open: () => resolve({ session }), fail: reject });
    });
  const slot = createSlot<Place>({
    start,
    startLast: async () => undefined,
    onEmpty: () => undefined,
    onLeave: ({ session }) => left.push(session.id),
  });
  return { slot, starts, closed, left };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the place for a session', () => {
  test('is filled once, however many ask', async () => {
    const { slot, starts } = setUp();
    const both = Promise.all([slot.take(true), slot.take(true)]);
    await soon();
    starts[0]?.open();
    const [one, other] = await both;
    expect([one?.session.id, other?.session.id, starts.length]).toEqual(['new 1', 'new 1', 1]);
  });

  test('gives who takes while it is emptied another session, whichever opens first', async () => {
    const { slot, starts, closed, left } = setUp();
    const first = slot.take(true);
    await soon();
    const emptied = slot.empty();
    const second = slot.take(true);
    await soon();
    starts[1]?.open();
    expect((await second)?.session.id).toBe('new 2');
    starts[0]?.open();
    await Promise.all([first, emptied]);
    expect([slot.open?.session.id, closed, left]).toEqual(['new 2', ['new 1'], ['new 1']]);
  });

  test('is given what was made meanwhile, and nothing else stays open', async () => {
    const { slot, starts, closed } = setUp();
    const first = slot.take(true);
    await soon();
    starts[0]?.open();
    await first;
    const made = { session: { id: 'past' } as unknown as Session };
    const replaced = slot.replace(() => made);
    const second = slot.take(true);
    await soon();
    starts[1]?.open();
    await Promise.all([replaced, second]);
    expect([slot.open, await slot.take(true), closed]).toEqual([made, made, ['new 1', 'new 2']]);
  });

  test('stays empty when a session cannot be had, and can be filled afterwards', async () => {
    const { slot, starts } = setUp();
    const first = slot.take(true);
    await soon();
    starts[0]?.fail(new Error('no folder'));
    await expect(first).rejects.toThrow('no folder');
    expect([await slot.take(false), slot.open]).toEqual([undefined, undefined]);
    const taken = slot.take(true);
    await soon();
    starts[1]?.open();
    expect((await taken)?.session.id).toBe('new 2');
  });
});
