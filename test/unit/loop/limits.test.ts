import { describe, expect, it } from 'vitest';
import { Limits } from '../../../src/agent/loop/limits.ts';
import { noUsage } from '../../../src/agent/model/pricing.ts';

const never = new AbortController().signal;
const minute = 60_000;
const spent = (now: number, outputTokens = 0) => ({ steps: 0, usage: { ...noUsage, outputTokens }, cost: 0, now });
const yes = async () => true;
const no = async () => false;

describe('limits', () => {
  it('of minutes do not count the time in which the user thinks', async () => {
    const limits = new Limits(10, { minutes: 1 }, 0);
    expect(limits.reached(spent(minute))?.kind).toBe('minutes');
    expect(await limits.isGranted('minutes', yes, never)).toBe(true);
    limits.excuse(5 * minute);
    expect(limits.reached(spent(6.9 * minute))).toBeUndefined();
    expect(limits.reached(spent(7 * minute))?.kind).toBe('minutes');
  });

  it('are granted as a whole, by their first amount, and one by one', async () => {
    const limits = new Limits(10, { tokens: 100, minutes: 1 }, 0);
    await limits.isGranted('tokens', yes, never);
    expect(limits.reached(spent(0, 199))).toBeUndefined();
    expect(limits.reached(spent(minute, 0))?.text).toBe('The budget of 1 minutes is used up.');
    await limits.isGranted('tokens', yes, never);
    expect(limits.reached(spent(0, 299))).toBeUndefined();
    expect(limits.reached(spent(0, 300))?.text).toBe('The budget of 300 tokens is used up.');
  });

  it('are asked about once, however many come to them, and the answer holds for all', async () => {
    const limits = new Limits(10, { tokens: 100 }, 0);
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return true;
    };
    expect(await Promise.all([1, 2, 3].map(() => limits.isGranted('tokens', ask, never)))).toEqual([true, true, true]);
    expect(asked).toBe(1);
    expect(limits.reached(spent(0, 200))?.kind).toBe('tokens');
  });

  it('that were refused are not asked about again', async () => {
    const limits = new Limits(10, { tokens: 100 }, 0);
    expect(await limits.isGranted('tokens', no, never)).toBe(false);
    expect(await limits.isGranted('tokens', yes, never)).toBe(false);
    expect(await limits.isGranted('steps', yes, never)).toBe(true);
  });

  it('are asked about by the next one when the first is stopped meanwhile', async () => {
    const limits = new Limits(10, { tokens: 100 }, 0);
    const stop = new AbortController();
    const first = limits.isGranted('tokens', async () => stop.signal.aborted && false, stop.signal);
    stop.abort();
    expect(await first).toBe(false);
    expect(await limits.isGranted('tokens', yes, never)).toBe(true);
  });
});
