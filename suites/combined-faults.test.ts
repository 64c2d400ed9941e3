import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import combinedFaults from './combined-faults.ts';

/** Probes of a command by name, and for each the body of its probe; `body` is the schema of its own. */
async function probesOf(body: string): Promise<ReadonlyMap<string, unknown>> {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Approvals, version: 1.27.0 }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /approvals:
    post:
      operationId: approve
      security: [{ token: [approve] }]
      x-governed: { verification: { carrier: { in: body, at: /otp }, hook: verify } }
      parameters: [{ $ref: '#/components/parameters/Key' }, { name: level, in: query, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: ${body} } } }
      responses: { '204': { description: approved } }
`,
    'approvals.yaml',
  );
  const proposals = combinedFaults.propose({
    contract,
    declaration: {},
    principals: [
      { name: 'all', permissions: ['approve'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
      { name: 'none', permissions: [], scope: 'a', state: 'valid', identity: 'none', use: 'any' },
    ],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(['verify']),
    isJwt: () => false,
    caseMatters: () => true,
    values: (operation) => operationValues(operation, []),
  });
  return new Map(
    [...proposals].flatMap((one) =>
      one.kind === 'probe'
        ? one.scenarios.map(
            ({ waves }) => [one.id, stepsOf(waves).find(({ id }) => id === 'test')?.body] as const,
          )
        : [],
    ),
  );
}

test('a verification in the body is no member that could be wrong: the one that is issued replaces it', async () => {
  const alone = await probesOf('{ type: object, properties: { otp: { type: string } } }');
  expect([...alone.keys()]).toContain('no-permission+no-key');
  expect([...alone.keys()].filter((name) => name.includes('bad-body'))).toEqual([]);
  // Nothing makes another request of such a body, so the key would be used for the same one.
  expect([...alone.keys()].filter((name) => name.includes('used-key'))).toEqual([
    'unknown-token+used-key',
    'no-permission+used-key',
    'not-json+used-key',
  ]);
});

test('another member is made wrong, and makes another request', async () => {
  const noted = await probesOf(
    '{ type: object, required: [sum], properties: { otp: { type: string }, sum: { type: integer } } }',
  );
  expect(noted.get('bad-body+used-key')).toMatchObject({ edit: { at: '', set: {} } });
  expect([...noted.keys()]).toContain('used-key+bad-query');
});

test.each([
  ['{ type: integer }', { id: { literal: '987654321' } }],
  ["{ type: string, pattern: '^[A-Z]{4}$' }", { id: { chosen: 'absent' } }],
])('a stranger is asked for a target of the form %s that is not there', async (form, target) => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Approvals, version: 1.27.0 }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /approvals/{id}/close:
    post:
      operationId: close
      security: [{ token: [approve] }]
      parameters: [{ $ref: '#/components/parameters/Key' }, { name: id, in: path, required: true, schema: ${form} }]
      responses: { '204': { description: closed } }
`,
    'approvals.yaml',
  );
  const proposals = combinedFaults.propose({
    contract,
    declaration: {},
    principals: [
      { name: 'all', permissions: ['approve'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
      { name: 'none', permissions: [], scope: 'a', state: 'valid', identity: 'none', use: 'any' },
    ],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(),
    isJwt: () => false,
    caseMatters: () => true,
    values: (operation) => operationValues(operation, []),
    targets: new Map([['close', { ids: [{ id: '1' }, { id: '2' }] }]]),
  });
  const probes = [...proposals].flatMap((one) =>
    one.kind === 'probe' && one.id.includes('absent-target')
      ? one.scenarios.map(
          ({ waves }) => [one.id, stepsOf(waves).find(({ id }) => id === 'test')?.target] as const,
        )
      : [],
  );
  // With another fault than of the credential or the permission nothing is said of it.
  expect(probes).toEqual([
    ['unknown-token+absent-target', target],
    ['no-permission+absent-target', target],
  ]);
});
