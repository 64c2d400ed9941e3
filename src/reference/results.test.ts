import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { loadContract, parseContract } from '../contract/load.ts';
import { validValues } from '../generate/index.ts';
import { type Contract, type Operation, operationOf } from '../model/contract.ts';
import { type Json, valueAt, withValueAt } from '../model/json.ts';
import { syntheticCatalogue } from '../testing/synthetic.ts';
import { type Ask, type Said, type Trial, withTrial } from '../testing/trial.ts';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** Runs an operation with the smallest valid request, its target and all that it needs made beforehand. */
async function run(trial: Trial, operation: Operation, key: string): Promise<Said> {
  const { ask, contract, hook } = trial;
  let path = operation.path;
  let target = '';
  for (const field of operation.pathFields) {
    if (field.source === undefined || !('at' in field.source))
      throw new Error(`${operation.id}: nothing says where ${field.name} comes from`);
    const made = await run(trial, operationOf(contract, field.source.operation), `${key}-${field.name}`);
    target = made.textAt(field.source.at);
    path = path.replace(`{${field.name}}`, target);
  }
  let body: Json | undefined;
  if (operation.body !== undefined) {
    const values = validValues(operation.body.schema);
    if (values.kind !== 'supported') throw new Error(`${operation.id}: no valid body`);
    body = values.smallest;
  }
  const headers: [string, string][] = [];
  const carrier = operation.version?.carrier;
  if (carrier?.in === 'header') headers.push([carrier.name, '1']);
  if (carrier?.in === 'body') body = withValueAt(body ?? {}, carrier.at, '1');
  if (operation.verification?.carrier.in === 'header') {
    const { verification } = await hook('verify', { principal: 'full', operation: operation.id, target });
    headers.push([operation.verification.carrier.name, String(verification)]);
  }
  const given: Ask = {
    headers,
    ...(operation.kind === 'command' ? { key } : {}),
    ...(body === undefined ? {} : { body }),
  };
  return ask(operation.method, path, given);
}

async function checkAll(contract: Contract): Promise<void> {
  await withTrial({ contract, settings: { rateLimit: 10_000 } }, async (trial) => {
    for (const operation of contract.operations) {
      const said = await run(trial, operation, `key of ${operation.id}`);
      expect([operation.id, said.status]).toEqual([operation.id, operation.success.status]);
      expect(said.requestIds).toHaveLength(1);
      const { mediaType, schema } = operation.success;
      if (schema === undefined) continue;
      expect(said.headers['content-type']).toBe(mediaType);
      const validate = ajv.compile(schema);
      validate(said.body);
      expect([operation.id, said.body, validate.errors]).toEqual([operation.id, said.body, null]);
    }
  });
}

describe('every operation succeeds in the published form', () => {
  test('of the contract as the specification shows it', async () => {
    await checkAll(await loadContract('fixtures/contracts/governed-command-1.27.0.yaml'));
  });

  test('of the extended catalogue', async () => {
    await checkAll(await loadContract('fixtures/contracts/extended-catalogue.yaml'));
  });

  test('of 293 synthetic operations', async () => {
    const contract = await parseContract(syntheticCatalogue(293), 'synthetic.json');
    expect(contract.operations).toHaveLength(293);
    await checkAll(contract);
  });
});

test('a success has the headers that the contract requires', async () => {
  const catalogue = await loadContract('fixtures/contracts/governed-command-1.27.0.yaml');
  const operations = catalogue.operations.map((one) => {
    return { ...one, success: { ...one.success, requiredHeaders: ['X-Total'] } };
  });
  await withTrial({ contract: { ...catalogue, operations } }, async ({ ask }) => {
    const made = await ask('POST', '/cases', { key: 'a', body: { subject: 'a' } });
    expect([made.status, made.headers['x-total']]).toEqual([201, '1']);
  });
});

test('reads show what commands wrote', async () => {
  const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
  await withTrial({ contract }, async (trial) => {
    const id = await trial.createCase('s');
    const act = (tail: string, body: Json, headers: [string, string][] = []) =>
      trial.ask(tail === '' ? 'PATCH' : 'POST', `/cases/${id}${tail}`, { key: `key ${tail}`, body, headers });
    const before = (await trial.ask('GET', `/cases/${id}`)).body;
    expect(before).toEqual({
      id,
      status: 'open',
      subject: 's',
      priority: 'low',
      assignee: null,
      closureReason: null,
      approvals: 0,
      approvalNote: null,
      version: '1',
    });
    const { verification } = await trial.hook('verify', {
      principal: 'full',
      operation: 'approveCase',
      target: id,
    });
    await act('', { priority: 'high' }, [['If-Match', '1']]);
    await act('/assignments', { assignee: 'a', version: '2' });
    await act('/approvals', { note: 'n' }, [['X-Verification', String(verification)]]);
    await act('/closure', { reason: 'r' });
    const after = (await trial.ask('GET', `/cases/${id}`)).body;
    expect(after).toEqual({
      id,
      status: 'closed',
      subject: 's',
      priority: 'high',
      assignee: 'a',
      closureReason: 'r',
      approvals: 1,
      approvalNote: 'n',
      version: '5',
    });
    expect(valueAt((await trial.ask('GET', '/cases')).body, '/items')).toEqual([after]);
  });
});

const contractOf = (paths: string): Promise<Contract> =>
  parseContract(
    `
openapi: 3.1.1
info: { title: Things, version: "1" }
security: [{ token: [case.create] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:${paths}`,
    'things.yaml',
  );

test.each([
  ['{ type: string, format: uuid }', /^[\da-f]{8}-/],
  ['{ type: integer }', /^\d+$/],
  ["{ type: string, pattern: '^[0-9A-F]{32}$' }", /^[\dA-F]{32}$/],
])('an ID is one that the path takes: %s', async (schema, form) => {
  const success = (status: number) =>
    `'${status}': { description: done, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } } }`;
  const contract = await contractOf(
    `
  /things:
    post:
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses: { ${success(201)} }
  /things/{thingId}:
    get:
      parameters: [{ name: thingId, in: path, required: true, schema: ${schema} }]
      responses: { ${success(200)} }
  /things/{thingId}/parts:
    get:
      parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
      responses: { ${success(200)} }
`,
  );
  await withTrial({ contract }, async ({ ask }) => {
    const id = (await ask('POST', '/things', { key: 'a' })).textAt('/id');
    expect(id).toMatch(form);
    expect((await ask('GET', `/things/${id}`)).status).toBe(200);
  });
});

test('what is readOnly does not take the value of a request', async () => {
  const contract = await contractOf(
    `
  /things:
    post:
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object, properties: { label: { type: string } } } } } }
      responses:
        '201':
          description: done
          content:
            application/json:
              schema:
                type: object
                properties: { id: { type: string }, label: { type: string }, owner: { type: string, readOnly: true } }
`,
  );
  await withTrial({ contract }, async ({ ask }) => {
    const { body } = await ask('POST', '/things', { key: 'a', body: { label: 'mine', owner: 'me' } });
    expect(body).toMatchObject({ label: 'mine' });
    expect(valueAt(body ?? null, '/owner')).toBeUndefined();
  });
});

test('a read shows the ID of its record in the envelope of the result', async () => {
  const within = (more: string): string =>
    `{ type: object, required: [data], properties: { data: { type: object, required: [id${more}], properties: { id: { type: string }, owner: { type: string } } } } }`;
  const success = (status: number, more = ''): string =>
    `'${status}': { description: done, content: { application/json: { schema: ${within(more)} } } }`;
  const contract = await contractOf(
    `
  /things:
    post:
      operationId: make
      x-governed: { effect: { read: get, id: /data/id } }
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses: { ${success(201)} }
  /things/{thingId}:
    get:
      operationId: get
      parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
      responses: { ${success(200, ', owner')} }
`,
  );
  await withTrial({ contract }, async ({ ask }) => {
    const id = (await ask('POST', '/things', { key: 'a' })).textAt('/data/id');
    expect((await ask('GET', `/things/${id}`)).body).toMatchObject({ data: { id } });
  });
});
