import { expect, test } from 'vitest';
import { hasMarker, shownMarkers } from './marker.ts';

test('a usual marker is known in a text that was stored in another case', () => {
  const marker = 'asy-0123456789abcdef';
  expect(shownMarkers(`PROBE ${marker.toUpperCase()}, ${marker}`)).toEqual([marker, marker]);
  expect(hasMarker(marker.toUpperCase(), marker)).toBe(true);
  expect(hasMarker('ABC-1', 'abc-1')).toBe(false);
});
