import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import type { Budget } from '../src/model/configured.ts';
import { type Contract, operationOf, type QueryField } from '../src/model/contract.ts';
import type { JsonObject, JsonSchema } from '../src/model/json.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import {
  contractOf,
  contractOfShape,
  extendedContract,
  made,
  paged,
  withOperation,
} from '../src/testing/contracts.ts';
import { editedTo, holder, planned } from '../src/testing/plans.ts';
import reads from './reads.ts';

const [size, after] = paged.parameters;

/** Notes within scenarios: the list of the notes of a case, and its largest page. */
const contract = await contractOf(
  operation('POST /scenarios', 'createCase', {
    result: made,
    links: { ...linkTo('addNote', 'caseId'), ...linkTo('listNotes', 'caseId') },
  }),
  operation('POST /cases/{caseId}/notes', 'addNote', {
    governed: { effect: { list: 'listNotes' } },
    result: made,
  }),
  operation('GET /cases/{caseId}/notes', 'listNotes', {
    ...paged,
    parameters: [{ ...size, schema: { type: 'integer', maximum: 25 } }, after],
  }),
);

/** Which page is the first, for each that a list is read by where they are numbered and the number has this schema. */
async function numbered(field: string): Promise<readonly unknown[]> {
  const document = readFileSync('interop/spring/contract.yaml', 'utf8');
  const text = document.replace(
    /schema: \{ type: integer, format: int32, minimum: 0, default: 0 \}/,
    `schema: ${field}`,
  );
  const [pages] = planned(reads, await parseContract(text, 'cases.yaml')).scenarios({ probe: 'pages' });
  return stepsOf(pages?.waves ?? [])
    .filter(({ id }) => id.startsWith('page-'))
    .map(({ query }) => {
      const page = query?.find(([name]) => name === 'page')?.[1];
      return typeof page === 'object' && 'behind' in page ? [page.behind, page.step, page.first] : page;
    });
}

test('numbered pages are counted from where the document says, and where it does not, the first may be read twice', async () => {
  const from = (first: number): readonly unknown[] => [
    undefined,
    ['page', 'page-0', first],
    ['page', 'page-1', first],
  ];
  expect((await numbered('{ type: integer, minimum: 0 }')).slice(0, 3)).toEqual(from(0));
  expect((await numbered('{ type: integer, default: 1 }')).slice(0, 3)).toEqual(from(1));
  expect((await numbered('{ type: integer }')).slice(0, 3)).toEqual(from(0));
});

test.each([
  ['{ type: integer }', false],
  ['{ type: integer, minimum: 1 }', true],
])('numbered pages by %s: their seams are looked at where the second page is known', async (field, known) => {
  const plain = readFileSync('interop/spring/contract.yaml', 'utf8').replace(
    /schema: \{ type: integer, format: int32, minimum: 0, default: 0 \}/,
    `schema: ${field}`,
  );
  const seams = async (text: string): Promise<number> =>
    planned(reads, await parseContract(text, 'cases.yaml')).scenarios({ probe: 'seams' }).length;
  expect((await seams(plain)) > 0).toBe(known);
  // An address of the next page says which number that has.
  const linked = plain
    .replace('items: /content', 'items: /content, next: /next')
    .replace(/( +)(content: \{ type: array)/, '$1next: { type: string }\n$1$2');
  expect(linked).toContain('next: { type: string }');
  expect(await seams(linked)).toBeGreaterThan(0);
});

test('records within a record are made within the one whose list is read, and paged two by two', () => {
  const [pages] = planned(reads, contract).scenarios({ probe: 'pages' });
  const steps = stepsOf(pages?.waves ?? []);
  expect(steps.slice(0, 12).map(({ operation }) => operation)).toEqual([
    'createCase',
    'listNotes',
    ...Array.from({ length: 9 }, () => 'addNote'),
    'listNotes',
  ]);
  expect(new Set(steps.slice(1).map(({ target }) => JSON.stringify(target)))).toEqual(
    new Set([JSON.stringify({ caseId: { step: 'make-caseId', at: '/id' } })]),
  );
  expect(steps[11]?.query).toEqual([['size', '2']]);
});

test('a list within a record that the configuration gives is filled by others too, and read in large pages', () => {
  const targets = new Map(
    ['listNotes', 'addNote'].map((id) => [id, { ids: [{ caseId: 'case_1' }, { caseId: 'case_2' }] }]),
  );
  const [pages] = planned(reads, contract, { targets }).scenarios({ probe: 'pages' });
  const first = stepsOf(pages?.waves ?? []).find(({ observes }) => observes === 'page');
  expect(first?.target).toEqual({ caseId: { literal: 'case_1' } });
  expect(Number(first?.query?.[0]?.[1])).toBeGreaterThan(10);
});

test('more records are made where the smallest page would hold them all', async () => {
  const list = operationOf(contract, 'listNotes');
  const queryFields = list.queryFields.map((field) =>
    field.name === 'size' ? { ...field, schema: { type: 'integer', enum: [10, 25] } } : field,
  );
  const [pages] = planned(reads, withOperation(contract, list.id, { queryFields })).scenarios({
    probe: 'pages',
  });
  expect(stepsOf(pages?.waves ?? []).filter(({ operation }) => operation === 'addNote')).toHaveLength(12);
});

test('a record of another scope is looked for with a filter too, however long the list is', async () => {
  const contract = await extendedContract();
  const principals = [holder(contract, 'all'), holder(contract, 'stranger', { scope: 'b' })];
  const foreign = { probe: 'foreign', operation: 'listCases' };
  const [scenario] = planned(reads, contract, { principals }).scenarios(foreign);
  const looks = stepsOf(scenario?.waves ?? []).filter(({ operation }) => operation === 'listCases');
  expect(looks.slice(0, 5).map(({ id, as, query }) => [id, as, query?.map(([name]) => name)])).toEqual([
    ['afar', 'stranger', ['limit']],
    ['near', 'all', ['limit']],
    ['afar-filtered', 'stranger', ['limit', 'subject']],
    ['near-filtered', 'all', ['limit', 'subject']],
    // Without a filter all of it is read, page by page.
    ['afar-1', 'stranger', ['limit', 'cursor']],
  ]);
  expect(looks[2]?.query?.[1]?.[1]).toMatch(/\{marker:one\}$/);
});

test('a list that is not declared is read from another scope where its path is that of a command', async () => {
  const undeclared = await contractOf(
    operation('POST /notes', 'addNote', { result: made }),
    operation('GET /notes', 'listNotes'),
    operation('HEAD /notes', 'askNotes'),
    operation('GET /letters', 'listLetters'),
  );
  const principals = [holder(undeclared, 'all'), holder(undeclared, 'stranger', { scope: 'b' })];
  const plan = planned(reads, undeclared, { principals });
  const sent = (of: string): readonly unknown[] =>
    plan.steps({ probe: 'sought-foreign', operation: of }).map(({ as, operation }) => [operation, as]);
  expect(sent('listNotes')).toEqual([
    ['addNote', 'all'],
    ['listNotes', 'stranger'],
    ['listNotes', 'all'],
  ]);
  expect([sent('askNotes'), sent('listLetters')]).toEqual([[], []]);
});

test('a list is asked from another scope in each order that its contract declares', async () => {
  const schema = { enum: ['createdAt', '-createdAt'] };
  const sort: QueryField = { name: 'sort', required: false, schema, filters: undefined };
  const contract = withOperation(await extendedContract(), 'listCases', ({ queryFields }) => ({
    queryFields: [...queryFields, sort],
  }));
  const principals = [holder(contract, 'all'), holder(contract, 'stranger', { scope: 'b' })];
  const foreign = { probe: 'foreign', operation: 'listCases' };
  const steps = planned(reads, contract, { principals }).steps(foreign);
  expect(
    steps
      .filter(({ id }) => id.startsWith('afar-asked'))
      .map(({ as, deviations, query }) => [as, query?.at(-1), deviations]),
  ).toEqual(
    ['createdAt', '-createdAt'].map((order) => [
      'stranger',
      ['sort', order],
      [{ kind: 'parameter', name: 'sort' }],
    ]),
  );
});

test('a list is searched from another scope for the words of a record', async () => {
  const search: QueryField = { name: 'q', required: false, schema: { type: 'string' }, filters: undefined };
  const contract = withOperation(await extendedContract(), 'listCases', ({ queryFields }) => ({
    queryFields: [...queryFields, search],
  }));
  const principals = [holder(contract, 'all'), holder(contract, 'stranger', { scope: 'b' })];
  const steps = planned(reads, contract, { principals }).steps({ probe: 'foreign', operation: 'listCases' });
  const asked = steps.filter(({ id }) => id.startsWith('afar-asked'));
  expect(asked.map(({ as, query }) => [as, query?.at(-1)])).toEqual([['stranger', ['q', `\${marker:one}`]]]);
});

/** Papers, of which a list shows those of a tone; it has no field of its own for the words of one. */
const papers = await contractOf(
  operation('POST /papers', 'addPaper', {
    governed: { effect: { list: 'listPapers' } },
    body: object({ title: { type: 'string' }, tone: { enum: ['low', 'high'] } }),
    result: made,
  }),
  operation('GET /papers', 'listPapers', {
    governed: { pagination: { limit: 'size', cursor: 'skip', items: '/items', style: 'offset' } },
    parameters: [
      { ...size, schema: { type: 'integer', maximum: 100 } },
      { name: 'skip', in: 'query', schema: { type: 'integer' } },
      { name: 'tone', in: 'query', schema: { enum: ['low', 'high'] }, 'x-governed': { filters: '/tone' } },
    ],
    result: paged.result,
  }),
);
const scenariosOf = (probe: string): readonly Scenario[] =>
  planned(reads, papers).scenarios({ probe, operation: 'listPapers' });

test('a filter is followed from page to page by a value that most records do not have', () => {
  const paged = scenariosOf('filter-tone').at(-1);
  const steps = stepsOf(paged?.waves ?? []);
  expect(paged?.bodies['match']?.value).toMatchObject({ tone: 'low' });
  expect(
    steps.flatMap(({ body, operation }) => (operation === 'addPaper' ? (editedTo(body) ?? []) : [])),
  ).toEqual(['low', 'high', 'high', 'high', 'high', 'low']);
  expect(steps.find(({ id }) => id === 'filtered-0')?.query).toEqual([
    ['size', '2'],
    ['tone', 'high'],
  ]);
});

test('the beginning of a list that cannot be narrowed down is read with a large page and with small ones', () => {
  const steps = stepsOf(scenariosOf('seams')[0]?.waves ?? []);
  const asked = steps.flatMap(({ id, operation, query }) =>
    operation === 'listPapers' ? [[id, ...(query ?? []).map(([, value]) => value)]] : [],
  );
  const behind = (step: string): unknown => ({
    step,
    behind: 'items',
    field: 'skip',
    items: '/items',
    first: 0,
  });
  expect(asked).toEqual([
    ['whole-0', '6'],
    ['half-0-0', '2'],
    ['half-0-1', '2', behind('half-0-0')],
    ['half-0-2', '2', behind('half-0-1')],
    ['whole-1', '6'],
    ['half-1-0', '2'],
    ['half-1-1', '2', behind('half-1-0')],
    ['half-1-2', '2', behind('half-1-1')],
    ['whole-2', '6'],
  ]);
  expect(steps.filter(({ operation }) => operation === 'addPaper')).toHaveLength(5);
  // Nobody else adds records meanwhile.
  expect(planned(reads, papers).probes({ probe: 'seams' })).toMatchObject([{ alone: true }]);
});

test('a list that may fit into one large page is read to its end on small ones, and once more on a large one', () => {
  const steps = stepsOf(scenariosOf('pages')[0]?.waves ?? []);
  const asked = steps.flatMap(({ id, operation, query }) =>
    operation === 'listPapers' ? [`${id} ${query?.[0]?.[1]}`] : [],
  );
  expect(asked.slice(0, 2)).toEqual(['page-0 100', 'page-1 100']);
  expect(asked.filter((one) => one.startsWith('part'))).toEqual(
    Array.from({ length: 15 }, (_, index) => `part-${index} 8`),
  );
  expect(asked.at(-1)).toBe('again 100');
  // A page of eight is followed by another one.
  expect(steps.filter(({ operation }) => operation === 'addPaper')).toHaveLength(9);
});

test('an ID that is counted is asked for as a number that no record has, one that is too large, and as none', async () => {
  const asked = async (schema: JsonSchema): Promise<readonly unknown[]> => {
    const seats = await contractOf(
      operation('POST /seats', 'addSeat', { result: made, links: linkTo('getSeat', 'seat') }),
      operation('GET /seats/{seat}', 'getSeat', {
        parameters: [{ name: 'seat', in: 'path', required: true, schema }],
        result: true,
      }),
    );
    return planned(reads, seats)
      .steps({ probe: 'unknown-record' })
      .flatMap(({ role, target }) => (role === 'test' ? [target?.['seat']] : []));
  };
  expect(await asked({ type: 'integer' })).toEqual([
    { literal: '2147483646' },
    { literal: '98765432109876543210' },
    { literal: 'assay' },
  ]);
  expect(await asked({ type: 'string' })).toEqual([
    { chosen: 'absent' },
    { literal: 'assay\'"(*' },
    { literal: 'assay\u0000' },
    { literal: `assay-${'x'.repeat(300)}` },
  ]);
});

test('a list within one record is read before and after something is made within another one', () => {
  const sent = planned(reads, contract)
    .steps({ operation: 'listNotes', probe: 'elsewhere' })
    .filter(({ id }) => !/^look-([2-9]|1\d)/.test(id))
    .map(({ id, operation, target = {} }) =>
      [id, operation, ...Object.values(target).map((ref) => ('step' in ref ? ref.step : ''))].join(' '),
    );
  expect(sent).toEqual([
    'make-caseId createCase',
    'visible listNotes make-caseId',
    'other-make-caseId createCase',
    'other-visible listNotes other-make-caseId',
    'before listNotes other-make-caseId',
    'one addNote make-caseId',
    'look-0 listNotes other-make-caseId',
    'look-1 listNotes other-make-caseId',
    'own listNotes make-caseId',
  ]);
});

test.each([
  ['{ type: integer, minimum: 0 }', '100000'],
  ['{ type: integer, maximum: 5000 }', '1000'],
])('where pages are counted by %s, one far behind the last is read', async (field, far) => {
  const document = readFileSync('interop/spring/contract.yaml', 'utf8');
  const text = document.replace(
    /schema: \{ type: integer, format: int32, minimum: 0, default: 0 \}/,
    `schema: ${field}`,
  );
  const plan = planned(reads, await parseContract(text, 'cases.yaml'));
  expect(plan.steps({ probe: 'beyond-the-end' }).map(({ query }) => query)).toEqual([[['page', far]]]);
});

test('records that their callers name are made within the one whose list is read', async () => {
  const contract = await contractOfShape('client-chosen-within');
  const steps = planned(reads, contract).steps({ operation: 'listPages', probe: 'pages' });
  const targets = steps.filter(({ operation }) => operation === 'putPage').map(({ target }) => target);
  expect(targets[0]).toEqual({
    bookId: { step: 'make-bookId', at: '/id' },
    pageId: { chosen: 'made-1-pageId' },
  });
  // Nine that are paged two by two, and three that are read one by one.
  expect(new Set(targets.map((target) => JSON.stringify(target))).size).toBe(12);
});

test('within another record later pages are read as well, with the standard budget', async () => {
  const contract = await contractOfShape('client-chosen-within');
  const asked = (budget: 'quick' | 'standard'): readonly (number | undefined)[] =>
    planned(reads, contract, { budget })
      .scenarios({ operation: 'listPages', probe: 'elsewhere' })
      .map(({ waves }) => stepsOf(waves).filter(({ observes }) => observes === 'elsewhere').length);
  expect(asked('quick')).toEqual([12]);
  expect(asked('standard')).toEqual([6, 12]);
});

test('a record with a version is read three times before a command has the version of the first read', async () => {
  const [again] = planned(reads, await extendedContract()).scenarios({
    probe: 'read-again',
    operation: 'getCase',
  });
  const steps = stepsOf(again?.waves ?? []);
  expect(steps.slice(-6).map(({ id }) => id)).toEqual([
    ...['first-read', 'second-read', 'third-read', 'command'],
    ...['last-read', 'control'],
  ]);
  expect(steps.find(({ id }) => id === 'command')?.version).toMatchObject({ ref: { step: 'first-read' } });
});

test('a record is read seven times, the last time after a pause', async () => {
  const contract = await contractOf(
    operation('POST /notes', 'createNote', { result: made, links: linkTo('getNote', 'noteId') }),
    operation('GET /notes/{noteId}', 'getNote'),
  );
  const [again] = planned(reads, contract).scenarios({ probe: 'read-again' });
  expect(again?.waves.slice(-9).map((wave) => ('steps' in wave ? wave.steps[0]?.operation : wave))).toEqual([
    { wait: 'settle' },
    ...Array.from({ length: 6 }, () => 'getNote'),
    { wait: 1200 },
    'getNote',
  ]);
  // Where each read moves the version on afterwards, no version that a read shows is ever accepted.
  const versioned = planned(reads, await extendedContract()).scenarios({
    probe: 'read-again',
    operation: 'getCase',
  });
  expect(versioned.map(({ title }) => title)).toEqual([
    'a command with a version that was read, and read again since',
    'a record, read seven times',
  ]);
});

test('a record is read between reads of its list, alone unless the budget is quick', async () => {
  const contract = await extendedContract();
  const plan = (budget: Budget) =>
    planned(reads, contract, { budget }).probes({ probe: 'read-with-list', operation: 'getCase' });
  expect(plan('quick').map(({ alone }) => alone)).toEqual([undefined]);
  const [probe] = plan('standard');
  expect(probe?.alone).toBe(true);
  const between = stepsOf(probe?.scenarios[0]?.waves ?? []).map(({ observes, operation }) => [
    operation,
    observes,
  ]);
  const twice = [
    ['getCase', 'before'],
    ['getCase', 'before'],
  ];
  const list = [['listCases', 'item'], ...twice];
  expect(between.slice(-12)).toEqual([...twice, ...list, ...list, ...list, ['getCase', 'before']]);
});

test('the largest page that the contract names is asked for, unless it is very large', async () => {
  const sizes = async (maximum: number): Promise<readonly unknown[]> => {
    const list = operation('GET /notes', 'listNotes', {
      ...paged,
      parameters: [{ ...size, schema: { type: 'integer', maximum } }, after],
    });
    return planned(reads, await contractOf(list))
      .scenarios({ probe: 'largest-page' })
      .flatMap(({ waves }) => stepsOf(waves).map(({ query }) => query));
  };
  expect(await sizes(200)).toEqual([[[size.name, '200']], undefined]);
  expect(await sizes(100_000)).toEqual([]);
});

test('a read whose query fields take any text has no wrong one to send', async () => {
  const texts = { name: 'fields', in: 'query', schema: { type: 'string' } };
  const kinds = { name: 'expand', in: 'query', schema: { type: 'array', items: { enum: ['lines'] } } };
  const skipped = async (...parameters: readonly (typeof texts | typeof kinds)[]) =>
    planned(reads, await contractOf(operation('GET /cases', 'listCases', { parameters }))).skips.flatMap(
      ({ clauses, need }) => (clauses.includes('VAL-12') ? [need.kind] : []),
    );
  expect(await skipped(texts)).toEqual(['inapplicable']);
  expect(await skipped(texts, kinds)).toEqual([]);
});

test('records that need a stronger verification are made with one each, within what the list is of', async () => {
  const verified = await contractOfShape('verified-within');
  const plan = planned(reads, verified, { hooks: ['verify'] });
  const [first] = plan.scenarios({ operation: 'listTransfers', probe: 'filter-kind' });
  const waves = first?.waves ?? [];
  const made = stepsOf(waves).filter((step) => step.operation === 'transfer');
  const issued = waves.flatMap((wave) => ('hook' in wave ? [[wave.as, wave.input['target']]] : []));
  expect(made.length).toBeGreaterThan(1);
  expect(made.map(({ verification }) => verification?.use === 'hook' && verification.step)).toEqual(
    issued.map(([as]) => as),
  );
  expect(new Set(issued.map(([, target]) => target))).toEqual(new Set(['ref:make-accountId#/id']));
  const none = planned(reads, verified).skips.find(({ clauses }) => clauses.includes('RDS-3'));
  expect(none?.need).toMatchObject({ kind: 'hook' });
});

test.each([
  [{ result: true }, ['RDS-7']],
  [paged, ['RDS-7']],
])('of a read that no command fills, what applies to it is not tested', async (more, clauses) => {
  const { skips } = planned(reads, await contractOf(operation('GET /docks', 'listDocks', more)));
  expect(skips.find(({ need }) => need.kind === 'operation')?.clauses).toEqual(clauses);
});

test.each<[string, JsonObject, JsonObject, readonly string[]]>([
  ['with neither a text nor an ID', { size: { type: 'integer' } }, { size: { type: 'integer' } }, ['RDS-7']],
  ['with a text', { name: { type: 'string' } }, { name: { type: 'string' } }, []],
  ['with an ID', { size: { type: 'integer' } }, { id: { type: 'string' } }, []],
])('settings %s: what shows them to another scope', async (_, members, result, clauses) => {
  const contract = await contractOf(
    operation('PUT /settings', 'putSettings', { body: object(members), result: object(result) }),
    operation('GET /settings', 'getSettings', { result: object(result) }),
  );
  const principals = [holder(contract, 'lead'), holder(contract, 'other', { scope: 'b' })];
  const { skips } = planned(reads, contract, { principals });
  expect(skips.filter(({ need }) => need.kind === 'value').flatMap((one) => one.clauses)).toEqual(clauses);
});

test('a list is asked for cursors that it never issued, of more than one form', async () => {
  const cursors = planned(reads, await extendedContract())
    .scenarios({ probe: 'cursors', operation: 'listCases' })
    .map(({ waves }) => stepsOf(waves)[0])
    .map((step) => [step?.query, step?.deviations]);
  const tampered = [{ kind: 'cursor', how: 'tampered' }];
  expect(cursors.slice(0, 2)).toEqual([
    [[['cursor', 'assay-no-cursor']], tampered],
    [[['cursor', '~assay~']], tampered],
  ]);
});

test('refusals of a read come with a request ID of the client', async () => {
  const contract = await extendedContract();
  const sent = (name: string, probe: string): readonly unknown[] =>
    planned(reads, contract)
      .steps({ operation: name, probe })
      .flatMap(({ deviations, id, path }) =>
        deviations.length > 0 && !id.startsWith('read-') ? [[id, path]] : [],
      );
  expect(sent('getCase', 'foreign-request-id')).toEqual([
    ['no-token', undefined],
    ['not-there', undefined],
  ]);
  expect(sent('listCases', 'foreign-request-id')).toContainEqual(['wrong-query', undefined]);
});

test('the size of a page is asked for twice, the cursor is not', async () => {
  const contract = await contractOf(operation('GET /notes', 'listNotes', paged));
  const [odd, ...more] = planned(reads, contract).scenarios({ probe: 'odd' });
  expect(more).toEqual([]);
  expect(stepsOf(odd?.waves ?? []).map(({ query }) => query?.map(([name]) => name))).toEqual([
    ['size', 'size'],
    ['size'],
  ]);
});

test('a list that no known command adds to is asked for what is there, by each value that its filters name', async () => {
  const audit = await contractOf(
    operation('GET /audit', 'listAudit', {
      ...paged,
      parameters: [
        ...paged.parameters,
        {
          name: 'kind',
          in: 'query',
          schema: { enum: ['made', 'ended'] },
          'x-governed': { filters: '/kind' },
        },
        { name: 'actor', in: 'query', schema: { type: 'string' }, 'x-governed': { filters: '/by/name' } },
      ],
    }),
  );
  const proposed = planned(reads, audit);
  const asked = proposed
    .scenarios({ probe: 'filters-unmade' })
    .map(({ waves }) => stepsOf(waves).map(({ id, query }) => [id, ...(query ?? []).slice(1)]));
  const unfiltered = ['unfiltered'];
  expect(asked).toEqual([
    [unfiltered, ['filtered', ['kind', 'made']]],
    [unfiltered, ['filtered', ['kind', 'ended']]],
    [unfiltered, ['filtered', ['actor', { step: 'unfiltered', at: '/items/0/by/name' }]]],
  ]);
  expect(proposed.scenarios({ probe: 'limit-unmade' })).toHaveLength(1);
  expect(proposed.scenarios({ probe: 'cursors' }).length).toBeGreaterThan(0);
  const [seam, ...others] = proposed.scenarios({ probe: 'seams' });
  expect(others).toEqual([]);
  const steps = stepsOf(seam?.waves ?? []);
  expect(steps.every((step) => operationOf(audit, step.operation).kind === 'read')).toBe(true);
  expect(steps.filter(({ observes }) => observes === 'whole-page')).toHaveLength(3);
  const parts = steps.filter(({ observes }) => observes === 'part-of-list');
  expect(parts).toHaveLength(60);
  // Behind all small pages larger ones lead to the end, and others have to end there too.
  expect(parts.slice(30).map(({ id, query }) => [id, query?.[0]?.[1]])).toEqual([
    ...Array.from({ length: 15 }, (_, index) => [`larger-${index}`, '30']),
    ...Array.from({ length: 15 }, (_, index) => [`other-${index}`, '29']),
  ]);
  const untested = proposed.skips.flatMap(({ clauses }) => clauses);
  expect(untested).not.toContain('RDS-3');
  expect(untested).not.toContain('RDS-4');
});

test.each([
  [{ type: 'integer', minimum: 1, maximum: 50 }, '30'],
  [{ type: 'integer', minimum: 1, maximum: 20 }, '20'],
  [{ type: 'integer', minimum: 1 }, '6'],
  [{ type: 'integer', enum: [2, 6, 50], maximum: 50 }, '6'],
])('a list that nothing adds to, with pages of %j: the large page has %s records', async (schema, size) => {
  const audit = await contractOf(
    operation('GET /audit', 'listAudit', {
      ...paged,
      parameters: [
        ...paged.parameters.filter(({ name }) => name !== 'size'),
        { name: 'size', in: 'query', schema },
      ],
    }),
  );
  const [seam] = planned(reads, audit).scenarios({ probe: 'seams' });
  const large = stepsOf(seam?.waves ?? []).find(({ observes }) => observes === 'whole-page');
  expect(large?.query).toEqual([['size', size]]);
});

test('a record is read from another scope after each command that moves it to another state', async () => {
  const contract = await contractOf(
    operation('POST /bids', 'bid', {
      result: made,
      permission: 'x',
      governed: { effect: { read: 'getBid' } },
    }),
    operation('GET /bids/{bidId}', 'getBid', { result: made, permission: 'x' }),
    operation('POST /bids/{bidId}/submit', 'submitBid', {
      result: made,
      permission: 'x',
      governed: { conflict: { after: 'submitBid' }, effect: { read: 'getBid' } },
    }),
    operation('POST /bids/{bidId}/copy', 'copyBid', { result: made, permission: 'x' }),
    // Others may read what is published.
    operation('POST /bids/{bidId}/publish', 'publishBid', {
      result: made,
      permission: 'x',
      governed: { conflict: { after: 'publishBid' }, effect: { read: 'getBid' } },
    }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'elsewhere', { scope: 'b' })];
  const found = planned(reads, contract, { principals })
    .scenarios({ operation: 'getBid', probe: 'foreign' })
    .filter(({ title }) => title.includes('after'));
  expect(found.map(({ title }) => title)).toEqual(['a record of another scope, after submitBid']);
  const steps = stepsOf(found[0]?.waves ?? []);
  expect(steps.map(({ as, id }) => `${id} ${as}`).slice(-3)).toEqual([
    'moved all',
    'afar elsewhere',
    'near all',
  ]);
  expect(new Set(steps.slice(-3).map(({ target }) => JSON.stringify(target))).size).toBe(1);
});

test('a made-up cursor is sent to a list within a record when something is in it', async () => {
  const [scenario] = planned(reads, contract).scenarios({ probe: 'cursors', operation: 'listNotes' });
  expect(stepsOf(scenario?.waves ?? []).map(({ id, operation: of }) => [id, of])).toEqual([
    ['make-caseId', 'createCase'],
    ['visible', 'listNotes'],
    ['first', 'addNote'],
    ['test', 'listNotes'],
    ['control', 'listNotes'],
  ]);
});

test('a list that seems to have pages says how to declare them, and is not asked for any', async () => {
  const item = object({ id: { type: 'string' } });
  const pages = async (cursor: string, isLinked = false) => {
    const list = operation('GET /notes', 'listNotes', {
      ...(isLinked ? { resultHeaders: { Link: { schema: { type: 'string' } } } } : {}),
      parameters: ['limit', cursor].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
      result: object({ items: { type: 'array', items: item } }),
    });
    const { probes, skips } = planned(reads, await contractOf(list));
    expect(probes().filter(({ clauses }) => clauses.some((code) => /^RDS-[456]$/.test(code)))).toEqual([]);
    return skips
      .filter(({ clauses }) => clauses.includes('RDS-5'))
      .map(({ clauses, need }) => [clauses, need.remedy]);
  };
  const declare = `Declare the pages of GET /notes, to which its query fields 'limit' and`;
  expect(await pages('offset')).toEqual([
    [
      ['RDS-4', 'RDS-5', 'RDS-6'],
      `${declare} 'offset' seem to lead: x-governed: { pagination: { limit: 'limit', cursor: 'offset', items: '/items', style: offset } }.`,
    ],
  ]);
  expect(String((await pages('cursor'))[0]?.[1])).toContain('next: (where a page has the next cursor) } }.');
  expect(String((await pages('cursor', true))[0]?.[1])).toContain("items: '/items', style: link } }.");
  expect(await pages('since')).toEqual([]);
});

test('a list is also read page by page in the other order, where a query field says nothing but an order', () => {
  const orders = (...fields: readonly (readonly [string, JsonSchema])[]): readonly string[] => {
    const from = withOperation(contract, 'listNotes', ({ queryFields }) => ({
      queryFields: [
        ...queryFields,
        ...fields.map(([name, schema]) => ({ name, required: false, schema, filters: undefined })),
      ],
    }));
    const found = planned(reads, from)
      .scenarios({ probe: 'pages', operation: 'listNotes' })
      .filter(({ title }) => title.startsWith('four records'));
    const walk = found.flatMap(({ waves }) => stepsOf(waves)).filter(({ observes }) => observes === 'page');
    expect(walk).toHaveLength(found.length * 4);
    return [
      ...new Set(
        walk.map(({ query = [] }) =>
          JSON.stringify(query.filter(([name]) => fields.some(([field]) => field === name))),
        ),
      ),
    ];
  };
  expect(orders(['sort', { enum: ['created', '-created'] }])[0]).toBe('[["sort","-created"]]');
  expect(
    orders(['sort_by', { enum: ['name', 'created_asc'] }], ['order', { enum: ['asc', 'desc'] }])[0],
  ).toBe('[["sort_by","created_asc"],["order","desc"]]');
  expect(orders(['order', { enum: ['asc', 'desc'], default: 'desc' }])[0]).toBe('[["order","asc"]]');
  expect(orders(['direction', { enum: ['inbound', 'outbound'] }])).toEqual([]);
  expect(orders(['sort', { enum: ['-created', 'random'] }])).toEqual([]);
  expect(orders(['sort', { type: 'string' }])).toEqual([]);
  expect(orders(['kind', { enum: ['asc', 'desc'] }])).toEqual([]);
});

test('three records are read one by one, so that the last page is full, if a page may have one item', async () => {
  const singles = (from: Contract) =>
    planned(reads, from)
      .scenarios({ probe: 'pages', operation: 'listNotes' })
      .filter(({ title }) => title === 'three records, one on each page');
  const [found] = singles(contract);
  const steps = stepsOf(found?.waves ?? []);
  expect(steps.filter(({ operation }) => operation === 'addNote')).toHaveLength(3);
  const walk = steps.filter(({ observes }) => observes === 'page');
  expect(walk).toHaveLength(6);
  expect(new Set(walk.map(({ query }) => JSON.stringify(query?.[0])))).toEqual(new Set(['["size","1"]']));
  const larger = withOperation(contract, 'listNotes', ({ queryFields }) => ({
    queryFields: queryFields.map((field) =>
      field.name === 'size' ? { ...field, schema: { type: 'integer', minimum: 5 } } : field,
    ),
  }));
  expect(singles(larger)).toEqual([]);
});
