import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from '../model/contract.ts';
import type { PathNoise } from '../model/scenario.ts';
import { compose } from './compose.ts';

const pathIn = (path: PathNoise, operation = 'updateCase'): string | undefined => {
  const composed = compose(
    {
      id: 'test',
      operation,
      as: 'full',
      role: 'test',
      key: { use: 'none' },
      body: { use: 'none' },
      target: { caseId: { literal: 'case_aB1' } },
      path,
      deviations: [],
    },
    {
      operation: operationOf(contract, operation),
      scenario: { title: '', bodies: {}, waves: [] },
      bound: { keys: {}, markers: {} },
      token: 'Token-of-the-test',
      basePath: '/api',
      extraHeaders: [],
      random: '',
      resolve: (ref) => ('literal' in ref ? ref.literal : undefined),
    },
  );
  return 'missing' in composed ? composed.missing : composed.path;
};

test('a path in another form names the same record', () => {
  expect(pathIn('upper-case')).toBe('/api/CASES/case_aB1');
  expect(pathIn('upper-case', 'closeCase')).toBe('/api/CASES/case_aB1/CLOSURE');
  expect(pathIn('encoded')).toBe('/api/%63ases/case_aB1');
  expect(pathIn('encoded-slash')).toBe('/api/cases%2fcase_aB1');
  expect(pathIn('encoded-slash', 'closeCase')).toBe('/api/cases%2fcase_aB1/closure');
  expect(pathIn('parameter')).toBe('/api/cases/case_aB1;x=1');
  expect(pathIn('trailing-slash')).toBe('/api/cases/case_aB1/');
  expect(pathIn('double-slash')).toBe('/api//cases/case_aB1');
  expect(pathIn('dot-segment')).toBe('/api/./cases/case_aB1');
});
