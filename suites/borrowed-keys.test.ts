import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import type { Contract } from '../src/model/contract.ts';
import type { Json } from '../src/model/json.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { shapes } from '../src/selftest/shapes/catalogue.ts';
import type { Proposal } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import borrowedKeys from './borrowed-keys.ts';

const held = (name: string, scope: string, permissions: readonly string[]): Principal => ({
  name,
  permissions,
  scope,
  state: 'valid',
  identity: name,
  use: 'any',
});

const planned = (contract: Contract, examples: readonly Json[] = []): readonly Proposal[] => {
  const permissions = [...new Set(contract.operations.flatMap(({ permissions = [] }) => permissions))];
  return [
    ...borrowedKeys.propose({
      contract,
      declaration: {},
      principals: [held('all', 'a', permissions), held('elsewhere', 'b', permissions)],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, examples),
    }),
  ];
};

test('another body under a borrowed key is sent under a new key as well', async () => {
  const contract = await parseContract(
    `openapi: 3.1.1
info: { title: Scales, version: "1" }
paths:
  /weighings:
    post:
      operationId: weigh
      security: [{ serverToken: [weigh] }]
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [gross]
              additionalProperties: false
              properties: { gross: { type: integer, minimum: 1, maximum: 9 } }
      responses:
        "201":
          description: Weighed.
          content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } }
components: { securitySchemes: { serverToken: { type: http, scheme: bearer } } }
`,
    'c.yaml',
  );
  const scenarios = planned(contract, [{ gross: 4 }, { gross: 7 }]).flatMap((one) =>
    one.kind === 'probe' && one.id === 'callers' ? one.scenarios : [],
  );
  const sent = scenarios.map(({ bodies, waves }) =>
    stepsOf(waves).map(({ body, id }) => [id, body.use === 'named' ? bodies[body.name]?.value : undefined]),
  );
  expect(sent).toEqual([
    [
      ['first', { gross: 4 }],
      ['other', { gross: 4 }],
      ['control', { gross: 4 }],
    ],
    [
      ['first', { gross: 4 }],
      ['other', { gross: 7 }],
      ['control', { gross: 7 }],
    ],
  ]);
});

test('a version is read by its sender, in each scenario that sends one', async () => {
  const text = shapes.find(({ name }) => name === 'singleton-version')?.text ?? '';
  const contract = await parseContract(text, 'c.yaml');
  const proposals = planned(contract);
  const versioned = proposals
    .flatMap((one) => (one.kind === 'probe' && one.operation === 'putSettings' ? one.scenarios : []))
    .flatMap(({ waves }) => {
      const steps = stepsOf(waves);
      return steps.flatMap(({ as, version }) => {
        if (version?.use !== 'of' || !('step' in version.ref)) return [];
        const { step } = version.ref;
        return [[as, steps.find(({ id }) => id === step)?.as]];
      });
    });
  expect(versioned.length).toBeGreaterThan(0);
  for (const [sender, reader] of versioned) expect(reader).toBe(sender);
});
