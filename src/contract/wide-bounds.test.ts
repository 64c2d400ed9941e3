import { expect, test } from 'vitest';
import { readDocument } from '../document/document.ts';
import { placeOf } from './place.ts';
import { boundAt } from './wide-bounds.ts';

/** What a bound becomes that is written so, in JSON. */
function bound(keyword: string, written: string): unknown {
  const document = readDocument(`{ "a": { "${keyword}": ${written} } }`, 'api.json');
  const place = placeOf(document, `/a/${keyword}`);
  return boundAt(place, keyword, place.value ?? null);
}

test.each([
  ['maximum', '9223372036854775807', 2 ** 63 - 1024],
  ['maximum', '9223372036854776000', 2 ** 63],
  ['maximum', '9223372036854775808', 2 ** 63 - 1024],
  ['minimum', '-9223372036854775808', -(2 ** 63) + 1024],
  ['minimum', '-9223372036854776001', -(2 ** 63)],
  ['minimum', '9007199254740993', 9007199254740994],
  ['maximum', '9007199254740995', 9007199254740994],
  ['exclusiveMaximum', '9223372036854775807', 2 ** 63],
  ['exclusiveMaximum', '9223372036854776001', 2 ** 63 + 2048],
  ['exclusiveMinimum', '-9223372036854775807', -(2 ** 63)],
  ['exclusiveMinimum', '-9223372036854776001', -(2 ** 63) - 2048],
  ['maximum', '100000000000000000000000', 1e23],
  ['maximum', '1e30', 1e30],
  ['maximum', '9007199254740991', 9007199254740991],
  ['maxLength', '9223372036854775807', 2 ** 63],
])('%s %s is read as %d', (keyword, written, expected) => {
  expect(bound(keyword, written)).toBe(expected);
});

test('a bound of YAML is read like one of JSON, also through an anchor', () => {
  const document = readDocument(
    'a: { maximum: &most 9223372036854775807 }\nb: { maximum: *most }\n',
    'api.yaml',
  );
  for (const pointer of ['/a/maximum', '/b/maximum']) {
    const place = placeOf(document, pointer);
    expect(boundAt(place, 'maximum', place.value ?? null)).toBeLessThanOrEqual(2 ** 63);
  }
});
