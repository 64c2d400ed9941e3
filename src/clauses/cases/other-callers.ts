import { again, closed, first, made } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, reuse } from './trace.ts';

type Difference = 'caller' | 'scope' | 'operation';
const borrowed = (difference: Difference, status: number | undefined, more: Partial<Line> = {}): Line =>
  again(status, {
    as: difference === 'scope' ? 'abroad' : 'peer',
    result: 'case_12',
    deviations: [reuse('first', difference)],
    ...more,
  });
const own = (status: number, as = 'abroad'): Line => ({ id: 'own', as, controls: 'again', status });
const theirs: Partial<Line> = { result: 'case_1' };
const other: Partial<Line> = { name: 'other' };
const disclosing: Partial<Line> = { body: { message: 'bound to /cases/case_1.' } };
const never = ['xcase_1', 'case_12', 'case_1-b', 'a-case_1'].map(
  (text): Partial<Line> => ({ body: { text } }),
);

/** A result without an ID shows what was sent. */
const showing = (...names: readonly string[]): Partial<Line> => ({
  body: { texts: names.map((name) => `asy-t-${name}`) },
});

/** Each scope may have a record of this number. */
const seventeen: Partial<Line> = { body: { id: 17 } };
/** The ID of a record that a body chose. */
const chosen = { sent: '{"code":"SUMMER-2027"}', body: { id: 'SUMMER-2027' } };
const looks = (mine: number, one: number): readonly Line[] => [
  { id: 'mine', operation: 'getCase', as: 'abroad', role: 'readback', on: 'again', status: mine },
  { id: 'theirs', operation: 'getCase', role: 'readback', on: 'first', status: one },
];

/** The request of the first caller on its record, by a caller of another scope. */
const afar = (status: number, more: Partial<Line> = {}): Line =>
  borrowed('scope', status, { ...closed, deviations: [{ kind: 'scope' }, reuse('first', 'scope')], ...more });
const closing: readonly Line[] = [made, { ...first, ...closed, status: 200 }];

/** The request of the first caller, by a caller of another scope, who cannot read what its body refers to. */
const referring = (status: number, more: Partial<Line> = {}): Line =>
  borrowed('scope', status, { deviations: [{ kind: 'reference' }, reuse('first', 'scope')], ...more });

export const otherCallerCases: readonly Case[] = [
  says(
    'IDM-12',
    'a command on a record of another scope',
    [...closing, afar(200)],
    'violated again first (conclusive)',
  ),
  ...[
    ['case_9', 'inconclusive again first'],
    ['case_8', 'violated again first (conclusive)'],
  ].map(([result = '', ruling = '']) =>
    says(
      'IDM-12',
      `its own command returned case_9, and this one ${result}`,
      [
        ...closing,
        { ...afar(200, { result: 'case_9' }), id: 'own', deviations: [reuse('first', 'scope')] },
        afar(200, { result }),
      ],
      'holds own first',
      ruling,
    ),
  ),
  says(
    'IDM-12',
    'neither its own command nor this one returned a body',
    [
      made,
      { ...first, ...closed, status: 204, body: '' },
      { ...afar(204, { body: '' }), id: 'own', deviations: [reuse('first', 'scope')] },
      afar(204, { body: '' }),
    ],
    'holds own first',
    'inconclusive again first',
  ),
  ...[403, 404, 409, 500].map((status) =>
    says('IDM-12', `it is refused with ${status}`, [...closing, afar(status)]),
  ),
  says('IDM-12', 'it was refused in its own scope', [made, { ...first, ...closed, status: 409 }, afar(200)]),
  says(
    'IDM-12',
    'each scope may have a record of the number',
    [{ ...made, result: '17' }, { ...first, ...closed, status: 200 }, afar(200)],
    'inconclusive again first',
  ),
  ...(
    [
      ['it reads no such record', [404, 200], 'violated again mine theirs'],
      ['it may not read it', [403, 200], 'violated again mine theirs'],
      ['it reads its own', [200, 200], 'inconclusive again first'],
      ['the read fails', [503, 200], 'inconclusive again mine theirs'],
      ['the first cannot read it either', [404, 404], 'inconclusive again first'],
    ] as const
  ).map(([when, statuses, ruling]): Case => {
    const reads = looks(statuses[0], statuses[1]).map((line): Line => ({ ...line, on: 'made' }));
    const parts = [{ ...made, result: '17' }, { ...first, ...closed, status: 200 }, afar(200), ...reads];
    return { ...says('IDM-12', `a number: ${when}`, parts, ruling), proven: ['abroad'] };
  }),
  says('IDM-12', 'a foreign reference: its own result', [first, referring(201)], 'holds again first'),
  says(
    'IDM-12',
    'a foreign reference: the first result',
    [first, referring(201, theirs)],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'a foreign reference: a refusal that shows the first result',
    [first, referring(409, disclosing)],
    'violated again first (conclusive)',
  ),
  ...[403, 404, 409, 422, 429, 500].map((status) =>
    says('IDM-12', `a foreign reference: ${status}`, [first, referring(status)]),
  ),
  says('IDM-12', 'a foreign reference: the first was refused', [
    { ...first, status: 409 },
    referring(201, theirs),
  ]),
  ...(
    [
      ['nobody looks', [], 'inconclusive again first'],
      ['only the first can read', looks(404, 200), 'violated again first mine theirs'],
      ['each can read', looks(200, 200), 'holds again first mine theirs'],
      ['nobody can read', looks(404, 404), 'inconclusive again first mine theirs'],
    ] as const
  ).map(([when, reads, ruling]) =>
    says(
      'IDM-12',
      `abroad, one number, ${when}`,
      [{ ...first, ...seventeen }, referring(201, seventeen), ...reads],
      ruling,
    ),
  ),
  says('IDM-12', 'abroad, one number, two results', [
    { ...first, body: { id: 17, at: '2026-11-21T10:00:00.123Z' } },
    referring(201, { body: { id: 17, at: '2026-11-21T10:00:01.456Z' } }),
    ...looks(404, 200),
  ]),
  says('IDM-12', 'a result of its own', [first, borrowed('scope', 201)], 'holds again first'),
  says(
    'IDM-12',
    'the result of another scope',
    [first, borrowed('scope', 201, theirs)],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'another scope, within a result of its own',
    [first, borrowed('scope', 201, { body: { id: 'case_2', duplicates: ['case_1'] } })],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'the same request of a colleague gets the stored result',
    [first, borrowed('caller', 201, theirs)],
    'holds again first',
  ),
  says(
    'IDM-12',
    'another request of a colleague gets it',
    [first, borrowed('caller', 201, { ...theirs, ...other })],
    'violated again first (conclusive)',
  ),
  ...(
    [
      ['what another scope sent', { ...showing('body'), ...other }, 'violated again first (conclusive)'],
      ['what both scopes sent', { ...showing('body', 'other'), ...other }, 'holds again first'],
      ['what its own caller sent', { ...showing('other'), ...other }, 'holds again first'],
      ['what both sent alike', showing('body'), 'inconclusive again first'],
      ['nothing', { body: '' }, 'holds again first'],
    ] as const
  ).map(([what, more, found]) =>
    says(
      'IDM-12',
      `a result without an ID shows ${what}`,
      [{ ...first, ...showing('body') }, borrowed('scope', 200, more)],
      found,
    ),
  ),
  ...(
    [
      ['what its own caller did is there', ['a', 'b', 'c'], 'holds again first'],
      ['what its own caller did is not there', ['a', 'a', 'c'], 'violated again first'],
      ['no read shows what its callers do', ['a', 'a', 'a'], 'holds again first'],
      ['what both callers sent is there', ['a', 'b', 'c'], 'holds again first', showing('body')],
      ['what both callers sent is not there', ['a', 'a', 'c'], 'violated again first', showing('body')],
    ] as const
  ).map(([what, states, found, shown]) => {
    const [before, after, later] = (['before', 'after', 'later'] as const).map(
      (observes, at): Line => ({
        id: observes,
        observes,
        operation: 'getCase',
        as: 'abroad',
        role: 'readback',
        given: 'case_9',
        status: 200,
        body: { subject: states[at] ?? '' },
      }),
    );
    const empty = shown ?? { body: '' };
    const trace = [
      { ...first, ...empty },
      before,
      borrowed('scope', 204, { ...empty, ...(shown === undefined ? other : {}) }),
      after,
      { ...own(204), ...empty, ...other },
      later,
    ].filter((line) => line !== undefined);
    return says('IDM-12', `a result without an ID, and ${what}`, trace, found);
  }),
  says(
    'IDM-12',
    'a result without an ID shows a colleague what is there',
    [{ ...first, ...showing('body') }, borrowed('caller', 200, { ...showing('body'), ...other })],
    'holds again first',
  ),
  says('IDM-12', 'a conflict', [first, borrowed('scope', 409), own(201)], 'holds again first'),
  says('IDM-12', 'a conflict without a control', [first, borrowed('scope', 409)], 'inconclusive again first'),
  says(
    'IDM-12',
    'a conflict that discloses the result',
    [first, borrowed('scope', 409, disclosing)],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'a conflict that discloses it to a colleague with another request',
    [first, borrowed('caller', 409, { ...disclosing, ...other })],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'a conflict that discloses it to a colleague with the same request',
    [first, borrowed('caller', 409, disclosing), own(201)],
    'holds again first',
  ),
  ...never.map((more) =>
    says(
      'IDM-12',
      'the ID is part of another',
      [first, borrowed('scope', 409, more), own(201)],
      'holds again first',
    ),
  ),
  says(
    'IDM-12',
    'it is there twice, the second time whole',
    [first, borrowed('scope', 409, { body: { text: 'case_12 and case_1' } })],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'an ID so short that it may be there by chance',
    [{ ...first, result: '123' }, borrowed('scope', 201, { body: { id: '4', seconds: 123 } })],
    'holds again first',
  ),
  says(
    'IDM-12',
    'an ID that the request names itself',
    [
      { ...first, result: 'case_1' },
      borrowed('scope', 409, { ...closed, on: 'first', body: { instance: '/cases/case_1/closure' } }),
      own(201),
    ],
    'holds again first',
  ),
  says(
    'IDM-12',
    'an ID with signs that mean something in a pattern',
    [{ ...first, result: 'a.b+c' }, borrowed('scope', 409, { body: { text: 'a.b+c' } })],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'four characters are enough',
    [{ ...first, result: 'c234' }, borrowed('scope', 201, { body: { id: '4', of: 'c234' } })],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'the short ID is the ID of the result',
    [{ ...first, result: 'c' }, borrowed('scope', 201, { result: 'c' })],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'each scope counts its own records',
    [
      { ...first, body: { id: 17, text: 'one' } },
      borrowed('scope', 201, { name: 'other', body: { id: 17, text: 'two' } }),
    ],
    'holds again first',
  ),
  says(
    'IDM-12',
    'the callers chose the ID, and each of them can read it',
    [{ ...first, ...chosen }, borrowed('scope', 201, chosen), ...looks(200, 200)],
    'holds again first mine theirs',
  ),
  says(
    'IDM-12',
    'the callers chose the ID, and only the first can read it',
    [{ ...first, ...chosen }, borrowed('scope', 201, chosen), ...looks(404, 200)],
    'violated again first mine theirs',
  ),
  says(
    'IDM-12',
    'the conflict names the ID that the request chose',
    [
      { ...first, ...chosen },
      borrowed('scope', 409, { ...chosen, body: { detail: 'SUMMER-2027 is taken' } }),
      { id: 'control', controls: 'again', as: 'abroad', status: 201 },
    ],
    'holds again first',
  ),
  says(
    'IDM-12',
    'one number for two, which each of them can read',
    [{ ...first, ...seventeen }, borrowed('scope', 201, seventeen), ...looks(200, 200)],
    'holds again first mine theirs',
  ),
  ...(
    [
      ['each of them shows its own text', ['asy-t-body', 'asy-t-body'], 'holds'],
      ['the second is an older one', ['an older one', 'asy-t-body'], 'violated'],
      ['neither shows its text', ['an older one', 'one'], 'holds'],
      ['the second caller is shown a mask', ['********', 'asy-t-body'], 'holds'],
      ['the second caller is shown no text', ['', 'asy-t-body'], 'holds'],
    ] as const
  ).map(([when, texts, verdict]) =>
    says(
      'IDM-12',
      `one number for two records: ${when}`,
      [
        { ...first, ...seventeen },
        borrowed('scope', 201, seventeen),
        ...looks(200, 200).map(
          (line, index): Line => ({ ...line, body: { id: 17, text: texts[index] ?? '' } }),
        ),
      ],
      `${verdict} again first mine theirs`,
    ),
  ),
  says(
    'IDM-12',
    'one number for two, which only the first can read',
    [{ ...first, ...seventeen }, borrowed('scope', 201, seventeen), ...looks(404, 200)],
    'violated again first mine theirs',
  ),
  says(
    'IDM-12',
    'one number for two, which nobody can read',
    [{ ...first, ...seventeen }, borrowed('scope', 201, seventeen), ...looks(404, 404)],
    'inconclusive again first mine theirs',
  ),
  says(
    'IDM-12',
    'one number for two, and nobody looks',
    [{ ...first, ...seventeen }, borrowed('scope', 201, seventeen)],
    'inconclusive again first',
  ),
  says(
    'IDM-12',
    'the whole result under a number',
    [
      { ...first, body: { id: 17, text: 'one' } },
      borrowed('scope', 201, { name: 'other', body: { text: 'one', id: 17 } }),
    ],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-12',
    'the first result had no ID',
    [{ ...first, body: '' }, borrowed('scope', 201, { body: '' })],
    'holds again first',
  ),
  says(
    'IDM-12',
    'refused in another class, and accepted under a fresh key',
    [first, borrowed('scope', 422), own(201)],
    'violated again first',
  ),
  says(
    'IDM-12',
    'refused under a fresh key as well',
    [first, borrowed('scope', 422), own(422)],
    'inconclusive again first',
  ),
  ...[429, undefined].map((status) =>
    says(
      'IDM-12',
      `it gets ${status}`,
      [first, borrowed('scope', status), own(201)],
      'inconclusive again first',
    ),
  ),
  ...[422, undefined].map((status) =>
    says('IDM-12', `the first one came to ${status}`, [
      { ...first, status },
      borrowed('scope', 422),
      own(201),
    ]),
  ),
  says('IDM-12', 'another operation', [made, first, borrowed('operation', 200, { ...closed, ...theirs })]),

  says(
    'IDM-13',
    'a result of its own',
    [made, first, borrowed('operation', 200, closed)],
    'holds again first',
  ),
  says(
    'IDM-13',
    'the result of the first',
    [made, first, borrowed('operation', 200, { ...closed, body: { id: 'case_1' } })],
    'violated again first (conclusive)',
  ),
  ...[
    [201, 'case_12', 'violated again first (conclusive)'],
    [201, 'case_1', 'inconclusive again first'],
    [409, 'case_12', 'inconclusive again first'],
  ].map(([status, id, ruling]) =>
    says(
      'IDM-13',
      `the result of the first, where a new key gets ${status} ${id}`,
      [
        made,
        first,
        borrowed('operation', 200, { ...closed, body: { id: 'case_1' } }),
        { ...own(Number(status)), ...closed, body: { id: String(id) } },
      ],
      String(ruling),
    ),
  ),
  says(
    'IDM-13',
    'the result of a command on a record',
    [
      made,
      { ...first, ...closed, status: 200, body: '' },
      borrowed('operation', 201, { body: { case: 'case_7' } }),
      { ...own(201), body: { case: 'case_8' } },
    ],
    'violated again first (conclusive)',
  ),
  says(
    'IDM-13',
    'the record of the first is its own target',
    [first, borrowed('operation', 200, { operation: 'closeCase', on: 'first', body: { id: 'case_1' } })],
    'inconclusive again first',
  ),
  says(
    'IDM-13',
    'a number that the first result has as well',
    [made, { ...first, ...seventeen }, borrowed('operation', 200, { ...closed, ...seventeen }), own(201)],
    'inconclusive again first',
  ),
  says(
    'IDM-13',
    'a conflict',
    [made, first, borrowed('operation', 409, closed), own(201)],
    'holds again first',
  ),
  says(
    'IDM-13',
    'a conflict that discloses it',
    [made, first, borrowed('operation', 409, { ...closed, ...disclosing })],
    'violated again first (conclusive)',
  ),
  says('IDM-13', 'another caller', [first, borrowed('scope', 201, theirs)]),
];
