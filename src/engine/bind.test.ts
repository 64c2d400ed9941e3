import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { JsonSchema } from '../model/json.ts';
import type { Scenario, Step } from '../model/scenario.ts';
import { idOfForm } from '../suite-kit/chosen.ts';
import {
  binderOf,
  bindingNonce,
  chosenIds,
  makeBinder,
  ownMarkers,
  shardPart,
  sharedMark,
  takenIds,
} from './bind.ts';

const schemas: readonly JsonSchema[] = [
  { type: 'string', pattern: '^[A-Z]{3}-[0-9]{6}$' },
  { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', maxLength: 40 },
  { type: 'string', pattern: '^INV-20[0-9]{2}-[0-9]{6}$' },
  { type: 'string', pattern: '^[A-HJ-NPR-Z0-9]{17}$' },
  { type: 'string', pattern: '^[ABCDEFGHJK]{8}$' },
  { type: 'integer', minimum: 100_000_000, maximum: 999_999_999 },
  { type: 'string', maxLength: 200, pattern: '^item:.+$' },
];

test.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))(
  'no two records share an id: %s',
  (_, schema) => {
    const ids = Array.from({ length: 300 }, (_each, index) =>
      idOfForm(schema, makeBinder('nonce', `suite probe-${index}`, 1)('id code')),
    );
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test.each([
  ['^case_.+$', /^case_[\w-]+$/],
  ['^urn:case:.*', /^urn:case:[\w-]+$/],
])('an ID of the form %s has the letters of a marker or key, which no server dislikes', (pattern, plain) => {
  for (let index = 0; index < 20; index += 1)
    expect(idOfForm({ type: 'string', pattern }, makeBinder('nonce', `p${index}`, 1)('id'))).toMatch(plain);
});

test('an ID that the run took before is not taken again, even of a form with few values', () => {
  const few: JsonSchema = { type: 'string', pattern: '^[A-Z][0-9]$' };
  const put = {
    ...contract,
    operations: contract.operations.map((operation) => ({
      ...operation,
      pathFields: operation.pathFields.map((field) => ({ ...field, schema: few, chosen: true as const })),
    })),
  };
  const scenario: Scenario = {
    title: 't',
    bodies: {},
    waves: [
      {
        steps: [
          {
            id: 'put',
            operation: 'getCase',
            as: 'full',
            role: 'setup',
            key: { use: 'none' },
            body: { use: 'none' },
            target: { caseId: { chosen: 'caseId' } },
            deviations: [],
          },
        ],
      },
    ],
  };
  const taken = new Set<string>();
  const ids = Array.from(
    { length: 60 },
    (_, index) => chosenIds(scenario, put, makeBinder('nonce', `p${index}`, 1), taken)['caseId'],
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('an ID has the form that the command demands, where a list around the record is read before it', () => {
  const form: JsonSchema = { type: 'string', pattern: '^[A-Z0-9]{4,20}$' };
  const around = { name: 'caseId', schema: { type: 'string' }, source: undefined } as const;
  const seal = { ...around, name: 'seal' };
  const [plain] = contract.operations;
  if (plain === undefined) throw new Error('no operation');
  const seals = {
    ...contract,
    operations: [
      { ...plain, id: 'listSeals', pathFields: [around] },
      { ...plain, id: 'removeSeal', pathFields: [around, seal] },
      { ...plain, id: 'putSeal', pathFields: [around, { ...seal, schema: form, chosen: true as const }] },
    ],
  };
  const step = (operation: string): Step => ({
    id: operation,
    operation,
    as: 'full',
    role: 'setup',
    key: { use: 'none' },
    body: { use: 'none' },
    target: { caseId: { literal: 'case_1' }, seal: { chosen: 'seal' } },
    deviations: [],
  });
  const scenario: Scenario = {
    title: 't',
    bodies: {},
    waves: ['listSeals', 'removeSeal', 'putSeal'].map((operation) => ({ steps: [step(operation)] })),
  };
  expect(chosenIds(scenario, seals, makeBinder('nonce', 'p', 1))).toEqual({
    seal: expect.stringMatching(/^[A-Z0-9]{4,20}$/),
  });
});

test('shards know the records of each other, and choose no IDs that others may choose', () => {
  const mark = sharedMark('0123');
  const scope = { suite: 's', probe: 'p', scenarioIndex: 0, id: 't2-1', attempt: 0 };
  const ofShard = binderOf('secret of a shard', scope, mark)('body a').marker;
  expect(ofShard).toMatch(/^asy-[0-9a-f]{16}$/);
  const own = ownMarkers(mark);
  const foreign = binderOf('secret of a shard', scope)('body a').marker;
  expect([own.has(ofShard), own.has(foreign), ownMarkers(undefined).has(ofShard)]).toEqual([
    true,
    false,
    false,
  ]);
  own.add(foreign);
  expect(own.has(foreign)).toBe(true);
  const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`);
  const free = [1, 2, 3].map((number) => ids.filter((id) => !takenIds({ number, of: 3 }).has(id)));
  expect(free.flat().toSorted()).toEqual(ids.toSorted());
  for (const each of free) expect(each.length).toBeGreaterThan(30);
  // A shard that is started again has other keys.
  const keys = ['a', 'b'].map((salt) => bindingNonce('n', undefined, shardPart({ number: 1, salt })));
  expect(keys[0]).not.toBe(keys[1]);
});
