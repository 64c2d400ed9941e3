import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invalidValues, validator, validValues } from './index.ts';

test('the example of the README is true', () => {
  const schema = {
    type: 'object',
    required: ['subject'],
    properties: { subject: { type: 'string', minLength: 1 }, priority: { enum: ['low', 'high'] } },
  };
  const smallest = { subject: 'a' };
  const broken = {
    pointer: '/subject',
    keyword: 'minLength',
    value: { subject: '' },
    describes: 'subject has 0 characters instead of at least 1',
  };
  expect(validValues(schema)).toMatchObject({ kind: 'supported', smallest, notes: [] });
  expect(invalidValues(schema, smallest).mutations).toContainEqual(expect.objectContaining(broken));
  expect(validator(schema)(broken.value)).toMatchObject([{ pointer: '/subject', keyword: 'minLength' }]);
  const text = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  for (const part of [broken.describes, "smallest: { subject: 'a' }", "required: ['subject']"])
    expect(text).toContain(part);
});
