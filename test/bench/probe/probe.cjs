/** Runs beside Offshoot in the extension host and notes how long nothing else could run. */
const { appendFileSync } = require('node:fs');

const tickMs = 5;
const noteMs = 200;

exports.activate = () => {
  const file = process.env.OFFSHOOT_BENCH_PROBE;
  if (file === undefined) return;
  let last = performance.now();
  let notedAt = last;
  let worst = 0;
  setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last - tickMs);
    last = now;
    if (now - notedAt < noteMs) return;
    appendFileSync(file, `${JSON.stringify({ time: Date.now(), worst })}\n`);
    notedAt = now;
    worst = 0;
  }, tickMs);
};
