import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../model/input-error.ts';
import { parseContract } from './load.ts';
import { contractValidators } from './validators.ts';

const core = readFileSync('fixtures/contracts/governed-command-1.27.0.yaml', 'utf8');
const extended = readFileSync('fixtures/contracts/extended-catalogue.yaml', 'utf8');
const validators = contractValidators();

/** The error of a text, and its line as a text. */
async function errorOf(text: string): Promise<{ readonly message: string; readonly line: string }> {
  try {
    await parseContract(text, 'c.yaml', validators);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { message: error.message, line: text.split('\n')[(error.line ?? 0) - 1]?.trim() ?? '' };
  }
  return { message: 'no error', line: '' };
}

function edited(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the fixture has no '${from}'`);
  return text.replace(from, () => to);
}

describe('errors of a contract say what, where and what to do', () => {
  test.each<[what: string, text: string, line: string, message: string]>([
    ['no mapping', '- a\n', '- a', 'this is not an OpenAPI document; write an OpenAPI 3.1 document'],
    ['empty', '', '', 'this is not an OpenAPI document'],
    ['no version', 'info: {}\n', 'info: {}', "'openapi' is missing; write"],
    ['Swagger', "swagger: '2.0'\n", "swagger: '2.0'", 'this is Swagger 2.0, not OpenAPI 3.1; convert it'],
    [
      '3.1 as a number',
      edited(core, 'openapi: 3.1.1', 'openapi: 3.1'),
      'openapi: 3.1',
      "'openapi' must be a version with three numbers; write a full version, such as 'openapi: 3.1.0'",
    ],
    [
      'another version',
      edited(core, 'openapi: 3.1.1', 'openapi: 4.0.0'),
      'openapi: 4.0.0',
      'this is OpenAPI 4.0.0, not 3.0, 3.1 or 3.2; convert it',
    ],
    [
      'an empty version',
      edited(core, 'openapi: 3.1.1', 'openapi: ""'),
      'openapi: ""',
      "'openapi' must be a version with three numbers; convert it to OpenAPI 3.1",
    ],
    [
      'a path without a slash',
      edited(core, '  /cases:', '  cases:'),
      'cases:',
      "the path 'cases' does not begin with a slash; write '/cases'",
    ],
    [
      'a path with a brace that stays open',
      edited(core, '  /cases:', '  /cases/{caseId:'),
      '/cases/{caseId:',
      "the path '/cases/{caseId' has a brace without its other half",
    ],
    [
      'a path with a field that has no name',
      edited(core, '  /cases:', "  '/cases/{}':"),
      "'/cases/{}':",
      "the path '/cases/{}' has a brace without its other half, or a field without a name; write each field as {name}",
    ],
    [
      'a path with a query',
      edited(core, '  /cases:', "  '/cases?kind=new':"),
      "'/cases?kind=new':",
      "the path '/cases?kind=new' has a query; declare its fields under 'parameters', with 'in: query'",
    ],
    [
      'a path with a fragment',
      edited(core, '  /cases:', "  '/cases#new':"),
      "'/cases#new':",
      "the path '/cases#new' has a fragment; remove '#' and what follows it",
    ],
    [
      'a status in small letters',
      edited(core, '        5XX:', '        5xx:'),
      '5xx:',
      "unknown key '5xx'; did you mean '5XX'?",
    ],
    [
      'a type that is not known, in one line',
      edited(core, 'type: object', 'type: objct'),
      'type: objct',
      "'type' must be one of array, boolean, integer, null, number, object, string; did you mean 'object'?",
    ],
    [
      'a parameter without a schema, in one line',
      edited(core, '          schema:\n            type: string\n            minLength: 1\n', ''),
      '- name: Idempotency-Key',
      "'schema' or 'content' is missing; add one of them",
    ],
    [
      'no paths',
      'openapi: 3.1.1\ninfo: { title: a, version: b }\npaths: {}\n',
      'paths: {}',
      'the document has no operations; describe them',
    ],
    [
      'unknown key',
      edited(core, 'requestBody:', 'requestBodi:'),
      'requestBodi:',
      "unknown key 'requestBodi'; did you mean 'requestBody'?",
    ],
    [
      'unknown key of a link',
      edited(extended, 'operationId: getCase, parameters', 'operationid: getCase, parameters'),
      'getCase:',
      "unknown key 'operationid'; did you mean 'operationId'?",
    ],
    [
      'unknown key of x-governed',
      edited(extended, 'singleUse: true', 'singelUse: true'),
      'verification:',
      "unknown key 'singelUse'; did you mean 'singleUse'?",
    ],
    [
      'wrong count',
      edited(core, 'operations: 293', 'operations: many'),
      'operations: many',
      "'operations' must be a whole number; write a whole number, such as 293",
    ],
    [
      'key not required',
      edited(core, 'in: header\n          required: true', 'in: header'),
      '- name: Idempotency-Key',
      "the command 'createCase' does not require its Idempotency-Key; write 'required: true'",
    ],
    [
      'no key',
      edited(core, 'name: Idempotency-Key', 'name: Idempotence-Key'),
      'operationId: createCase',
      "the command 'createCase' has no Idempotency-Key; add the header parameter",
    ],
    [
      'no success',
      edited(core, '"201":', '"301":'),
      'responses:',
      "the operation 'createCase' declares no success; add a response under its exact status",
    ],
    [
      'body not JSON',
      edited(core, 'application/json', 'text/xml'),
      'content:',
      "the request body of 'createCase' is not JSON; describe it under 'application/json'",
    ],
    [
      'alternatives',
      edited(
        core,
        '- serverToken: [case.create]',
        '- serverToken: [case.create]\n        - serverToken: [case.admin]',
      ),
      'security:',
      "the operation 'createCase' declares alternatives under security; write one exact requirement",
    ],
    [
      'no security',
      edited(core, 'security:\n        - serverToken: [case.create]\n      ', ''),
      'operationId: createCase',
      "the operation 'createCase' declares no security; write one exact requirement",
    ],
    [
      'unknown scheme',
      edited(core, '- serverToken: [', '- serverTokn: ['),
      '- serverTokn: [case.create]',
      "there is no security scheme 'serverTokn'; did you mean 'serverToken'?",
    ],
    [
      'no bearer',
      edited(core, 'scheme: bearer', 'scheme: basic'),
      'type: http',
      "the security scheme 'serverToken' is not a bearer token",
    ],
    [
      'remote reference',
      edited(core, '$ref: "#/components/schemas/CaseRequest"', '$ref: https://example.test/s.json'),
      '$ref: https://example.test/s.json',
      "the $ref 'https://example.test/s.json' is remote; copy",
    ],
    [
      'reference to nothing',
      edited(core, 'schemas/CaseRequest', 'schemas/CaseReqest'),
      "$ref: '#/components/schemas/CaseReqest'",
      "leads nowhere; did you mean 'CaseRequest'?",
    ],
    [
      'a schema that is a part of itself',
      edited(
        core,
        'CaseRequest:\n      type: object',
        "CaseRequest:\n      allOf: [{ $ref: '#/components/schemas/Base' }]\n    Base:\n      allOf: [{ $ref: '#/components/schemas/CaseRequest' }]\n      type: object",
      ),
      "allOf: [{ $ref: '#/components/schemas/Base' }]",
      "this schema is part of itself; let it refer to itself only within 'properties'",
    ],
    [
      'reference to itself',
      edited(
        core,
        'CaseRequest:\n      type: object',
        "CaseRequest:\n      $ref: '#/components/schemas/CaseRequest'\n    Other:\n      type: object",
      ),
      "$ref: '#/components/schemas/CaseRequest'",
      'leads back to itself',
    ],
    [
      'wrong schema',
      edited(core, 'type: string\n          description: Free', 'type: strin\n          description: Free'),
      'type: strin',
      "did you mean 'string'?",
    ],
    [
      'wrong pattern',
      edited(core, 'pattern: ^case_\\S+$', 'pattern: ^case_(\\S+$'),
      'pattern: ^case_(\\S+$',
      'this is not a regular expression of ECMA-262',
    ],
    [
      'duplicate id',
      edited(extended, 'operationId: getContact\n', 'operationId: getCase\n'),
      'operationId: getCase',
      "the operationId 'getCase' is already that of GET /cases/{caseId}",
    ],
    [
      'path field',
      edited(extended, 'name: caseId', 'name: theCaseId'),
      'name: theCaseId',
      "the path '/cases/{caseId}' has no field 'theCaseId'",
    ],
    [
      'version source',
      edited(extended, 'at: /version }\n', 'at: /versoin }\n'),
      'source:',
      "has no field '/versoin'; did you mean 'version'?",
    ],
    [
      'effect of nobody',
      edited(extended, 'read: getCase', 'read: gotCase'),
      'effect',
      "there is no operation 'gotCase'; did you mean 'getCase'?",
    ],
    [
      'effect by a command',
      edited(extended, 'read: getCase', 'read: closeCase'),
      'effect',
      "'closeCase' is a command, which shows no effect; name a read",
    ],
    [
      'conflict after a read',
      edited(extended, 'after: closeCase', 'after: getCase'),
      'conflict',
      "'getCase' is a read, which changes no state; name a command",
    ],
    [
      'paging',
      edited(extended, 'cursor: cursor', 'cursor: curser'),
      'pagination',
      "'listCases' has no query field 'curser'; did you mean 'cursor'?",
    ],
    [
      'filter',
      edited(extended, 'filters: /status', 'filters: /state'),
      'operationId: listCases',
      "has no field '/items/0/state'; did you mean 'status'?",
    ],
  ])('%s', async (_what, text, line, message) => {
    const error = await errorOf(text);
    expect(error.message).toContain(message);
    expect(error.line).toContain(line.split(' ')[0]);
    expect(error.message).toMatch(/^c\.yaml:\d+:\d+: /);
  });

  test.each([
    [
      'operationId: closeCase, parameters',
      'operationId: closCase, parameters',
      "there is no operation 'closCase', so this link is left out; did you mean 'closeCase'?",
    ],
    [
      'caseId: $response.body#/id',
      'caseId: $response.body#/idd',
      "the success body of 'createCase' has no field '/idd', so this link is left out; did you mean 'id'?",
    ],
    [
      'caseId: $response.body#/id',
      'casId: $response.body#/id',
      "'getCase' has no parameter 'casId', so this link is left out; did you mean 'caseId'?",
    ],
  ])('a link that leads nowhere is left out with a warning: %s', async (right, wrong, message) => {
    const contract = await parseContract(edited(extended, right, wrong), 'c.yaml');
    expect(contract.warnings).toEqual([expect.stringMatching(/^c\.yaml:\d+:\d+: /)]);
    expect(contract.warnings?.[0]).toContain(message);
    expect(contract.operations).toHaveLength((await parseContract(extended, 'c.yaml')).operations.length);
  });

  test('all problems are printed', async () => {
    const text = edited(edited(extended, 'read: getCase', 'read: a'), 'read: getContact', 'read: b');
    expect((await errorOf(text)).message).toMatch(
      /^c\.yaml:\d+:\d+: there is no operation 'a'; .+\nc\.yaml:\d+:\d+: there is no operation 'b'; .+$/,
    );
  });

  test('an operationId with half a character is refused at its place', async () => {
    const error = await errorOf(edited(core, 'operationId: createCase', 'operationId: "create\\ud800"'));
    expect(error.message).toMatch(/^c\.yaml:\d+:\d+: the name of this operation has half a character/);
    expect(error.line).toContain('operationId');
  });

  test('operations of which none can be tested are all named', async () => {
    const text = edited(
      edited(core, 'required: true\n          description: Unique', 'description: Unique'),
      'components:',
      '  /text:\n    get: { security: [], responses: { "200": { description: a, content: { text/csv: {} } } } }\ncomponents:',
    );
    expect((await errorOf(text)).message).toMatch(
      /^c\.yaml:\d+:\d+: the command 'createCase' does not require .+\nc\.yaml:\d+:\d+: the success body of 'GET \/text' is not JSON; .+$/,
    );
  });
});

describe('what is allowed', () => {
  test('a public operation', async () => {
    const text = edited(core, 'security:\n        - serverToken: [case.create]', 'security: []');
    const contract = await parseContract(text, 'c.yaml', validators);
    expect(contract.operations[0]?.permissions).toBeUndefined();
  });

  test('security of the document, and an operation without an operationId', async () => {
    const text = edited(
      edited(core, 'security:\n        - serverToken: [case.create]\n      ', ''),
      'tags:\n  - name',
      'security: [{ serverToken: [all.write] }]\ntags:\n  - name',
    ).replace('operationId: createCase\n      ', '');
    const [operation] = (await parseContract(text, 'c.yaml', validators)).operations;
    expect(operation).toMatchObject({ id: 'POST /cases', permissions: ['all.write'] });
  });

  test('recursive schemas, which stay recursive', async () => {
    const text = edited(
      core,
      'description: Free text supplied by the caller.',
      "description: Text.\n        under:\n          $ref: '#/components/schemas/CaseRequest'",
    );
    const [operation] = (await parseContract(text, 'c.yaml', validators)).operations;
    const schema = operation?.body?.schema ?? false;
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate({ subject: 'a', under: { subject: 'b', under: { subject: 'c' } } })).toBe(true);
    expect(validate({ subject: 'a', under: { subject: 'b', under: { subject: 3 } } })).toBe(false);
  });

  test('a property that is called $ref', async () => {
    const text = edited(
      core,
      'properties:\n        subject:',
      'properties:\n        $ref: { type: string }\n        subject:',
    );
    const [operation] = (await parseContract(text, 'c.yaml', validators)).operations;
    expect(operation?.body?.schema).toMatchObject({ properties: { $ref: { type: 'string' } } });
  });
});

test('a damaged contract is read, or refused with an InputError', async () => {
  const lines = extended.split('\n');
  const line = fc.nat({ max: lines.length - 1 });
  await fc.assert(
    fc.asyncProperty(line, line, fc.constantFrom('drop', 'swap', 'indent', 'empty'), async (a, b, how) => {
      const damaged = [...lines];
      if (how === 'drop') damaged.splice(a, 1);
      if (how === 'swap') [damaged[a], damaged[b]] = [lines[b] ?? '', lines[a] ?? ''];
      if (how === 'indent') damaged[a] = `  ${lines[a]}`;
      if (how === 'empty') damaged[a] = (lines[a] ?? '').replace(/:.*/, ':');
      const { message } = await errorOf(damaged.join('\n'));
      if (message !== 'no error') expect(message).toMatch(/^c\.yaml:\d+:\d+: .+; .+$/s);
    }),
    { numRuns: 200 },
  );
});
