import { expect, test } from 'vitest';
import type { Budget } from '../src/model/configured.ts';
import { type Contract, operationOf } from '../src/model/contract.ts';
import { type JsonObject, valueAt } from '../src/model/json.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import { object } from '../src/selftest/shapes/document.ts';
import { contractOfShape, extendedContract, taking, withOperation } from '../src/testing/contracts.ts';
import { editedTo, planned } from '../src/testing/plans.ts';
import nearRequests from './near-requests.ts';

const contract = await extendedContract();

const scenariosOf = (operation: string, budget: Budget, from: Contract = contract): readonly Scenario[] =>
  planned(nearRequests, from, { budget }).scenarios({ operation });

const titles = (...of: Parameters<typeof scenariosOf>): readonly string[] =>
  scenariosOf(...of).map(({ title }) => title);

const caseOfALetter = 'the key with a text that differs in the case of a letter';
const blanks = 'the key with a text that differs in blanks between words';

test('a command on a record is tried with a request that differs in a detail, as one that makes a record is', () => {
  const ofTexts = (operation: string, budget: Budget): readonly string[] =>
    titles(operation, budget).filter((title) => title.startsWith('the key with a text'));
  expect(ofTexts('createCase', 'quick')).toHaveLength(7);
  expect(ofTexts('updateCase', 'quick')).toEqual([
    caseOfALetter,
    'the key with a text that differs, in turn, in blanks between words, the order of words, a punctuation mark, a letter outside ASCII, a blank at its beginning, what follows a hundred equal characters',
  ]);
  expect(ofTexts('updateCase', 'standard')).toEqual([
    caseOfALetter,
    blanks,
    'the key with a text that differs, in turn, in the order of words, a punctuation mark, a letter outside ASCII, a blank at its beginning, what follows a hundred equal characters',
  ]);
});

test('an action that the path names is tried with another one under its key', () => {
  const acting = withOperation(contract, 'closeCase', { otherPath: '/cases/{caseId}/reopening' });
  const [one] = scenariosOf('closeCase', 'quick', acting).filter(({ title }) =>
    title.endsWith('path allows'),
  );
  expect(stepsOf(one?.waves ?? []).map(({ id, operation, path }) => [id, operation, path])).toEqual([
    ['make-caseId', 'createCase', undefined],
    ['first', 'closeCase', undefined],
    ['before', 'getCase', undefined],
    ['before-again', 'getCase', undefined],
    ['mismatch', 'closeCase', 'other-choice'],
    ['after', 'getCase', undefined],
    ['control', 'closeCase', 'other-choice'],
    ['later', 'getCase', undefined],
  ]);
});

test('each request under a used key has a stronger verification of its own', () => {
  const verified = withOperation(contract, 'createCase', {
    verification: {
      carrier: { in: 'header', name: 'X-Verification' },
      hook: 'verify',
      singleUse: true,
      boundToTarget: false,
    },
  });
  const all = planned(nearRequests, verified, { hooks: ['verify'] }).scenarios({ operation: 'createCase' });
  expect(all.length).toBeGreaterThan(5);
  for (const { title, waves } of all) {
    const issued = stepsOf(waves).flatMap((step) =>
      step.operation === 'createCase' ? [step.verification] : [],
    );
    expect(new Set(issued.map((one) => JSON.stringify(one))).size, title).toBe(issued.length);
    expect(issued, title).not.toContain(undefined);
  }
});

test('a member within an object or an item, and a declared parameter, differ at each budget', () => {
  const orders: Contract = {
    ...contract,
    operations: [
      {
        ...operationOf(contract, 'createCase'),
        body: taking(
          object({
            name: { type: 'string' },
            to: object({ city: { enum: ['Berlin', 'Osaka'] } }),
            lines: { type: 'array', minItems: 1, items: { type: 'integer' } },
          }),
        ).body,
        queryFields: [
          { name: 'carrier', required: true, schema: { enum: ['dhl', 'ups'] }, filters: undefined },
        ],
      },
    ],
  };
  expect(titles('createCase', 'quick', orders)).toEqual([
    'the key with another value of the query field carrier',
    'the key with a body that differs in /to/city',
    'the key with a body that differs in /lines/0',
    'the key with the items of /lines in another order',
    'the key with an item of /lines repeated',
    'the key with /lines changed, in turn, at its end',
    'the key with values of /name that differ in a detail',
    ...titles('createCase', 'quick').filter((title) => title.startsWith('the key with a text')),
  ]);
});

test('the members that have no case of their own differ in turn under one key', () => {
  const schema = object({
    subject: { type: 'string' },
    level: { enum: ['low', 'high'] },
    urgent: { type: 'boolean' },
    to: object({ city: { enum: ['Berlin', 'Osaka'] }, floor: { type: 'integer' } }),
  });
  const createCase = { ...operationOf(contract, 'createCase'), body: taking(schema).body };
  const rich: Contract = { ...contract, operations: [createCase] };
  const inTurn = scenariosOf('createCase', 'quick', rich).filter(({ title }) => title.includes('bodies'));
  expect(inTurn.map(({ title }) => title)).toEqual(['the key with bodies that differ in /level, /to/city']);
  expect(
    inTurn.flatMap(({ waves }) => stepsOf(waves)).map(({ body, deviations, id }) => [id, body, deviations]),
  ).toEqual([
    ['first', { use: 'named', name: 'body' }, []],
    ...['/level', '/to/city'].map((at, index) => [
      `mismatch-${index + 1}`,
      { use: 'named', name: 'body', edit: { at, set: expect.anything() } },
      [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
    ]),
  ]);
});

test('numbers and texts that differ in a detail come in turn, and the record is read', () => {
  const schema = object({ subject: { type: 'string' }, price: { type: 'number', minimum: 0 } }, [
    'subject',
    'price',
  ]);
  const priced = withOperation(contract, 'createCase', { body: taking(schema).body });
  const [one] = scenariosOf('createCase', 'quick', priced).filter(({ title }) =>
    title.endsWith('in a detail'),
  );
  expect(one?.bodies['body']?.value).toEqual({ subject: 'Café 1', price: 0.25 });
  expect(
    stepsOf(one?.waves ?? []).map(({ body, id }) => [
      id,
      editedTo(body, '/price') ?? editedTo(body, '/subject'),
    ]),
  ).toEqual([
    ['first', undefined],
    ['mismatch-1', 0.75],
    ['mismatch-2', 0.26],
    ['mismatch-3', 100.25],
    ['mismatch-4', 'Cafè 1 $' + '{marker}'],
    ['mismatch-5', 'Café 2 $' + '{marker}'],
    ['mismatch-6', 'Café \uff11 $' + '{marker}'],
    ['after-first', undefined],
  ]);
});

test('a value of another type comes in turn where the schema allows both types', () => {
  const ofTypes = (members: JsonObject): readonly (readonly unknown[])[] =>
    scenariosOf(
      'createCase',
      'quick',
      withOperation(contract, 'createCase', {
        body: taking(
          object({ subject: { type: 'string' }, ...members }, ['subject', ...Object.keys(members)]),
        ).body,
      }),
    )
      .filter(({ title }) => /values of \/(?!subject)/.test(title))
      .map(({ bodies, waves }) => [
        Object.values(bodies['body']?.value ?? {}).at(-1),
        ...stepsOf(waves).flatMap(({ body }) =>
          Object.keys(members).flatMap((name) => editedTo(body, `/${name}`) ?? []),
        ),
      ]);
  expect(ofTypes({ code: { type: ['string', 'integer'] } })).toEqual([[1, '1']]);
  expect(ofTypes({ labels: { type: 'object' } })).toEqual([[{ probe: 1 }, { probe: '1' }, { probe: true }]]);
  // Only one type is allowed.
  expect(ofTypes({ labels: { type: 'object', additionalProperties: { type: 'string' } } })).toEqual([]);
});

test('a number at an end of its range gets a fraction within it', () => {
  const share = { type: 'number', minimum: 0.5, maximum: 1.9 };
  const schema = object({ subject: { type: 'string' }, share }, ['subject', 'share']);
  const shared = withOperation(contract, 'createCase', { body: taking(schema).body });
  const [one] = scenariosOf('createCase', 'quick', shared).filter(({ title }) =>
    title.endsWith('in a detail'),
  );
  expect(one?.bodies['body']?.value).toEqual({ subject: 'Café 1', share: 1.25 });
  expect(stepsOf(one?.waves ?? []).flatMap(({ body }) => editedTo(body, '/share') ?? [])).toEqual([
    1.75, 1.26,
  ]);
});

test('where a number is only in an object or in the items of a list, a body of its own has it', () => {
  const limits = object({ daily: { type: 'number', minimum: 0 } });
  const members = { subject: { type: 'string' }, limits, size: { type: 'integer' } };
  const nested = object(members, ['subject']);
  const ofDetails = (schema: JsonObject): readonly Scenario[] =>
    scenariosOf(
      'createCase',
      'quick',
      withOperation(contract, 'createCase', { body: taking(schema).body }),
    ).filter(({ title }) => title.endsWith('in a detail'));
  const [usual, within, ...more] = ofDetails(nested);
  expect(more).toEqual([]);
  expect(usual?.bodies['body']?.value).toEqual({ subject: 'Café 1' });
  expect(within?.bodies['body']?.value).toMatchObject({ limits: { daily: expect.any(Number) } });
  const others = stepsOf(within?.waves ?? []).flatMap(({ body }) => editedTo(body, '/limits/daily') ?? []);
  const own = valueAt(within?.bodies['body']?.value ?? null, '/limits/daily');
  expect([own, ...others].map((one) => Number(one) % 1)).toEqual([0.25, 0.75, expect.closeTo(0.26), 0.25]);
  const rows = {
    type: 'array',
    minItems: 1,
    items: object({ line: { type: 'string' }, value: { type: 'number' } }, ['line']),
  };
  const listed = object({ subject: { type: 'string' }, rows }, ['subject', 'rows']);
  expect(ofDetails(listed).map(({ title }) => title)).toEqual([
    'the key with values of /subject that differ in a detail',
    expect.stringMatching(/^the key with values of \/rows\/\d+\/value that differ in a detail$/),
  ]);
  // A number of the plain body is enough.
  expect(ofDetails(object({ ...members, price: { type: 'number' } }, ['subject', 'price']))).toHaveLength(1);
});

test('a long body differs at its end: the last text as sent, and the last one of sorted members', () => {
  const schema = object(
    {
      subject: { type: 'string' },
      title: { type: 'string', maxLength: 400 },
      note: { type: 'string', maxLength: 500 },
      customerId: { type: 'string', maxLength: 500 },
      code: { type: 'string', pattern: '^[A-Z]{3}$' },
    },
    ['subject'],
  );
  const ofLong = (from: JsonObject): readonly Scenario[] =>
    scenariosOf(
      'createCase',
      'quick',
      withOperation(contract, 'createCase', { body: taking(from).body }),
    ).filter(({ title }) => title.includes('a long body'));
  const [one, ...more] = ofLong(schema);
  expect(more).toEqual([]);
  const base = one?.bodies['body']?.value;
  const steps = stepsOf(one?.waves ?? []);
  expect(steps.map(({ id }) => id)).toEqual(['first', 'mismatch-1', 'mismatch-2']);
  expect(Object.keys(Object(base))).not.toContain('customerId');
  const changed = steps.flatMap(({ body }) =>
    ['/note', '/title'].flatMap((at) => {
      const other = editedTo(body, at);
      return typeof other === 'string' ? [[at, other]] : [];
    }),
  );
  expect(changed.map(([at]) => at).toSorted()).toEqual(['/note', '/title']);
  for (const [at = '', other = ''] of changed) {
    const text = String(valueAt(base ?? null, at));
    expect(text).toHaveLength(400);
    expect([text.slice(0, -1), text.at(-1), other.at(-1)]).toEqual([other.slice(0, -1), 'a', 'b']);
  }
  // A list is long by its items, even if each is short; a text that nothing bounds is no longer than any service takes.
  const listed = object(
    {
      subject: { type: 'string' },
      rows: { type: 'array', maxItems: 20, items: object({ line: { type: 'string', maxLength: 80 } }) },
    },
    ['subject'],
  );
  const [list] = ofLong(listed);
  expect(
    stepsOf(list?.waves ?? []).flatMap(({ body }) => editedTo(body, '/rows/11/line') ?? []),
  ).toHaveLength(1);
  expect(ofLong(object({ subject: { type: 'string' }, note: { type: 'string' } }, ['subject']))).toEqual([]);
  expect(
    ofLong(object({ subject: { type: 'string' }, note: { type: 'string', maxLength: 90 } }, ['subject'])),
  ).toEqual([]);
});

test('another request names the version that the first one left: the old one alone would be refused', () => {
  for (const { waves } of scenariosOf('updateCase', 'standard')) {
    const steps = stepsOf(waves);
    const at = steps.findIndex(({ id }) => id.startsWith('mismatch'));
    expect(steps[at - 1]).toMatchObject({ id: 'version-now', operation: 'getCase', role: 'setup' });
    expect(steps[at]?.version).toMatchObject({ use: 'of', ref: { step: 'version-now' } });
  }
});

test('requests in turn name the first version too: it may be part of what a service compares', () => {
  const inTurn = scenariosOf('updateCase', 'quick').filter(({ title }) => title.includes('in turn'));
  expect(inTurn).not.toEqual([]);
  for (const { waves } of inTurn) {
    const steps = stepsOf(waves);
    const first = steps.find(({ id }) => id === 'first');
    const again = steps.filter(({ id }) => id.endsWith('-at-first'));
    expect(again.length).toBe(steps.filter(({ id }) => /^mismatch-\d+$/.test(id)).length);
    for (const { version } of again) expect(version).toEqual(first?.version);
  }
});

test('a list has its items in another order, one of them twice, and another end', () => {
  const ofLists = (budget: Budget, from: Contract): readonly string[] =>
    titles('createCase', budget, from).filter((title) => /items? of|end$/.test(title));
  const createCase = operationOf(contract, 'createCase');
  const codes = { type: 'array', minItems: 1, items: { type: 'integer' } };
  const { body } = taking(object({ subject: { type: 'string' }, codes }));
  const changed = (more: Partial<typeof createCase>): Contract =>
    withOperation(contract, 'createCase', { body, ...more });
  const order = 'the key with the items of /codes in another order';
  const repetition = 'the key with an item of /codes repeated';
  const end = 'the key with /codes changed, in turn, at its end';
  expect(ofLists('quick', changed({}))).toEqual([order, repetition, end]);
  const { pathFields } = operationOf(contract, 'updateCase');
  const targeted = changed({
    path: '/cases/{caseId}/codes',
    pathFields: pathFields.map((one) => ({ ...one, source: { operation: 'importCase', at: '/id' } })),
  });
  const made = {
    ...targeted,
    operations: [...targeted.operations, { ...createCase, id: 'importCase', path: '/imports' }],
  };
  expect(ofLists('quick', made)).toEqual([order, end]);
  expect(ofLists('standard', made)).toEqual([order, repetition, end]);
});

test.each([
  ['root-text', 'text'],
  ['root-array', '["text"]'],
  ['map-of-texts', '{"alpha":"text"}'],
  ['any-root', 'text'],
  ['short-text', undefined],
])(
  '%s: bodies of long texts differ at their end where no member of every body has a marker',
  async (shape, form) => {
    const contract = await contractOfShape(shape);
    const [maker] = contract.operations;
    const late = scenariosOf(maker?.id ?? '', 'quick', contract).filter(({ title }) =>
      title.includes('hundred'),
    );
    const bodies = late
      .flatMap(({ waves }) => stepsOf(waves))
      .map(({ body, id }) => [id, editedTo(body, '')])
      .filter(([, set]) => set !== undefined)
      .map(([id, set]) => [id, JSON.stringify(set).replace(/^"|"$/g, '')]);
    const words = 'Conformance probe of texts. '.repeat(4);
    const of = (last: string): string | undefined => form?.replace('text', `${words}${last}`);
    expect(bodies).toEqual(
      form === undefined
        ? []
        : [
            ['first', of('a')],
            ['mismatch', of('b')],
            ['control', of('b')],
          ],
    );
  },
);
