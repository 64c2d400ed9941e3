import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { loadSuites } from '../src/suite-kit/load.ts';
import { operationValues } from '../src/suite-kit/values.ts';

const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
const contract = await parseContract(
  `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /notes:
    post:
      operationId: make
      parameters: [${key}]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { properties: { id: {} } } } } } }
  /notes/search:
    post:
      operationId: search
      x-governed: { read: true }
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [words], properties: { words: { type: string } } } } } }
      responses: { '200': { description: found } }
`,
  'notes.yaml',
);
const [lead, nobody, other] = ['lead', 'nobody', 'other'].map(
  (name) =>
    ({
      name,
      permissions: name === 'nobody' ? [] : ['all'],
      scope: name === 'other' ? 'b' : 'a',
      state: 'valid',
      identity: name,
      use: 'any',
    }) as const,
);
if (lead === undefined || nobody === undefined || other === undefined) throw new Error('three were named');

test('a read with a body is always sent with it, unmarked and without a key of its own', async () => {
  const steps = (await loadSuites([{ folder: 'suites', endings: ['.ts', '.yaml'] }], [])).suites.flatMap(
    (suite) =>
      [
        ...suite.propose({
          contract,
          declaration: {},
          principals: [lead, nobody, other],
          budget: 'standard',
          throttling: { maxRequests: 10, maxSeconds: 1 },
          hooks: new Set(),
          isJwt: () => false,
          caseMatters: () => true,
          values: (operation) => operationValues(operation, []),
        }),
      ].flatMap((proposal) =>
        proposal.kind !== 'probe'
          ? []
          : proposal.scenarios.flatMap(({ bodies, title, waves }) =>
              stepsOf(waves)
                .filter(({ operation }) => operation === 'search')
                .map(({ body }) => ({ title, body: body.use === 'named' ? bodies[body.name] : body.use })),
            ),
      ),
  );
  expect(steps.length).toBeGreaterThan(50);
  expect(
    steps.filter(({ body }) => JSON.stringify(body) !== '{"value":{"words":"Conformance probe"}}'),
  ).toEqual([]);
});
