import { expect, test } from 'vitest';
import { machineClock } from './clock.ts';

test.each([3e9, 1e300])('a sleep of %s ms does not end at once', async (milliseconds) => {
  const stop = new AbortController();
  let ended = false;
  const slept = machineClock.sleep(milliseconds, stop.signal).then(() => {
    ended = true;
  });
  await machineClock.sleep(30);
  expect(ended).toBe(false);
  stop.abort();
  await slept;
});
