import { expect, test } from 'vitest';
import { compare, readDefects } from './compare.ts';

const defects = [
  { defect: 'Bodies are not compared.', findings: ['IDM-6/createCase'], perhaps: ['ERR-1/createCase'] },
  { defect: 'Nothing says how long to wait.', findings: ['THR-2/createCase'] },
];

test('what a stack deserves is neither missing nor unexpected', () => {
  expect(compare(['THR-2/createCase', 'ERR-1/createCase', 'IDM-6/createCase'], defects)).toEqual({
    found: ['ERR-1/createCase', 'IDM-6/createCase', 'THR-2/createCase'],
    missing: [],
    unexpected: [],
  });
});

test('a finding without a defect is unexpected, and a defect without its finding is missing', () => {
  expect(compare(['IDM-6/createCase', 'IDM-6/closeCase'], defects)).toEqual({
    found: ['IDM-6/closeCase', 'IDM-6/createCase'],
    missing: ['THR-2/createCase'],
    unexpected: ['IDM-6/closeCase'],
  });
});

test('a mistake in a file of expected findings is shown with its place', () => {
  expect(() => readDefects({}, 'plain', 'x/expected.yaml')).toThrow(
    "x/expected.yaml: 'plain' is not a list of defects; write [] where there are none",
  );
  expect(() => readDefects({ plain: [{}] }, 'plain', 'x')).toThrow("x: plain[0]: 'defect' is missing");
  expect(() => readDefects({ plain: [{ defect: 'A.', findings: ['IDM-6'] }] }, 'plain', 'x')).toThrow(
    "x: plain[0].findings: 'IDM-6' is not a finding such as IDM-6/createCase",
  );
});
