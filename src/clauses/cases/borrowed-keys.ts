import { otherCallerCases } from './other-callers.ts';
import { again, closed, declaring, first, made, mismatch } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, reuse } from './trace.ts';

const refusedMismatch = (status: number | undefined): Line => ({ ...mismatch, status });
const fresh: Line = { id: 'fresh', controls: 'mismatch', name: 'other', status: 201 };
const read = 'read-1 read-2 read-3';

const otherRequests: readonly Case[] = [
  says('IDM-6', 'another body: 409', [first, mismatch, fresh], 'holds mismatch', 'holds mismatch (ids only)'),
  {
    ...says(
      'IDM-6',
      'a read shows nothing',
      [first, mismatch, { ...fresh, name: 'valid' }],
      'holds mismatch',
      `holds mismatch ${read}`,
    ),
    shows: { other: [] },
  },
  {
    ...says(
      'IDM-6',
      'a read shows its record',
      [first, mismatch],
      'inconclusive mismatch',
      `violated mismatch ${read} (conclusive)`,
    ),
    shows: { other: ['case_9'] },
  },
  says('IDM-6', 'it is accepted', [first, refusedMismatch(201)], 'violated mismatch (conclusive)'),
  ...(
    [
      ['a fraction', { price: 12.25 }, { price: 12.75 }, undefined, false],
      ['a fraction, and the first one is stored', { price: 12.25 }, { price: 12.75 }, { price: 12.25 }, true],
      ['a fraction, stored as a text', { price: 12.25 }, { price: 12.26 }, { price: '12.2500' }, true],
      ['a fraction, and it is rounded', { price: 12.25 }, { price: 12.26 }, { price: 12.3 }, false],
      ['a fraction, and one has none', { price: 12 }, { price: 12.5 }, { price: 12 }, false],
      ['hundreds', { price: 12.25 }, { price: 112.25 }, undefined, true],
      ['a fraction and a word', { price: 1.5, of: 'a' }, { price: 1.2, of: 'b' }, undefined, true],
      ['a fraction and a member', { price: 1.5 }, { price: 1.2, of: null }, undefined, true],
      ['an accent', { name: 'Café' }, { name: 'Cafe' }, { name: 'Cafe' }, false],
      ['an accent that is stored', { name: 'Café' }, { name: 'Cafe' }, { name: 'Café' }, true],
      ['a width', { name: 'Café 1' }, { name: 'Café \uff11' }, { name: 'Cafe 1' }, false],
      ['a width that is stored', { name: 'a \uff11' }, { name: 'a 1' }, { name: 'a \uff11' }, true],
      ['a type, stored as a text', { code: 1 }, { code: '1' }, { code: '1' }, false],
      ['a type that is stored', { code: 1 }, { code: '1' }, { code: 1 }, true],
      ['a type, stored as a number', { code: true }, { code: 1 }, { code: 1 }, false],
      ['a type and its value', { code: 1 }, { code: '2' }, { code: '1' }, true],
      ['a digit', { name: 'Café 1' }, { name: 'Café 2' }, undefined, true],
      [
        'the hour, and nothing shows it',
        { at: '2026-05-06T07:08:09Z' },
        { at: '2026-05-06T14:08:09Z' },
        { at: '2026-05-06' },
        false,
      ],
      [
        'the hour that is stored',
        { at: '2026-05-06T07:08:09Z' },
        { at: '2026-05-06T14:08:09Z' },
        { at: '2026-05-06T07:08:09.000+00:00' },
        true,
      ],
    ] as const
  ).map(([differ, one, other, shown, isOther]) =>
    says(
      'IDM-6',
      `it is accepted, and the bodies differ in ${differ}`,
      [
        { ...first, sent: JSON.stringify({ lines: [one] }), body: { id: 'case_1', lines: [shown ?? null] } },
        { ...refusedMismatch(201), sent: JSON.stringify({ lines: [other] }) },
      ],
      ...(isOther ? ['violated mismatch (conclusive)'] : []),
    ),
  ),
  ...(
    [
      ['blanks and case', 'A PROBE  of it', undefined, []],
      [
        'blanks, and what is stored has them',
        'a probe  of it',
        'a probe  of it',
        ['violated mismatch (conclusive)'],
      ],
      ['blanks, and what is stored has none', 'a probe  of it', 'a probe of it', []],
      ['a blank at the beginning', ' a probe of it', undefined, []],
      [
        'a blank at the beginning, and what is stored has it',
        ' a probe of it',
        ' a probe of it',
        ['violated mismatch (conclusive)'],
      ],
      ['a blank at the end, and what is stored has none', 'a probe of it ', 'a probe of it', []],
      [
        'a letter, and what is stored has it',
        'a pRobe of it',
        'a pRobe of it',
        ['violated mismatch (conclusive)'],
      ],
      ['a letter, and all is stored in that case', 'A PROBE OF IT', 'A PROBE OF IT', []],
      ['a word', 'a probe of them', undefined, ['violated mismatch (conclusive)']],
    ] as const
  ).map(([differ, text, shown, rulings]) =>
    says(
      'IDM-6',
      `it is accepted; the texts differ in ${differ}`,
      [
        { ...first, sent: '{"subject":"a probe of it"}' },
        { ...refusedMismatch(201), sent: JSON.stringify({ subject: text }) },
        { ...fresh, sent: JSON.stringify({ subject: text }) },
        ...(shown === undefined
          ? []
          : [
              {
                id: 'look',
                operation: 'getCase',
                on: 'fresh',
                role: 'readback',
                status: 200,
                body: { subject: shown },
              } as const,
            ]),
      ],
      ...rulings,
    ),
  ),
  says(
    'IDM-6',
    'it gets another class, as the IETF draft has it',
    [first, refusedMismatch(422), fresh],
    'violated mismatch',
  ),
  says('IDM-6', 'no control', [first, refusedMismatch(422)], 'inconclusive mismatch'),
  says('IDM-6', 'throttled', [first, refusedMismatch(429)], 'inconclusive mismatch', 'inconclusive mismatch'),
  says(
    'IDM-6',
    'the first one was refused, so the key may be free',
    [{ ...first, status: 422 }, refusedMismatch(409)],
    'inconclusive mismatch',
  ),
  says('IDM-6', 'the first one was refused, and the other accepted', [
    { ...first, status: 422 },
    refusedMismatch(201),
  ]),
  says('IDM-6', 'another command was accepted', [
    { ...first, id: 'other', key: 'k' },
    { ...first, status: 422 },
    refusedMismatch(201),
  ]),
  says('IDM-6', 'the same body', [first, again(422)]),
  says('IDM-6', 'another fault as well', [
    first,
    { ...mismatch, status: 201, deviations: [reuse('first', 'request'), missing] },
  ]),
];

const slow = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  ...first,
  status,
  at: 10,
  took: 50,
  deviations: [{ kind: 'fault', how: 'slow' }],
  ...more,
});
const meanwhile = (status: number | undefined, at = 30, more: Partial<Line> = {}): Line => ({
  ...mismatch,
  status,
  at,
  ...more,
});

const onTarget: Partial<Line> = { operation: 'updateCase' };
const inFlight: readonly Case[] = [
  says('IDM-9', 'a conflict', [slow(201), meanwhile(409)], 'holds mismatch first'),
  says(
    'IDM-9',
    'a conflict on the target of the first, whose state may forbid it',
    [slow(200, onTarget), meanwhile(409, 30, onTarget)],
    'inconclusive mismatch first',
  ),
  says(
    'IDM-9',
    'a conflict on a target where the command is accepted under another key',
    [
      slow(200, onTarget),
      meanwhile(409, 30, onTarget),
      { id: 'control', ...onTarget, status: 200, at: 90, controls: 'mismatch', key: 'fresh' },
    ],
    'holds mismatch first',
  ),
  ...(
    [
      ['is accepted meanwhile, and the one in flight not', 409, 409, [200, 40, 5], 'holds mismatch first'],
      ['has to wait for the one in flight', 200, 409, [409, 40, 30], 'holds mismatch first'],
      ['is refused meanwhile', 200, 409, [409, 40, 5], 'inconclusive mismatch first'],
      ['is accepted afterwards', 200, 409, [200, 90, 5], 'holds mismatch first'],
      ['waits, and so does the refused one', 200, 409, [409, 40, 30], 'inconclusive mismatch first', 40],
      ['is throttled for so long', 200, 409, [429, 40, 30], 'inconclusive mismatch first'],
      [
        'is accepted meanwhile, where the version was refused',
        200,
        412,
        [200, 40, 5],
        'violated mismatch first',
      ],
    ] as const
  ).map(([what, held, status, [other, at, took], ruling, long = 5]) =>
    says(
      'IDM-9',
      `another refusal on the one record that there is: the same request under another key ${what}`,
      [
        slow(held, onTarget),
        meanwhile(status, 30, { ...onTarget, took: long }),
        { id: 'control', ...onTarget, status: other, at, took, controls: 'mismatch', key: 'fresh' },
      ],
      ruling,
    ),
  ),
  says(
    'IDM-9',
    'both are accepted, on targets that may have a key space each',
    [slow(200, onTarget), meanwhile(200, 30, { ...onTarget, deviations: [reuse('first', 'target')] })],
    'inconclusive mismatch first',
  ),
  declaring(
    'G18',
    'caller',
    says(
      'IDM-9',
      'both are accepted, on targets in one key space',
      [slow(200, onTarget), meanwhile(200, 30, { ...onTarget, deviations: [reuse('first', 'target')] })],
      'violated mismatch first (conclusive)',
    ),
  ),
  says('IDM-9', 'both are accepted', [slow(201), meanwhile(201)], 'violated mismatch first (conclusive)'),
  ...([422, 500] as const).flatMap((status) => [
    says(
      'IDM-9',
      `${status}, without a control`,
      [slow(201), meanwhile(status)],
      'inconclusive mismatch first',
    ),
    says(
      'IDM-9',
      `${status}, where another key has the body accepted`,
      [
        slow(201),
        meanwhile(status),
        { id: 'control', status: 201, at: 90, controls: 'mismatch', key: 'fresh' },
      ],
      'violated mismatch first',
    ),
  ]),
  says('IDM-9', 'throttled', [slow(201), meanwhile(429)], 'inconclusive mismatch first'),
  says('IDM-9', 'no response', [slow(201), meanwhile(undefined)]),
  says(
    'IDM-9',
    'it was sent as the first was',
    [slow(201), meanwhile(201, 10)],
    'violated mismatch first (conclusive)',
  ),
  says('IDM-9', 'it was sent before', [slow(201), meanwhile(201, 9)], 'inconclusive mismatch first'),
  says(
    'IDM-9',
    'it was sent as the first ended',
    [slow(201), meanwhile(201, 60)],
    'violated mismatch first (conclusive)',
  ),
  says('IDM-9', 'it was sent later', [slow(201), meanwhile(201, 61)], 'inconclusive mismatch first'),
  ...[undefined, 409, 429, 500].map((status) =>
    says(
      'IDM-9',
      `the first one came to ${status}, so the other may have been first`,
      [slow(status), meanwhile(201)],
      'inconclusive mismatch first',
    ),
  ),
  says('IDM-9', 'the first one was not held', [slow(201, { deviations: [] }), meanwhile(201)]),
  says('IDM-9', 'it was made to fail', [
    slow(201, { deviations: [{ kind: 'fault', how: 'before-commit' }] }),
    meanwhile(201),
  ]),
  says('IDM-9', 'the same body', [slow(201), meanwhile(201, 30, { deviations: [reuse('first')] })]),
  says('IDM-9', 'a valid command', [slow(201), meanwhile(201, 30, { deviations: [] })]),
  says('IDM-9', 'no probe', [slow(201), meanwhile(201, 30, { role: 'control' })]),
];

const same = (status: number, more: Partial<Line> = {}): Line => ({
  id: 'second',
  role: 'test',
  key: 'k',
  status,
  result: 'case_2',
  ...more,
});

const third = (status: number): Line => ({
  id: 'third',
  name: 'different',
  key: 'three',
  status,
  result: 'case_3',
});

const added = { operation: 'addPart', on: 'made' } as const;

const equalBodies: readonly Case[] = [
  says('IDM-10', 'a result of its own', [first, same(201)], 'holds second first'),
  says(
    'IDM-10',
    'the result of the first',
    [first, same(201, { result: 'case_1' })],
    'violated second first (conclusive)',
  ),
  says(
    'IDM-10',
    'the result of a command without an effect',
    [
      { ...first, operation: 'echo', status: 202 },
      { ...same(202), operation: 'echo', result: 'case_1' },
    ],
    'inconclusive second first',
  ),
  says('IDM-10', 'a conflict', [first, same(409)], 'violated second first'),
  declaring(
    'G19',
    'conflict',
    says('IDM-10', 'a declared conflict', [first, same(409)], 'holds second first'),
  ),
  declaring('G19', 'none', says('IDM-10', 'none is declared', [first, same(409)], 'violated second first')),
  declaring(
    'G19',
    'conflict',
    says(
      'IDM-10',
      'a conflict is declared, and the result of the first is seen',
      [first, same(201, { result: 'case_1' })],
      'violated second first (conclusive)',
    ),
  ),
  says('IDM-10', 'another refusal', [first, same(422)], 'inconclusive second first'),
  ...[400, 412, 422, 423].flatMap((status) => [
    says(
      'IDM-10',
      `${status}, where another body is accepted`,
      [first, same(status), third(201)],
      'violated second first',
    ),
    declaring(
      'G19',
      'conflict',
      says(
        'IDM-10',
        `${status}, where a conflict is declared and another body is accepted`,
        [first, same(status), third(201)],
        'violated second first',
      ),
    ),
  ]),
  says(
    'IDM-10',
    'another refusal of another body as well',
    [first, same(422), third(422)],
    'inconclusive second first',
  ),
  says(
    'IDM-10',
    'another refusal, and the same body is accepted later',
    [first, same(422), { ...first, id: 'third', key: 'three', result: 'case_3' }],
    'inconclusive second first',
  ),
  ...[403, 404, 413, 500].map((status) =>
    says(
      'IDM-10',
      `${status}, where another body is accepted`,
      [first, same(status), third(201)],
      'inconclusive second first',
    ),
  ),
  says('IDM-10', 'no IDs', [{ ...first, body: '' }, same(201, { body: '' })], 'not-tested second first'),
  says('IDM-10', 'no ID of the second', [first, same(201, { body: '' })], 'holds second first'),
  says('IDM-10', 'throttled', [first, same(429)]),
  says('IDM-10', 'the first was refused', [{ ...first, status: 422 }, same(409)]),
  says('IDM-10', 'another body', [first, same(409, { name: 'other' })]),
  says('IDM-10', 'the same key', [first, same(409, { key: 'key' })]),
  says('IDM-10', 'it began as the first ended', [{ ...first, took: 10 }, same(409)], 'violated second first'),
  says('IDM-10', 'it began before the first ended', [{ ...first, took: 11 }, same(409)]),
  says('IDM-10', 'no probe', [first, same(409, { role: 'control' })]),
  says('IDM-10', 'it has a fault', [first, same(409, { deviations: [missing] })]),
  says('IDM-10', 'the first had a fault', [{ ...first, deviations: [missing] }, same(409)]),
  says('IDM-10', 'an odd key', [first, same(409, { key: { use: 'literal', value: 'k' } })]),
  says('IDM-10', 'a command on a target', [
    made,
    { ...first, ...closed, status: 200 },
    same(409, { ...closed, id: 'second' }),
  ]),
  ...(
    [
      ['a result of its own', { result: 'part_2' }, 'holds second first'],
      ['the result of the first', { result: 'part_1' }, 'violated second first (conclusive)'],
      ['a conflict, which the record may cause', { status: 409 }, 'inconclusive second first'],
      ['another refusal, which the record may cause', { status: 422 }, 'inconclusive second first'],
      ['a record within another one', { on: 'other', result: 'part_1' }, undefined],
    ] as const
  ).map(([what, more, ruling]) =>
    says(
      'IDM-10',
      `a command that adds to a record: ${what}`,
      [
        made,
        { ...made, id: 'other', result: 'case_8' },
        { ...first, ...added, result: 'part_1' },
        same(201, { ...added, ...more }),
      ],
      ...(ruling === undefined ? [] : [ruling]),
    ),
  ),
  says(
    'IDM-10',
    'another refusal of a body that names a record, where another body is accepted',
    [
      made,
      { ...first, ...added, result: 'part_1' },
      same(422, added),
      { ...third(201), ...added, result: 'part_3' },
    ],
    'inconclusive second first',
  ),
];

export const borrowedKeyCases: readonly Case[] = [
  ...otherRequests,
  ...inFlight,
  ...equalBodies,
  ...otherCallerCases,
];
