import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { type Line, missing, trace } from '../clauses/cases/trace.ts';
import type { HeaderLine } from '../evidence/log.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { nothingOfTheKind } from '../model/unreached.ts';
import { cellWith } from '../testing/sample-report.ts';
import { makeAlwaysRefused } from './always-refused.ts';
import { withReasons } from './unreached.ts';

/** The hints after valid requests of an operation with these statuses, sent one by one. */
function hintsAfter(
  operation: string,
  statuses: readonly (number | undefined)[],
  more: Partial<Line> = {},
  of: Contract = contract,
) {
  const refusals = makeAlwaysRefused();
  for (const [index, status] of statuses.entries())
    refusals.see(trace([{ id: `one-${index}`, operation, status, ...more }]));
  return refusals.hints(of).get(operation);
}

const withBody = (properties: JsonObject): Contract => ({
  ...contract,
  operations: contract.operations.map((one) =>
    one.id === 'mention' && one.body !== undefined
      ? { ...one, body: { ...one.body, schema: { properties } } }
      : one,
  ),
});

test('where every valid request is refused, the operation may lack something', () => {
  expect(hintsAfter('createCase', [422, 422, 409])).toBe(
    'Every valid request of createCase was refused (422, 409). Give bodies that it accepts under operations.createCase.examples.',
  );
  expect(hintsAfter('updateCase', [409, 409, 409])).toBe(
    'Every valid request of updateCase was refused (409). If its record must have parts, or another state, before the command, give such records under operations.updateCase.targets: a command may create them.',
  );
  expect(hintsAfter('getCase', [404, 404, 404])).toBe(
    'Every valid request of getCase was refused (404). If a record appears later than reads of it expect, declare G15. Otherwise give records under operations.getCase.targets.',
  );
  expect(hintsAfter('listCases', [422, 422, 422])).toContain('under operations.listCases.parameters.');
});

test('a scenario may bring about by itself what is missing elsewhere', () => {
  const after = (refused: number) =>
    hintsAfter('updateCase', [200, ...Array.from({ length: refused }, () => 409)]);
  expect(after(9)).toBe(undefined);
  expect(after(10)).toContain('Almost every valid request of updateCase was refused (409).');
});

test('there may be too many records of a kind', () => {
  const after = (operation: string, ...counts: readonly number[]) =>
    hintsAfter(
      operation,
      counts.flatMap((count, index) => Array.from({ length: count }, () => (index % 2 === 0 ? 201 : 409))),
    );
  const full =
    '20 valid requests of createCase were accepted, and all 60 after them were refused (409). If the service limits how many such records there may be, raise the limit on the test system, and delete the records of earlier runs (assay cleanup).';
  expect(after('createCase', 20, 60)).toBe(full);
  expect(after('createCase', 12, 2, 8, 60)).toContain('If the service limits how many');
  // Others may have been closed meanwhile, which makes room for more.
  expect(after('createCase', 1, 9, 1, 9, 1, 30)).toContain(
    'Almost every valid request of createCase was refused (409). If the service limits how many',
  );
  expect(after('createCase', 0, 30)).not.toContain('limits');
  // Some are refused now and then.
  expect(after('createCase', 20, 5)).toBe(undefined);
  expect(after('createCase', 20, 20, 20, 20)).toBe(undefined);
  expect(after('createCase', 20, 60, 1)).toBe(undefined);
  // A command on a record makes no more of them.
  expect(after('updateCase', 2, 60)).toContain('Almost every valid request of updateCase was refused (409).');
});

test('a query field that a command requires may name a record', () => {
  const ownerId = { name: 'ownerId', required: true, schema: { type: 'string' }, filters: undefined };
  const asking: Contract = {
    ...contract,
    operations: contract.operations.map((one) =>
      one.id === 'createCase' ? { ...one, queryFields: [ownerId] } : one,
    ),
  };
  expect(hintsAfter('createCase', [422, 422, 422], {}, asking)).toBe(
    'Every valid request of createCase was refused (422). If the query field ownerId must name a record that exists, give one under operations.createCase.parameters.',
  );
});

test('who made the record may not be the one that acts on it', () => {
  const hint = (as: string, status: number) => {
    const refusals = makeAlwaysRefused();
    for (const _ of [1, 2, 3])
      refusals.see(
        trace([
          { id: 'made', as: 'a', role: 'setup', status: 201 },
          { id: 'one', as, operation: 'updateCase', on: 'made', status },
        ]),
      );
    return refusals.hints(contract).get('updateCase');
  };
  const body =
    'before the command, give a body that creates one under operations.createCase.examples, or give such records under operations.updateCase.targets';
  expect(hint('a', 409)).toContain(body);
  const remedy =
    'If the caller of createCase may not run updateCase on its own record (four eyes), list a principal first that holds case.update and not case.create. Another principal of its scope must hold case.create.';
  expect(hint('a', 409)).toContain(remedy);
  expect(hint('a', 403)).toContain(remedy);
  expect(hint('b', 409)).not.toContain('four eyes');
  expect(hint('b', 403)).toBeUndefined();
});

test('what may have to be the current version of the record is named', () => {
  const version = { type: 'integer' };
  const closing = (schema: JsonObject, more: Partial<Operation> = {}): Contract => ({
    ...contract,
    operations: contract.operations.map((one) =>
      one.id === 'closeCase' && one.body !== undefined
        ? { ...one, body: { ...one.body, schema }, ...more }
        : one,
    ),
  });
  const hint = (of: Contract, status = 409) =>
    hintsAfter('closeCase', [status, status, status], {}, of) ?? '';
  const needing = { required: ['rowVersion'], properties: { rowVersion: version, reason: {} } };
  const member =
    'If /rowVersion must have the current version of the record, say in x-governed.version of closeCase which read shows it.';
  expect(hint(closing(needing))).toContain(member);
  expect(hint(closing(needing), 412)).toContain(member);
  expect(hint(closing(needing), 422)).not.toContain('x-governed.version');
  expect(hint(closing({ properties: needing.properties }))).not.toContain('x-governed.version');
  const header = {
    name: 'If-Match',
    in: 'header',
    required: true,
    schema: {},
    style: 'simple',
    explode: false,
    examples: [],
  } as const;
  expect(hint(closing({}, { headerFields: [header] }))).toContain('If If-Match must have');
  expect(hint(closing({}, { headerFields: [{ ...header, required: false }] }))).not.toContain('If-Match');
  // Settings have no path field, and a made-up text may be refused as a wrong value.
  const settings = { headerFields: [header], method: 'PUT', pathFields: [] } as const;
  expect(hint(closing({}, settings), 422)).toBe(
    'Every valid request of closeCase was refused (422). If If-Match must have the current version of the record, say in x-governed.version of closeCase which read shows it. Otherwise give bodies that it accepts under operations.closeCase.examples.',
  );
  expect(hint(closing({}, { ...settings, method: 'POST' }), 422)).not.toContain('If-Match');
});

test('members that may name records which nothing makes are named', () => {
  const text = { type: 'string' };
  const members = { case: text, filmRef: text, seat_id: text, title: text, paid: text };
  expect(hintsAfter('mention', [422, 422, 422], {}, withBody(members))).toBe(
    'Every valid request of mention was refused (422). If /filmRef and /seat_id must name records that exist, let OpenAPI links say which commands create them (requestBody), or give bodies under operations.mention.examples.',
  );
});

test('no members that hold values of other kinds are named, nor those that may be left out if others may not', () => {
  const text = { type: 'string' };
  const key = { ...text, contentEncoding: 'base64' };
  const members = { filmRef: text, publicKey: text, hostKey: key, signingKey: key, zip_code: text };
  expect(hintsAfter('mention', [422, 422, 422], {}, withBody(members))).toContain('If /filmRef must name');
  const needing = withBody({ filmRef: text, seat_id: text }).operations.map((one) =>
    one.id === 'mention' && one.body !== undefined
      ? { ...one, body: { ...one.body, schema: { ...Object(one.body.schema), required: ['seat_id'] } } }
      : one,
  );
  expect(hintsAfter('mention', [422, 422, 422], {}, { ...contract, operations: needing })).toContain(
    'If /seat_id must name',
  );
});

test('where something is not found, and the path names nothing, a text of the body may name it', () => {
  const text = { type: 'string' };
  const texts = (status: number): string | undefined =>
    hintsAfter(
      'mention',
      [status, status, status],
      {},
      {
        ...contract,
        operations: withBody({}).operations.map((one) =>
          one.id === 'mention' && one.body !== undefined
            ? {
                ...one,
                body: {
                  ...one.body,
                  schema: {
                    required: ['channel', 'kind'],
                    properties: { channel: text, kind: { ...text, enum: ['a'] }, note: text },
                  },
                },
              }
            : one,
        ),
      },
    );
  expect(texts(404)).toContain('If /channel must name records that exist, let OpenAPI links say');
  expect(texts(422)).toContain('Give bodies that it accepts under operations.mention.examples.');
});

test('a read with a body needs another body', () => {
  const read: Contract = {
    ...contract,
    operations: contract.operations.map((one) => (one.id === 'mention' ? { ...one, kind: 'read' } : one)),
  };
  expect(hintsAfter('mention', [422, 422, 422], {}, read)).toContain('under operations.mention.examples.');
});

test.each([
  ['one was accepted', [422, 422, 422, 201], {}],
  ['there were only two', [422, 422], {}],
  ['credentials, permissions or pace are the reason', [401, 403, 429], {}],
  ['the service failed, or did not respond', [500, undefined, 503], {}],
  ['they were not valid', [422, 422, 422], { deviations: [missing] }],
] as const)('nothing is said where %s', (_, statuses, more) => {
  expect(hintsAfter('createCase', statuses, more)).toBeUndefined();
});

test('the hint is the reason of cells of which nothing else is known', () => {
  const cell = {
    ...cellWith({ clause: 'CMD-1', verdict: 'not-tested' }),
    because: nothingOfTheKind,
    example: undefined,
  };
  const reason = (header: Partial<HeaderLine>, ended = 'complete') =>
    withReasons([cell], { partial: false, ...header } as HeaderLine, {
      ended,
      hints: new Map([[cell.operation, 'hint']]),
      missingShards: [],
    })[0]?.because;
  expect(reason({})).toBe('hint');
  expect(
    withReasons(
      [{ ...cell, verdict: 'inconclusive', because: 'No control.' }],
      { partial: false } as HeaderLine,
      {
        ended: 'complete',
        hints: new Map([[cell.operation, 'hint']]),
        missingShards: [],
      },
    )[0]?.because,
  ).toBe('No control. hint');
  expect(reason({}, 'budget')).not.toBe('hint');
  expect(reason({ partial: true, narrowing: ['--operation other'], operations: ['other'] })).not.toBe('hint');
});
