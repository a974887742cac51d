/** Runs beside Offshoot in the extension host and notes how long it let nothing else run. */
const { appendFileSync } = require('node:fs');

const tickMs = 5;
const noteMs = 200;

/** Milliseconds that this thread has worked: what the rest of the machine does is not in it. */
const workedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

exports.activate = () => {
  const file = process.env.OFFSHOOT_BENCH_PROBE;
  if (file === undefined) return;
  let last = workedMs();
  let notedAt = performance.now();
  let worst = 0;
  setInterval(() => {
    const now = workedMs();
    worst = Math.max(worst, now - last);
    last = now;
    if (performance.now() - notedAt < noteMs) return;
    appendFileSync(file, `${JSON.stringify({ time: Date.now(), worst })}\n`);
    notedAt = performance.now();
    worst = 0;
    last = workedMs();
  }, tickMs);
};
