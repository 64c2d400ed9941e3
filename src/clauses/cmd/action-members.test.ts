import { expect, test } from 'vitest';
import type { Violated } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { actionMembers } from './action-members.ts';

const text: JsonObject = { type: 'string' };
const nullable: JsonObject = { type: ['string', 'null'] };
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});

type Shape = {
  /** The bodies of the action, and of the PATCH of the same record. */
  readonly body?: JsonObject;
  readonly patch?: JsonObject;
  readonly other?: JsonObject;
  /** What the read shows besides its ID and its state. */
  readonly shown?: JsonObject;
};

const closing = object({ reason: nullable, by: text });

function contextOf({ body, other, patch, shown = { closing } }: Shape) {
  const bodies: { readonly [id: string]: JsonObject | undefined } = {
    closeCase: body ?? object({ reason: text }),
    approveCase: other ?? object({ note: text }),
    updateCase: patch ?? object({ subject: text }),
  };
  const adapted = (operation: Operation): Operation => {
    const schema = bodies[operation.id];
    if (operation.id === 'getCase')
      return {
        ...operation,
        success: { ...operation.success, schema: object({ id: text, status: text, ...shown }) },
      };
    return schema === undefined || operation.body === undefined
      ? operation
      : {
          ...operation,
          effect: { read: 'getCase', list: undefined, id: '/id' },
          body: { ...operation.body, schema },
        };
  };
  return makeContext({
    contract: { ...contract, operations: contract.operations.map(adapted) },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}

type Acted = { readonly was?: JsonObject; readonly command?: Partial<Line>; readonly more?: readonly Line[] };

const record = (status: string, more: JsonObject): JsonObject => ({ id: 'case_7', status, ...more });

/** An action on a record that is read before it and after it. */
const acted = (
  sent: JsonObject,
  is: JsonObject,
  { command, more = [], was = { closing: null } }: Acted = {},
): readonly Line[] => {
  const shows = (id: 'before' | 'after', body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: id, body },
  });
  return [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    shows('before', record('open', was)),
    {
      ...{
        id: 'close',
        role: 'test',
        status: 200,
        operation: 'closeCase',
        on: 'a',
        sent: JSON.stringify(sent),
      },
      body: record('closed', is),
      ...command,
    },
    shows('after', record('closed', is)),
    ...more,
  ];
};

function rulings(traces: readonly (readonly Line[])[], shape: Shape = {}, notes = false): readonly string[] {
  const fold = actionMembers();
  const context = contextOf(shape);
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}` }))]
      .filter(({ verdict }) => notes || verdict !== 'holds')
      .map((ruling) =>
        ruling.verdict === 'holds'
          ? `t${index} noted`
          : `t${index} ${ruling.verdict} ${(ruling as Violated).actual}`,
      ),
  );
}

const [one, two] = ['It was a mistake', 'Nobody wants this now'] as const;
const lost = { closing: { by: 'me', reason: null } };
const twice = (is: (sent: string) => JsonObject, more: Acted = {}) =>
  [one, two].map((reason) => acted({ reason }, is(reason), more));

test('what an action never stores is found, within what it makes in the record', () => {
  expect(rulings(twice(() => lost))).toEqual(['t1 violated null at /closing/reason']);
  expect(rulings([...twice(() => lost), acted({ reason: two }, lost)])).toHaveLength(2);
});

test('so it is under the name of the action, and as the reason of the record', () => {
  const named = { was: { closeReason: null } };
  const shape = { shown: { closeReason: nullable } };
  expect(
    rulings(
      twice(() => ({ closeReason: null }), named),
      shape,
    ),
  ).toHaveLength(1);
  const plain = { was: { reason: null } };
  expect(
    rulings(
      twice(() => ({ reason: null }), plain),
      { shown: { reason: nullable } },
    ),
  ).toHaveLength(1);
});

test('what an earlier command sent is not what this one sent', () => {
  const before = acted({ reason: 'An earlier one' }, { closing: { by: 'me', reason: 'An earlier one' } });
  const [first, second] = [
    acted({ reason: one }, { closing: { by: 'me', reason: 'asy-0123456789abcdef' } }),
    acted({ reason: two }, { closing: { by: 'me', reason: one } }),
  ];
  expect(rulings([first, second])).toEqual([`t1 violated "${one}" at /closing/reason`]);
  expect(rulings([before, first, second])).toEqual([]);
});

test('one text in place of each that an action must have is found', () => {
  const shape = { body: object({ reason: text }, ['reason']) };
  const is = (reason: string): JsonObject => ({ closing: { by: 'me', reason } });
  expect(
    rulings(
      twice(() => is('Closed by us')),
      shape,
    ),
  ).toEqual(['t1 violated "Closed by us" at /closing/reason']);
  expect(rulings(twice(() => is('Closed by us')))).toEqual([]);
  for (const other of [
    (sent: string) => is(sent === one ? 'Closed by us' : 'Done by us'),
    (sent: string) => is(sent.slice(0, 9)),
    (sent: string) => is(`CLOSED: ${sent.toUpperCase()}`),
    () => is('******'),
    () => is('OTHER'),
  ])
    expect(rulings(twice(other), shape)).toEqual([]);
  expect(rulings([acted({ reason: one }, is('Closed by us'))], shape)).toEqual([]);
});

test('what is queued is judged by what it made in the record', () => {
  const queued = { command: { status: 202, body: { job: 'job_1' } } };
  expect(rulings(twice(() => lost, queued))).toHaveLength(1);
  expect(rulings(twice(() => ({ closing: null }), queued))).toEqual([]);
});

test.each<[string, readonly (readonly Line[])[], Shape?]>([
  ['the record shows it', twice((reason) => ({ closing: { by: 'me', reason } }))],
  [
    'it is shown in another form',
    twice((reason) => ({ closing: { by: 'me', reason: ` ${reason.toUpperCase()}.` } })),
  ],
  ['it is shown elsewhere', twice((reason) => ({ closing: { by: `me: ${reason}`, reason: null } }))],
  ['one value alone was sent', [acted({ reason: one }, lost), acted({ reason: one }, lost)]],
  [
    'one of them was stored',
    [
      acted({ reason: one }, { closing: { by: 'me', reason: one } }),
      ...twice(() => lost).slice(1),
      acted({ reason: 'A third one' }, lost),
    ],
  ],
  [
    'the record shows another text there',
    twice(() => ({ closing: { by: 'me', reason: 'Closed by a user' } })),
  ],
  [
    'nothing of the record moved',
    twice(() => lost, { was: lost, command: { status: 202 } }).map((lines) =>
      lines.map((line) => ({
        ...line,
        body: line.operation === 'getCase' ? record('open', lost) : (line.body ?? {}),
      })),
    ),
  ],
  ['the object was there before', twice(() => lost, { was: { closing: { by: 'you', reason: null } } })],
  [
    'the record declares no such member',
    twice(() => ({ closing: { by: 'me' } })),
    { shown: { closing: object({ by: text }) } },
  ],
  [
    'the record declares it with another type',
    twice(() => lost),
    { shown: { closing: object({ reason: { type: ['integer', 'null'] }, by: text }) } },
  ],
  [
    'not everybody is shown it',
    twice(() => lost),
    { shown: { closing: object({ reason: { ...nullable, description: 'Visible to staff.' }, by: text }) } },
  ],
  ['it is for bodies alone', twice(() => lost), { body: object({ reason: { ...text, writeOnly: true } }) }],
  [
    'a PATCH sets the one of the record',
    twice(() => ({ reason: null }), { was: { reason: null } }),
    { shown: { reason: nullable }, patch: object({ reason: text }) },
  ],
])('nothing is said where %s', (_, traces, shape) => {
  expect(rulings(traces, shape)).toEqual([]);
});

test('a member that the record leaves out is noted, as is one that a rule may drop', () => {
  expect(
    rulings(
      twice(() => ({ closing: { by: 'me' } })),
      {},
      true,
    ),
  ).toEqual(['t1 noted']);
  const share = [7, 8].map((share) => acted({ share }, { closing: { by: 'me', share: null } }));
  const shape = {
    body: object({ share: { type: 'integer' } }),
    shown: { closing: object({ share: { type: ['integer', 'null'] }, by: text }) },
  };
  expect(rulings(share, shape, true)).toEqual(['t1 noted']);
  const required = { ...shape, body: object({ share: { type: 'integer' } }, ['share']) };
  expect(rulings(share, required)).toEqual(['t1 violated null at /closing/share']);
});

test('a comment may count only with the choice of another member', () => {
  const body = object({ kind: { enum: ['late', 'other'] }, comment: text });
  const shown = { closing: object({ comment: nullable, kind: text }) };
  const closed = (kind: string) =>
    [one, two].map((comment) => acted({ kind, comment }, { closing: { kind, comment: null } }));
  expect(rulings(closed('late'), { body, shown })).toEqual([]);
  expect(rulings(closed('other'), { body, shown })).toHaveLength(1);
});

test('another action whose words the record shows proves that it shows them', () => {
  const other = (note: string): readonly Line[] =>
    acted({ note }, { closing: { by: 'me', note } }, { command: { operation: 'approveCase' } });
  const shown = { closing: object({ note: text, by: text }) };
  const shape = { body: object({ note: text }), other: object({ note: text }), shown };
  const without = [one, two].map((note) => acted({ note }, { closing: { by: 'me' } }));
  expect(rulings(without, shape)).toEqual([]);
  expect(rulings([other('Seen by all'), ...without], shape)).toEqual([
    't2 violated nothing at /closing/note',
  ]);
});
