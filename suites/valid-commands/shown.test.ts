import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { operationValues } from '../../src/suite-kit/values.ts';
import validCommands from '../valid-commands.ts';

/** Transfers, and the holds within one; `effect` is what the contract says of the command that makes a transfer. */
async function readBack(effect: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Transfers, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
  schemas: { Made: { properties: { data: { properties: { number: { type: integer } } } } } }
paths:
  /transfers:
    post:
      operationId: queue
      x-governed: { effect: ${effect} }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { $ref: '#/components/schemas/Made' } } }
          links:
            see: { operationId: seeTransfer, parameters: { transfer: $response.body#/data/number } }
            hold: { operationId: hold, parameters: { transfer: $response.body#/data/number } }
    get: { operationId: all, responses: { '200': { description: all, content: { application/json: { schema: true } } } } }
  /transfers/{transfer}:
    parameters: [{ name: transfer, in: path, required: true, schema: { type: integer } }]
    get: { operationId: seeTransfer, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
  /transfers/{transfer}/holds:
    parameters: [{ name: transfer, in: path, required: true, schema: { type: integer } }]
    post:
      operationId: hold
      x-governed: { effect: { read: seeHold } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { $ref: '#/components/schemas/Made' } } }
          links: { see: { operationId: seeHold, parameters: { hold: $response.body#/data/number } } }
  /transfers/{transfer}/holds/{hold}:
    parameters:
      - { name: transfer, in: path, required: true, schema: { type: integer } }
      - { name: hold, in: path, required: true, schema: { type: integer } }
    get: { operationId: seeHold, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
`,
    'transfers.yaml',
  );
  const proposals = [
    ...validCommands.propose({
      contract,
      declaration: {},
      principals: [
        { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
      ],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
  return Object.fromEntries(
    proposals.flatMap((one) =>
      one.kind === 'probe' && one.id === 'plain'
        ? [
            [
              one.operation,
              one.scenarios.flatMap(({ waves }) =>
                stepsOf(waves).flatMap(({ id, operation, target }) =>
                  id === 'made' ? [[operation, target]] : [],
                ),
              ),
            ],
          ]
        : [],
    ),
  );
}

const number = { step: 'command', at: '/data/number' };

test('what a command made is read by its id where no list shows it', async () => {
  expect(await readBack('{ read: seeTransfer, id: /data/number }')).toMatchObject({
    queue: [['seeTransfer', { transfer: number }]],
  });
  expect(await readBack('{ read: seeTransfer, list: all, id: /data/number }')).toMatchObject({ queue: [] });
  expect(await readBack('{ id: /data/number }')).toMatchObject({ queue: [] });
});

test('what was made within another record is read within that one', async () => {
  expect(await readBack('{ id: /data/number }')).toMatchObject({
    hold: [['seeHold', { transfer: { step: 'make-transfer', at: '/data/number' }, hold: number }]],
  });
});
