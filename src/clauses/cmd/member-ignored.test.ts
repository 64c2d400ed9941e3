import { describe, expect, test } from 'vitest';
import type { Violated } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { memberIgnored } from './member-ignored.ts';

const text = { type: 'string' };
const settable: JsonObject = {
  subject: text,
  notes: text,
  seeds: { type: 'integer' },
  kind: { enum: ['a', 'b'] },
  site: { type: 'string', format: 'uri' },
};
const shownToo: JsonObject = { id: text, status: text, version: { type: 'integer' }, email: text };

function contextOf(
  properties: JsonObject = settable,
  making: JsonObject = { type: 'object' },
  { named, shown = {} }: { readonly named?: Operation['named']; readonly shown?: JsonObject } = {},
) {
  const bodies: JsonObject = { updateCase: { type: 'object', properties }, createCase: making };
  const schemaOf = (operation: Operation): Operation =>
    operation.body !== undefined && bodies[operation.id] !== undefined
      ? { ...operation, body: { ...operation.body, schema: bodies[operation.id] as JsonObject } }
      : operation.id === 'getCase'
        ? {
            ...operation,
            success: {
              ...operation.success,
              schema: { type: 'object', properties: { ...settable, ...shownToo, ...shown } },
            },
          }
        : operation;
  return makeContext({
    contract: {
      ...contract,
      operations: contract.operations
        .map(schemaOf)
        .map((one) => (one.kind === 'command' && named !== undefined ? { ...one, named } : one)),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}

const json = (value: Json): string => JSON.stringify(value);
const record = (id: string, more: JsonObject): JsonObject => ({ id, status: 'open', ...more });

/** A record that is made with this, and read. */
const made = (more: JsonObject, read: JsonObject = more): readonly Line[] => [
  { id: 'a', status: 201, sent: json(more), result: 'case_9', body: record('case_9', more) },
  {
    ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
    body: record('case_9', { version: 1, ...read }),
  },
];

type Change = {
  readonly was?: JsonObject;
  readonly result?: JsonObject | '';
  readonly command?: Partial<Line>;
  readonly between?: Line;
};

/** A PATCH of a record that is read before and after it. */
const changed = (
  sent: JsonObject,
  is: JsonObject,
  { between, command, result, was = { subject: 'old' } }: Change = {},
): readonly Line[] => {
  const shows = (id: string, body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback' },
    observes: id === 'before' ? 'before' : 'after',
    body: record('case_7', body),
  });
  return [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    shows('before', { version: 1, ...was }),
    {
      ...{ id: 'patch', role: 'test', status: 200, operation: 'updateCase', on: 'a', sent: json(sent) },
      body: result ?? record('case_7', { version: 2, ...is }),
      ...command,
    },
    ...(between === undefined ? [] : [between]),
    shows('after', { version: 2, ...is }),
  ];
};

const whole = { subject: 'whole', notes: 'seen', seeds: 1, site: 'https://a.test/' };
const one = changed({ subject: 'first', notes: 'one note' }, { subject: 'first' });
const two = changed({ subject: 'second', notes: 'another' }, { subject: 'second' });

function rulings(
  traces: readonly (readonly Line[])[],
  context: ReturnType<typeof contextOf> = contextOf(),
): readonly string[] {
  const fold = memberIgnored();
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}` }))]
      .filter(({ verdict }) => verdict !== 'holds')
      .map((ruling) =>
        `t${index} ${ruling.verdict}${(ruling as Violated).conclusive === true ? ' conclusive' : ''} ${(ruling as Violated).within?.id ?? ''}`.trim(),
      ),
  );
}

test('a member that no PATCH stores is found, if a read shows it of another record', () => {
  expect(rulings([made(whole), one, two])).toEqual(['t2 violated']);
  expect(rulings([made(whole), one, two, two])).toEqual(['t2 violated', 't3 violated']);
  expect(rulings([one, two, made(whole), two])).toEqual(['t2 violated conclusive t1']);
});

test('a member that keeps an earlier value, and a number, are found as well', () => {
  const kept = (subject: string, notes: string) =>
    changed({ subject, notes }, { subject, notes: 'before' }, { was: { subject: 'old', notes: 'before' } });
  expect(rulings([made(whole), kept('1st', 'some'), kept('2nd', 'other')])).toEqual(['t2 violated']);
  const count = (subject: string, seeds: number) =>
    changed({ subject, seeds }, { subject, seeds: 5 }, { was: { subject: 'old', seeds: 5 } });
  expect(rulings([made(whole), count('1st', 700), count('2nd', 900)])).toEqual(['t2 violated']);
});

test.each<[string, readonly (readonly Line[])[]]>([
  ['one value alone was sent', [made(whole), one, one]],
  ['no record shows such a member', [made({ subject: 'whole' }), one, two]],
  ['records show it otherwise than it was sent', [made(whole, { ...whole, notes: 'Seen.' }), one, two]],
  ['only records in another state show it', [made({ ...whole, status: 'closed' } as JsonObject), one, two]],
  ['only records that have other members show it', [made({ ...whole, owner: 'me' }), one, two]],
  [
    'another PATCH stored it',
    [
      made(whole),
      changed({ subject: 'third', notes: 'stored' }, { subject: 'third', notes: 'stored' }),
      one,
      two,
    ],
  ],
])('nothing is said where %s', (_, traces) => {
  expect(rulings(traces)).toEqual([]);
});

test('what the body of another command sets freely shows no kind of record, unless its members depend on one another', () => {
  const more = { subject: text, notes: text, owner: text };
  const other = made({ ...whole, owner: 'me' });
  const plain = contextOf(settable, { type: 'object', properties: more });
  expect(rulings([other, one, two], plain)).toEqual(['t2 violated']);
  const kinds = contextOf(settable, { oneOf: [{ type: 'object', properties: more }] });
  expect(rulings([other, one, two], kinds)).toEqual([]);
});

const second = { subject: 'second', notes: 'another' };
test.each<[string, readonly Line[]]>([
  ['the read may be stale', changed(second, { subject: 'old' })],
  ['another member of the record moved', changed(second, { subject: 'second', pending: true })],
  ['the value is shown in another form', changed(second, { subject: 'second', notes: 'Another!' })],
  [
    'the record had it in another form',
    changed(second, { subject: 'second', notes: 'ANOTHER' }, { was: { subject: 'old', notes: 'ANOTHER' } }),
  ],
  [
    'the result says more',
    changed(second, { subject: 'second' }, { result: { id: 'case_7', warnings: ['notes need approval'] } }),
  ],
  [
    'the result says more around the record',
    changed(
      second,
      { subject: 'second' },
      { result: { data: record('case_7', { subject: 'second' }), warnings: ['no notes'] } },
    ),
  ],
  ['the command was queued', changed(second, { subject: 'second' }, { command: { status: 202 } })],
  ['the command was refused', changed(second, { subject: 'second' }, { command: { status: 409 } })],
  [
    'another command came between',
    changed(
      second,
      { subject: 'second' },
      { between: { id: 'close', status: 200, operation: 'closeCase', on: 'a' } },
    ),
  ],
  ['the text has markup', changed({ ...second, notes: '<b>another</b>' }, { subject: 'second' })],
])('nothing is said of a command where %s', (_, last) => {
  expect(rulings([made(whole), one, last])).toEqual([]);
});

test('nothing is said of what may wait, or depends on more than the command', () => {
  const set = (name: string, value: Json, subject: string) =>
    changed({ subject, [name]: value }, { subject });
  const all: JsonObject = { ...whole, kind: 'a', email: 'a@b.test', apiKey: 'k' };
  const without = (name: string, one: Json, other: Json) =>
    rulings([made(all), set(name, one, '1st'), set(name, other, '2nd')]);
  expect(without('site', 'https://b.test/', 'https://c.test/')).toEqual([]);
  expect(without('kind', 'a', 'b')).toEqual([]);
  expect(without('email', 'c@b.test', 'd@b.test')).toEqual([]);
  expect(without('apiKey', 'one', 'two')).toEqual([]);
});

test('nothing is said of a member that the schema of the body does not describe', () => {
  expect(rulings([made(whole), one, two], contextOf({ subject: text }))).toEqual([]);
});

test('a text of a form that no one has to confirm is found, by its format or by its name', () => {
  const formed = (name: string, more: JsonObject, [one, two, third]: readonly [string, string, string]) => {
    const own: JsonObject = { subject: text, [name]: { ...text, pattern: '^[+0-9A-Z: -]{3,16}$', ...more } };
    const context = contextOf(own, { type: 'object', properties: own, minProperties: 1 }, { shown: own });
    const lost = (subject: string, value: string) => makes({ subject, [name]: value }, { subject });
    const stored = changed({ subject: 'x', [name]: third }, { subject: 'x', [name]: third });
    return rulings([stored, lost('1st', one), lost('2nd', two)], context);
  };
  const codes = ['75008', 'SW1A 1AA', '10115'] as const;
  expect(formed('postcode', {}, codes)).toEqual(['t2 violated']);
  expect(formed('startsAt', {}, ['18:30', '19:00', '20:15'])).toEqual(['t2 violated']);
  expect(formed('due', { format: 'date' }, ['2027-01-02', '2027-01-03', '2027-01-04'])).toEqual([
    't2 violated',
  ]);
  // Somebody may have to call the one, and to look up the other.
  expect(formed('phone', {}, ['+4930123', '+4930124', '+4930125'])).toEqual([]);
  expect(formed('vatNumber', {}, ['DE123456', 'FR123456', 'AT123456'])).toEqual([]);
  expect(formed('site', { format: 'uri' }, codes)).toEqual([]);
});

/** A record that is made with a subject and notes, and read; the result and the read show the same of it. */
const makes = (sent: JsonObject, shown: JsonObject, more: Partial<Line> = {}): readonly Line[] => [
  { id: 'a', status: 201, sent: json(sent), result: 'case_9', body: record('case_9', shown), ...more },
  {
    ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
    body: record('case_9', shown),
  },
];
const stored = changed({ subject: 'x', notes: 'set later' }, { subject: 'x', notes: 'set later' });
const dropped = (subject: string, notes: string, more: Partial<Line> = {}) =>
  makes({ subject, notes }, { subject }, more);
const making: JsonObject = { type: 'object', properties: { subject: text, notes: text, tone: text } };

test('a member that no command stores which makes records is found, if a read shows it of another record', () => {
  const context = contextOf(settable, making);
  expect(rulings([dropped('1st', 'one'), dropped('2nd', 'two'), stored], context)).toEqual([
    't2 violated conclusive t1',
  ]);
  expect(rulings([stored, dropped('1st', 'one'), dropped('2nd', 'two')], context)).toEqual(['t2 violated']);
  const empty = makes({ subject: '2nd', notes: 'two' }, { subject: '2nd', notes: null });
  expect(rulings([stored, dropped('1st', 'one'), empty], context)).toEqual(['t2 violated']);
});

test('a member of an object within the body is found, though bodies of changes are described alike', () => {
  const spot: JsonObject = { type: 'object', properties: { street: text, floor: text } };
  const both: JsonObject = { subject: text, spot };
  const context = contextOf(both, { type: 'object', properties: both }, { shown: { spot } });
  const placed = (floor: string, shown: JsonObject, subject = floor): readonly Line[] =>
    makes({ subject, spot: { street: 'North', floor } }, { subject, spot: shown });
  const whole = { street: 'East', floor: 'third' };
  const stored = changed({ subject: 'x', spot: whole }, { subject: 'x', spot: whole });
  const [first, second] = ['first', 'second'].map((floor) => placed(floor, { street: 'North' })) as [
    readonly Line[],
    readonly Line[],
  ];
  expect(rulings([stored, first, second], context)).toEqual(['t2 violated']);
  // No other member of the object is there, so the object may be for changes alone.
  const [none, nothing] = ['first', 'second'].map((floor) => placed(floor, {})) as [
    readonly Line[],
    readonly Line[],
  ];
  expect(rulings([stored, none, nothing], context)).toEqual([]);
  expect(rulings([first, second], context)).toEqual([]);
});

test.each<[string, readonly (readonly Line[])[], JsonObject?]>([
  ['one value alone was sent', [stored, dropped('1st', 'one'), dropped('2nd', 'one')]],
  ['no read shows such a member', [dropped('1st', 'one'), dropped('2nd', 'two')]],
  [
    'another one stored it',
    [
      stored,
      makes({ subject: 'a', notes: 'b' }, { subject: 'a', notes: 'b' }),
      dropped('1st', 'one'),
      dropped('2nd', 'two'),
    ],
  ],
  [
    'the record has another value',
    ['1st', '2nd']
      .map((subject) => makes({ subject, notes: subject }, { subject, notes: 'usual' }))
      .concat([stored]),
  ],
  [
    'the record lacks another member as well',
    [stored, ...['1st', '2nd'].map((subject) => makes({ subject, notes: subject, tone: 'x' }, { subject }))],
  ],
  ['nothing else was sent', [stored, ...['1st', '2nd'].map((notes) => makes({ notes }, {}))]],
  [
    'the result says more',
    [
      stored,
      ...['1st', '2nd'].map((subject) =>
        dropped(subject, subject, { body: { id: 'case_9', warnings: ['no notes'] } }),
      ),
    ],
  ],
  [
    'another caller, who may see more, reads such a member',
    [stored.map((line) => ({ ...line, as: 'peer' })), dropped('1st', 'one'), dropped('2nd', 'two')],
  ],
  [
    'it was only queued',
    [stored, dropped('1st', 'one', { status: 202 }), dropped('2nd', 'two', { status: 202 })],
  ],
  [
    'the bodies of both commands are described alike',
    [stored, dropped('1st', 'one'), dropped('2nd', 'two')],
    { type: 'object', properties: settable },
  ],
  [
    'the body does not describe it',
    [stored, dropped('1st', 'one'), dropped('2nd', 'two')],
    { type: 'object', properties: { subject: text } },
  ],
])('nothing is said of commands that make records where %s', (_, traces, schema = making) => {
  expect(rulings(traces, contextOf(settable, schema))).toEqual([]);
});

test('a member that the body requires is for the command that makes records, however others are described', () => {
  const shared = { type: 'object', required: ['notes'], properties: settable };
  const context = contextOf(settable, shared);
  const contract = {
    ...context.contract,
    operations: context.contract.operations.map((one) =>
      one.id === 'updateCase' && one.body !== undefined
        ? { ...one, body: { ...one.body, schema: shared } }
        : one,
    ),
  };
  expect(rulings([stored, dropped('1st', 'one'), dropped('2nd', 'two')], { ...context, contract })).toEqual([
    't2 violated',
  ]);
});

describe('a reference to a record that the run made', () => {
  const refs: JsonObject = { ...settable, folderId: { type: 'string', format: 'uuid' }, nextFolderId: text };
  const named = ['folderId', 'nextFolderId'].map((name) => ({
    at: `/${name}`,
    field: { name, schema: text, source: { operation: 'createCase', at: '/id' } },
  }));
  const referring = (making: JsonObject = { type: 'object' }) =>
    contextOf(refs, making, { named, shown: refs });
  const [first, second] = ['0190b3a2-7c1d-7e00-8a4f-1c2d3e4f5a6b', '0190b3a2-7c1d-7e00-8a4f-1c2d3e4f5a6c'];
  const kept = changed(
    { subject: 'moved', folderId: second },
    { subject: 'moved', folderId: first },
    { was: { subject: 'old', folderId: first } },
  );
  const other = made({ subject: 'whole', folderId: first });

  test('is found where one command leaves it as it was, or never sets it', () => {
    expect(rulings([other, kept], referring())).toEqual(['t1 violated']);
    const unset = changed({ subject: 'moved', folderId: second }, { subject: 'moved', folderId: null });
    expect(rulings([other, unset], referring())).toEqual(['t1 violated']);
  });

  test('is not where no read shows one, the operation stored one, or somebody may have to agree', () => {
    expect(rulings([kept], referring())).toEqual([]);
    const stored = changed({ subject: 'x', folderId: second }, { subject: 'x', folderId: second });
    expect(rulings([other, stored, kept], referring())).toEqual([]);
    const asked = changed({ subject: 'x', nextFolderId: second }, { subject: 'x' });
    expect(rulings([made({ subject: 'whole', nextFolderId: first }), asked], referring())).toEqual([]);
  });

  test('is not where one schema stands for all bodies', () => {
    expect(rulings([other, kept], referring({ type: 'object', properties: refs }))).toEqual([]);
  });

  test('is not where nothing says that it names a record', () => {
    expect(rulings([other, kept], contextOf(refs, undefined, { shown: refs }))).toEqual([]);
  });
});

describe('members of other kinds', () => {
  const more: JsonObject = {
    ...settable,
    tags: { type: 'array', items: text },
    labels: { type: 'object', additionalProperties: text },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: text, count: { type: 'integer', default: 1 }, fragile: { type: 'boolean' } },
      },
    },
    network: {
      type: 'object',
      properties: { dns: { type: 'array', items: text }, host: text, proxied: { type: 'boolean' } },
    },
    urgent: { type: 'boolean' },
    gift: { type: 'boolean' },
    frequency: { enum: ['daily', 'weekly', 'monthly'], default: 'daily' },
    approved: { type: 'boolean' },
    priority: { enum: ['low', 'high', 'top'], default: 'low' },
    phase: { enum: ['one', 'two', 'three'], default: 'one' },
    due: { type: 'string', format: 'date' },
    rank: { type: 'integer', default: 5 },
    timeout: { type: 'integer', format: 'int32', default: 60 },
    permissions: { type: 'array', items: text },
    siteIds: { type: 'array', items: text },
  };
  const making: JsonObject = { type: 'object', properties: more };
  const context = contextOf({ ...more, extra: text }, making, { shown: more });

  /** Two records that are made with two values, and show another one; a PATCH stores a third. */
  const ofMade = (name: string, [one, two, three]: readonly [Json, Json, Json], shown: Json | undefined) =>
    rulings(
      [
        changed({ subject: 'x', [name]: three }, { subject: 'x', [name]: three }),
        ...[one, two].map((value, index) => {
          const rest = { subject: `made ${index}` };
          const line = makes(
            { ...rest, [name]: value },
            shown === undefined ? rest : { ...rest, [name]: shown },
          );
          return line;
        }),
      ],
      context,
    );

  test.each<[string, string, readonly [Json, Json, Json], Json | undefined]>([
    ['a list', 'tags', [['a'], ['b', 'c'], ['d']], []],
    ['a list that is not there', 'tags', [['a'], ['b', 'c'], ['d']], undefined],
    ['a map', 'labels', [{ a: '1' }, { b: '2' }, { c: '3' }], {}],
    ['an object', 'network', [{ host: 'a' }, { host: 'b' }, { host: 'c' }], null],
    ['a choice that takes its default', 'frequency', ['weekly', 'monthly', 'monthly'], 'daily'],
    ['a date', 'due', ['2031-03-04', '2031-03-07', '2031-04-01'], null],
    ['a number that takes its default', 'timeout', [10, 20, 30], 60],
  ])('%s that no command which makes records stores is found', (_, name, values, shown) => {
    expect(ofMade(name, values, shown)).toEqual(['t2 violated']);
  });

  test.each<[string, string, readonly [Json, Json, Json], Json | undefined]>([
    ['a list is shown in part', 'tags', [['a', 'b'], ['b', 'c'], ['d']], ['b']],
    ['one list alone was sent', 'tags', [['a'], ['a'], ['d']], []],
    ['a number is bounded', 'timeout', [1000, 2000, 30], 600],
    ['a date is shown in another form', 'due', ['2031-03-04', '2031-03-07', '2031-04-01'], '4 March 2031'],
    ['a choice is a state', 'phase', ['three', 'two', 'two'], 'one'],
    ['rights may be filtered', 'permissions', [['a'], ['b'], ['c']], []],
    ['records are named', 'siteIds', [['a'], ['b'], ['c']], []],
    ['a choice is another one than its default', 'frequency', ['daily', 'monthly', 'daily'], 'weekly'],
    ['a service may find out the number', 'rank', [10, 20, 30], 5],
    ['a service may find out the choice', 'priority', ['top', 'high', 'high'], 'low'],
    ['a flag was sent once as each record shows it', 'gift', [true, true, false], false],
    ['a choice was sent once as each record shows it', 'frequency', ['weekly', 'monthly', 'daily'], 'daily'],
    ['a number was sent once as each record shows it', 'timeout', [10, 20, 60], 60],
  ])('nothing is said where %s', (_, name, values, shown) => {
    expect(ofMade(name, values, shown)).toEqual([]);
  });

  const kept = (name: string, was: Json | undefined, sent: readonly [Json, Json], is = was) =>
    rulings(
      [
        makes({ subject: 'made', [name]: sent[0] }, { subject: 'made', [name]: sent[0] }),
        ...sent.map((value, index) => {
          const own = (each: Json | undefined): JsonObject => (each === undefined ? {} : { [name]: each });
          return changed(
            { subject: `${index}`, [name]: value },
            { subject: `${index}`, ...own(is) },
            { was: { subject: 'old', ...own(was) } },
          );
        }),
      ],
      context,
    );

  test.each<[string, string, Json | undefined, readonly [Json, Json]]>([
    ['a list', 'tags', [], [['a'], ['b', 'c']]],
    ['a list that has others', 'tags', ['x'], [['a'], ['b', 'c']]],
    ['a map', 'labels', { x: '1' }, [{ a: '2' }, { b: '3' }]],
    ['a date that is null', 'due', null, ['2031-03-04', '2031-03-07']],
    ['a list within an object', 'network', { dns: [] }, [{ dns: ['a'] }, { dns: ['b'] }]],
    ['an object', 'network', undefined, [{ host: 'a' }, { host: 'b' }]],
  ])('%s that a PATCH leaves as it was is found', (_, name, was, sent) => {
    expect(kept(name, was, sent)).toEqual(['t2 violated']);
  });

  test('a flag is found if two scenarios set it, but not one that says what became of the record', () => {
    const flags = (name: string, same: boolean): readonly string[] => {
      const fold = memberIgnored();
      const all = [makes({ subject: 'made', [name]: true }, { subject: 'made', [name]: true })].concat(
        ['1st', '2nd'].map((subject) =>
          changed(
            { subject, [name]: true },
            { subject, [name]: false },
            { was: { subject: 'old', [name]: false } },
          ),
        ),
      );
      return all.flatMap((lines, index) =>
        [...fold.see(context, { ...trace(lines, { id: `t${index}` }), scenarioIndex: same ? 0 : index })].map(
          ({ verdict }) => `t${index} ${verdict}`,
        ),
      );
    };
    expect(flags('gift', false)).toEqual(['t2 violated']);
    expect(flags('gift', true)).toEqual([]);
    expect(flags('urgent', false)).toEqual([]);
    expect(flags('approved', false)).toEqual([]);
  });

  test.each<[string, string, Json | undefined, readonly [Json, Json], Json?]>([
    ['a list has what was sent already, in another form', 'tags', ['A ', 'b', 'c'], [['a'], ['b', 'c']]],
    [
      'items are shown with more',
      'lines',
      [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
      [[{ name: 'a' }], [{ name: 'b' }]],
    ],
    [
      'something else within the object moved',
      'network',
      { dns: [], at: 1 },
      [{ dns: ['a'] }, { dns: ['b'] }],
      { dns: [], at: 2 },
    ],
    ['records are named', 'siteIds', [], [['a'], ['b']]],
  ])('nothing is said of a PATCH where %s', (_, name, was, sent, is = was) => {
    expect(kept(name, was, sent, is)).toEqual([]);
  });

  /** Two records whose items lack a member, and a PATCH that stores it. */
  const items = (
    member: string,
    value: (index: number) => Json,
    shown: Json | undefined,
    other: Json = shown ?? null,
  ) => {
    const lines = (of: (nth: number) => Json | undefined): Json =>
      [0, 1].map((nth): JsonObject => {
        const own = of(nth);
        return { name: `line ${nth}`, ...(own === undefined ? {} : { [member]: own }) };
      });
    const full = { subject: 'x', lines: lines(value) };
    return rulings(
      [
        changed(full, full),
        ...[2, 4].map((from) =>
          makes(
            { subject: `made ${from}`, lines: lines((nth) => value(nth + from)) },
            { subject: `made ${from}`, lines: lines((nth) => (nth === 0 ? shown : other)) },
          ),
        ),
      ],
      context,
    );
  };

  test('what no record shows is noted once, and accuses nobody', () => {
    const notes = (...traces: readonly (readonly Line[])[]): readonly string[] => {
      const fold = memberIgnored();
      return traces.flatMap((lines, index) =>
        [...fold.see(context, trace(lines, { id: `t${index}` }))].map(
          (ruling) => `t${index} ${ruling.verdict} ${'advisory' in ruling ? ruling.advisory : ''}`,
        ),
      );
    };
    const unset = ['a', 'b', 'c'].map((subject) =>
      makes({ subject, tags: [subject] }, { subject, tags: [] }),
    );
    expect(notes(...unset)).toEqual(['t1 holds no record shows what was sent at /tags']);
    expect(notes(...unset.slice(1))).toHaveLength(1);
    expect(notes(...unset.slice(2))).toEqual([]);
    const stores = makes({ subject: 'x', tags: ['d'] }, { subject: 'x', tags: ['d'] });
    expect(notes(stores, ...unset)).toEqual([]);
  });

  test('the version that a body carries is not the one that the record has then', () => {
    const versioned = { ...more, version: { type: 'integer' } };
    const own = contextOf(
      { ...more, extra: text },
      { type: 'object', properties: versioned },
      { shown: more },
    );
    const unset = (version: number) =>
      makes(
        { subject: `${version}`, version, tags: [`${version}`] },
        { subject: `${version}`, version: 9, tags: [] },
      );
    const first = changed({ subject: 'x', tags: ['d'] }, { subject: 'x', tags: ['d'] });
    expect(rulings([first, unset(1), unset(2)], own)).toEqual(['t2 violated']);
  });

  test('a member of the items of a list that no command stores is found', () => {
    expect(items('count', (nth) => nth + 10, 1)).toEqual(['t2 violated']);
    expect(items('count', (nth) => nth + 10, undefined, null)).toEqual(['t2 violated']);
    expect(items('count', (nth) => nth + 10, 1, 15)).toEqual([]);
  });

  test('a text that shows what was sent for another member is found, if a read shows its own of another record', () => {
    const asName = (subject: string) =>
      makes({ subject, notes: `Remarks ${subject.length}` }, { subject, notes: subject });
    expect(rulings([stored, asName('The first'), asName('The second')], context)).toEqual(['t2 violated']);
    expect(rulings([asName('The first'), asName('The second')], context)).toEqual([]);
  });

  test('a time that the body requires and that shows another one is found without another record', () => {
    const times: JsonObject = {
      ...more,
      startsAt: { type: 'string', format: 'date-time' },
      endsAt: { type: 'string', format: 'date-time' },
    };
    const day = (nth: number, fraction = ''): string => `2027-03-0${nth}T09:00:00${fraction}Z`;
    const booked = (nth: number, shown: number) =>
      makes(
        { subject: `No. ${nth}`, startsAt: day(nth), endsAt: day(nth + 1) },
        { subject: `No. ${nth}`, startsAt: day(nth, '.000'), endsAt: day(shown, '.000') },
      );
    const of = (required: readonly string[]) =>
      contextOf(
        times,
        { ...making, properties: times, required: [...required] },
        { shown: { ...more, startsAt: text, endsAt: text } },
      );
    const needed = of(['subject', 'startsAt', 'endsAt']);
    expect(rulings([booked(1, 1), booked(3, 3)], needed)).toEqual(['t1 violated']);
    expect(rulings([booked(1, 1)], needed)).toEqual([]);
    expect(rulings([booked(1, 2), booked(3, 4)], needed)).toEqual([]);
    // What becomes another time only now and then follows a rule, and what may be left out may follow one.
    expect(rulings([booked(1, 2), booked(3, 3), booked(5, 5)], needed)).toEqual([]);
    expect(rulings([booked(1, 1), booked(3, 3)], of(['subject']))).toEqual([]);
    // No other member says such a time.
    expect(rulings([booked(1, 5), booked(3, 7)], needed)).toEqual([]);
  });

  test('a time in the form of the service is shown, so that what is missing besides it is found', () => {
    const due: JsonObject = { ...more, due: { type: 'string', format: 'date-time' } };
    const context = contextOf(
      { ...due, extra: text },
      { ...making, properties: due },
      { shown: { ...more, due: text } },
    );
    const without = (nth: number) =>
      makes(
        { subject: `No. ${nth}`, notes: `Remarks ${nth}`, due: `2027-03-0${nth}T09:00:00+01:00` },
        { subject: `No. ${nth}`, due: `2027-03-0${nth}T08:00:00.000Z` },
      );
    expect(rulings([stored, without(1), without(2)], context)).toEqual(['t2 violated']);
  });

  test('a sentence that shows the marked name is found without another record; a label may be made of it', () => {
    const named = (nth: number, member: string) => {
      const subject = `The name asy-0123456789abcde${nth}`;
      return makes({ subject, [member]: `Remarks ${nth}` }, { subject, [member]: subject });
    };
    expect(rulings([named(1, 'notes'), named(2, 'notes')], context)).toEqual(['t1 violated']);
    const label = { ...making, properties: { ...more, label: text } };
    const labels = contextOf({ ...more, extra: text }, label, { shown: { ...more, label: text } });
    expect(rulings([named(1, 'label'), named(2, 'label')], labels)).toEqual([]);
  });
});
