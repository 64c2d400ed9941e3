import { describe, expect, test } from 'vitest';
import { contract, principals } from '../clauses/literal/contract.ts';
import { type Line, trace } from '../clauses/literal/trace.ts';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import type { Planning } from '../propose/suite.ts';
import { effectsOfTrace, emptySighting, note, readPage } from './sweep.ts';

const planning = (people = principals): Planning => ({
  contract,
  declaration: {},
  principals: people,
  budget: 'quick',
  throttling: { maxRequests: 1, maxSeconds: 1 },
  hooks: new Set(),
  isJwt: () => false,
  caseMatters: () => true,
  values: () => {
    throw new Error('no values are drawn here');
  },
});

/** The literal contract, whose commands return their id at another place. */
const idAt = (id: string): Contract => ({
  ...contract,
  operations: contract.operations.map((operation) =>
    operation.effect === undefined ? operation : { ...operation, effect: { ...operation.effect, id } },
  ),
});

const list = operationOf(contract, 'listCases');
function page(of: Contract, items: readonly Json[]): ReturnType<typeof readPage> {
  const [exchange] = trace([
    { id: 'sweep', operation: 'listCases', status: 200, body: { items, nextCursor: null } },
  ]).exchanges;
  if (exchange === undefined) throw new Error('a line makes an exchange');
  return readPage(of, list, exchange satisfies Exchange, 0);
}
const marked = 'asy-0123456789abcdef';

describe('a page', () => {
  test('shows ids by marker, and the ids of records without one', () => {
    expect(page(contract, [{ id: 'a', text: `x ${marked}` }, { id: 'b' }, { text: marked }, 5])).toEqual({
      records: new Map([[marked, ['a']]]),
      unmarked: ['b'],
      next: undefined,
    });
  });

  test('reads ids where the results of commands have them, and numbers as text', () => {
    const items = [{ caseNo: 17, text: marked }, { caseNo: 18 }, { id: 'c' }];
    expect(page(idAt('/data/caseNo'), items)).toMatchObject({
      records: new Map([[marked, ['17']]]),
      unmarked: ['18', 'c'],
    });
  });
});

describe('the effects of a trace', () => {
  const of = (lines: readonly Line[], items: readonly Json[], people = principals) => {
    const one = trace(lines);
    const sighting = emptySighting();
    const found = page(contract, items);
    if (found === undefined) throw new Error('the page can be read');
    note(sighting, found, 'x9');
    const { byMarker, listed } = effectsOfTrace(planning(people), one, {
      ...sighting,
      complete: true,
      last: 'x9',
    });
    return { byMarker, listed };
  };
  const made: Line = { id: 'made', status: 201, result: 'case_1' };

  test('a record that the list does not show at all', () => {
    const { byMarker, listed } = of([made], []);
    expect(Object.values(byMarker)).toEqual([[]]);
    expect(listed).toBeUndefined();
  });

  test('a record that the list shows without its marker is listed, and nothing is counted', () => {
    expect(of([made], [{ id: 'case_1' }])).toEqual({ byMarker: {}, listed: ['case_1'] });
    expect(Object.values(of([{ ...made, status: 422 }], [{ id: 'case_1' }]).byMarker)).toEqual([[]]);
  });

  test('nothing is counted in a scope whose list nobody may read', () => {
    const nobody = principals.map((one) => ({ ...one, permissions: ['case.create'] }));
    expect(of([made], [], nobody)).toEqual({ byMarker: {}, listed: undefined });
  });
});
