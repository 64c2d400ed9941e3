import { expect, test } from 'vitest';
import { makeSharing, type Sharing } from './sharing.ts';

/** A caller has sent so many requests, the last of which was sent at 100 and got 429: it may send again at 1000. */
const rests = (sharing: Sharing, principal: string, sent: number): void => {
  for (let index = 0; index < sent; index += 1) sharing.count(principal);
  sharing.throttled(principal, { startedAt: 100, endedAt: 110, until: 1000 });
};
const throttled = (sharing: Sharing, principal: string, sent: number, startedAt: number): void => {
  for (let index = 0; index < sent; index += 1) sharing.count(principal);
  sharing.throttled(principal, { startedAt, endedAt: startedAt + 10, until: startedAt + 900 });
};

test('callers that are throttled long before they sent as many as one that rests share its limit', () => {
  const sharing = makeSharing();
  rests(sharing, 'full', 20);
  throttled(sharing, 'peer', 10, 120);
  expect(sharing.isShared()).toBe(false);
  throttled(sharing, 'nobody', 1, 130);
  expect(sharing.isShared()).toBe(true);
  sharing.forget();
  expect(sharing.isShared()).toBe(false);
});

test.each<[string, (sharing: Sharing) => void]>([
  [
    'sent nearly as many',
    (sharing) => {
      throttled(sharing, 'peer', 11, 120);
      throttled(sharing, 'nobody', 11, 130);
    },
  ],
  [
    'are throttled after the rest',
    (sharing) => {
      throttled(sharing, 'peer', 1, 1001);
      throttled(sharing, 'nobody', 1, 2000);
    },
  ],
  [
    'were served meanwhile',
    (sharing) => {
      sharing.served('other', 111);
      sharing.served('other', 112);
      throttled(sharing, 'peer', 1, 120);
      throttled(sharing, 'nobody', 1, 130);
    },
  ],
  [
    'are one and the same',
    (sharing) => {
      throttled(sharing, 'peer', 1, 120);
      throttled(sharing, 'peer', 1, 130);
    },
  ],
])('callers that %s show no shared limit', (_, happens) => {
  const sharing = makeSharing();
  rests(sharing, 'full', 20);
  happens(sharing);
  expect(sharing.isShared()).toBe(false);
});
