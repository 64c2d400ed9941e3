import { expect, test } from 'vitest';
import { contractWith } from '../testing/described.ts';

test.each([
  ['{ type: integer }', 'its type is integer'],
  ['{ enum: [a, b] }', 'it has 2 values only (enum)'],
  ['{ type: string, const: x }', 'it has one value only (const)'],
  ['{ type: string, maxLength: 35 }', 'it has 35 characters at most'],
  ['{ type: string, minLength: 37 }', 'it has 37 characters at least'],
  ["{ type: string, pattern: '^[0-9A-HJKMNP-TV-Z]{26}$' }", 'its pattern is ^[0-9A-HJKMNP-TV-Z]{26}$'],
  ['{ allOf: [{ type: string }, { maxLength: 5 }] }', 'it has 5 characters at most'],
  ["{ $ref: '#/components/schemas/Key' }", 'it has 8 characters at most'],
])('a key that no UUID can be is named in a warning: %s', async (keySchema, because) => {
  const { warnings } = await contractWith({
    keySchema,
    more: ['  schemas: { Key: { type: string, maxLength: 8 } }'],
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^c\.yaml:\d+:\d+: the Idempotency-Key of 'make' cannot be a UUID: /),
  ]);
  expect(warnings?.[0]).toContain(`: ${because}; Assay sends UUIDs`);
});

test.each([
  'true',
  '{}',
  '{ type: string, minLength: 1, maxLength: 255 }',
  '{ type: string, format: uuid, minLength: 36, maxLength: 36 }',
  "{ type: [string, 'null'] }",
  "{ type: string, pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' }",
  "{ type: string, pattern: '^[A-Za-z0-9_-]+$' }",
  // It could take for ever, and nothing is said.
  "{ type: string, pattern: '^([a-z0-9-]+)+!$' }",
])('a key that may be a UUID is not: %s', async (keySchema) => {
  expect((await contractWith({ keySchema })).warnings).toBeUndefined();
});
