import { expect, test } from 'vitest';
import { textWith } from './lookups.ts';

const marker = 'asy-0123456789abcdef';

test.each([
  ['its member', `{"subject":"a \\"b\\" ${marker}","n":1}`, `a "b" ${marker}`],
  ['malformed JSON', `{/* c */"subject" : "x ${marker}"`, `x ${marker}`],
  ['a list around the body', `[{"subject":"x ${marker}"}]`, `x ${marker}`],
  ['a member of another name', `{"title":"x ${marker}"}`, undefined],
  ['a list in its place', `{"subject":["x ${marker}"]}`, undefined],
  ['two members', `{"subject":"x ${marker}","note":"${marker}"}`, undefined],
])('the text with a marker that is in %s', (_, body, text) => {
  expect(textWith(marker, body, '/subject')).toBe(text);
});
