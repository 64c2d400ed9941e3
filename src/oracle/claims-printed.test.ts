import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printedComplaints } from './claims-printed.ts';

test.each<readonly [string, string, unknown]>([
  ['Python', "{'subject': ['is required']}", { subject: ['is required'] }],
  [
    'Python, within a sentence',
    "Invalid: {'subject': ['not one'], 'a': [\"it's old\"]}",
    { subject: ['not one'], a: ["it's old"] },
  ],
  [
    'Django REST',
    "{'subject': [ErrorDetail(string='Required.', code='required')]}",
    { subject: [{ string: 'Required.', code: 'required' }] },
  ],
  ['Python, nested', "{'a': {'b': ['is required']}}", { a: { b: ['is required'] } }],
  ['Cerberus', "{'a': [{'b': ['required field']}]}", { a: [{ b: ['required field'] }] }],
  ['Ruby', '{:subject=>["can\'t be blank"]}', { subject: ["can't be blank"] }],
  ['Ruby 3.4', '{subject: ["can\'t be blank"]}', { subject: ["can't be blank"] }],
  [
    'Java',
    '{subject=must not be null, email=must not be blank}',
    { subject: 'must not be null', email: 'must not be blank' },
  ],
  [
    'Hibernate Validator',
    "[ConstraintViolationImpl{interpolatedMessage='x', propertyPath=subject, rootBeanClass=class Case}]",
    [{ interpolatedMessage: 'x', propertyPath: 'subject', rootBeanClass: 'class Case' }],
  ],
  ['Node', "{ subject: 'is required' }", { subject: 'is required' }],
  [
    'Go',
    'map[email:is required subject:cannot be blank]',
    { email: ['is required'], subject: ['cannot be blank'] },
  ],
  ['JSON in a sentence', 'Invalid {"subject":["is required"]}!', { subject: ['is required'] }],
])('a map of complaints is read as %s prints it', (_, text, value) => {
  expect(printedComplaints(text)).toEqual([value]);
});

test.each([
  "{'subject': 'A text', 'count': 5}",
  '{"subject":{"a":5}}',
  '[1, 2]',
  '{}',
  '[]',
  'map[subject:text count:5]',
  'Expected {"tags": ["string"]}',
  "{'subject': ['is required'",
  'a {b} c [d]',
  '(subject)',
])('what is no map of complaints is none: %s', (text) => {
  expect(printedComplaints(text)).toEqual([]);
});

test('no text makes it fail or hang', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{[()]}:=>\'"\\, amp1'), maxLength: 200 }), (text) => {
      printedComplaints(text);
    }),
    { numRuns: 300 },
  );
  const start = performance.now();
  for (const text of ['{'.repeat(20_000), "{'a':".repeat(5000), 'map['.repeat(5000), '{a='.repeat(7000)])
    printedComplaints(text);
  expect(performance.now() - start).toBeLessThan(2000);
});
