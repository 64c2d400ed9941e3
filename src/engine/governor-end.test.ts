import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { machineClock } from '../run/clock.ts';
import { full } from '../testing/governed.ts';
import { makeGovernor } from './governor.ts';

test('nothing listens once the run has ended: Node keeps a combined signal, and so the whole run, while something does', async () => {
  const governor = makeGovernor(machineClock, { left: () => 60_000 });
  const end = new AbortController();
  for (let sent = 0; sent < 3; sent += 1) await governor.admit({ senders: [full] }, end.signal);
  expect(getEventListeners(end.signal, 'abort').length).toBe(1);
  end.abort();
  expect(getEventListeners(end.signal, 'abort')).toEqual([]);
});
