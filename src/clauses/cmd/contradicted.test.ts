import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { trace } from '../cases/trace.ts';
import { contradicted } from './contradicted.ts';

/** A command that sends to one or to several, and a read that shows its records with `to` as its schema says. */
function rulings(to: JsonObject, ...all: readonly { readonly sent: Json; readonly shown?: Json }[]) {
  const schema: JsonObject = { type: 'object', properties: { id: { type: 'string' }, to } };
  const operations = contract.operations.map((operation) =>
    operation.id === 'getCase' ? { ...operation, success: { ...operation.success, schema } } : operation,
  );
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const fold = contradicted();
  return all.flatMap(({ sent, shown }, index) => {
    const id = `case_${index}`;
    const body = { subject: `text ${index}`, to: sent };
    const made = trace(
      [
        { id: 'a', role: 'test', status: 201, result: id, body: { id, ...body } },
        {
          ...{ id: 'after', operation: 'getCase', observes: 'after', on: 'a', role: 'readback', status: 200 },
          body: { id, subject: body.subject, ...(shown === undefined ? {} : { to: shown }) },
        },
      ],
      { id: `t${index}` },
    );
    const exchanges = made.exchanges.map((one) =>
      one.operation === 'createCase'
        ? { ...one, request: { ...one.request, body: JSON.stringify(body) } }
        : one,
    );
    return [...fold.see(context, { ...made, exchanges })].map(({ verdict }) => `t${index} ${verdict}`);
  });
}

const text = { type: 'string' };

test('a read may lack what its schema has no room for', () => {
  const all = [{ sent: '+61400', shown: '+61400' }, { sent: ['+61400', '+61401'] }];
  expect(rulings(text, ...all)).toEqual([]);
  expect(rulings({ oneOf: [text, { type: 'array' }] }, ...all)).toEqual(['t1 violated']);
  expect(rulings(text, all[0] ?? { sent: '' }, { sent: '+61402' })).toEqual(['t1 violated']);
});

const [a, b] = [
  { code: 'A', count: 3 },
  { code: 'B', count: 4 },
];
test.each<readonly [string, Json, Json, readonly string[]]>([
  ['as they were sent', [a, b], [a, b], []],
  ['with another number in the last one', [a, b], [a, { ...b, count: 5 }], ['t1 violated']],
  ['without a member of the last one', [a, b], [a, { code: 'B' }], ['t1 violated']],
  ['with a member more', [a, b], [a, { ...b, unit: 'g' }], []],
  ['in another order', [a, b], [b, a], []],
  ['that differ in one member, in another order', [a, { ...a, count: 4 }], [{ ...a, count: 4 }, a], []],
  ['and one of another kind', [a, b], [a, { code: 'C', count: 7 }], []],
])('a read shows the items of a list %s', (_, sent, shown, expected) => {
  const list = { type: 'array', items: { type: 'object' } };
  expect(rulings(list, { sent: [a, b], shown: [a, b] }, { sent, shown })).toEqual(expected);
});
