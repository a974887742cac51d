import assert from 'node:assert/strict';
import type { Session } from '../../src/agent/index.ts';
import type { SessionAccess } from '../../src/editor/conversation/shown/access.ts';
import type { MadeSession } from '../../src/editor/conversation/shown/makeSession.ts';
import type { OpenSession } from '../../src/editor/conversation/shown/opener.ts';
import { createReadings } from '../../src/editor/conversation/shown/readings.ts';
import { createSlot } from '../../src/editor/conversation/shown/slot.ts';
import { createSwitching } from '../../src/editor/conversation/shown/switching.ts';

const none = () => undefined;
const made = (id: string) => ({ session: { id, close: async () => undefined } as unknown as Session }) as MadeSession;

describe('a conversation that another window has let go of', () => {
  /** One shows that another window had; what is read is there when the test says so. */
  function setUp() {
    const reads: { readonly session: string; readonly end: () => void }[] = [];
    const readings = createReadings();
    const adopt = (session: MadeSession): OpenSession => ({ ...session, unsubscribe: none });
    const slot = createSlot<OpenSession>({
      start: async () => undefined,
      startLast: async () => adopt(made('freed')),
      onEmpty: none,
      onLeave: none,
    });
    const read = (session: string, signal: AbortSignal) =>
      readings.during(
        new Promise<MadeSession | undefined>((resolve) => {
          reads.push({ session, end: () => resolve(signal.aborted ? undefined : made(session)) });
        }),
      );
    const nothing = async () => undefined;
    const access: SessionAccess = {
      read: () => 'write',
      begin: nothing,
      lose: none,
      end: none,
      takeOver: async () => true,
    };
    const opener = { read, adopt, forgetLast: nothing };
    return {
      reads,
      slot,
      switching: createSwitching({ slot, access, opener, readings, pushState: none, reset: nothing }),
    };
  }

  it('is read again', async () => {
    const { reads, slot, switching } = setUp();
    const before = await slot.take(false);
    const caughtUp = switching.catchUp('freed');
    await new Promise(setImmediate);
    reads[0]?.end();
    await caughtUp;
    assert.notEqual(slot.open, before);
    assert.equal(slot.open?.session.id, 'freed');
  });

  it('does not come in the way of another that the user opens', async () => {
    const { reads, slot, switching } = setUp();
    await slot.take(false);
    const opened = switching.openPast('other');
    await switching.catchUp('freed');
    for (const { end } of reads) end();
    assert.equal(await opened, true);
    assert.deepEqual([slot.open?.session.id, reads.map(({ session }) => session)], ['other', ['other']]);
  });
});
