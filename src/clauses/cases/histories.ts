import { says } from './says.ts';
import { type Case, type Line, reuse, type Shown } from './trace.ts';

/** One command of a history. Each has a name of its own, and the key `k` where no other is given. */
const use = (id: string, status: number | undefined, more: Partial<Line> = {}): Line => ({
  id,
  role: 'test',
  key: 'k',
  status,
  result: 'case_1',
  deviations: [reuse(id, 'history')],
  ...more,
});
const two = { result: 'case_2' };
const other = { name: 'other' };
const noId = { body: {} };
const abroad = { as: 'abroad' };
const onNotes = { operation: 'createNote' };

/** Which clause speaks of a history, and what it says; other clauses say nothing. */
const ruled = (
  clause: string,
  when: string,
  trace: Case['trace'],
  ...ruling: readonly string[]
): readonly Case[] => [
  says(clause, when, trace, ...ruling),
  ...['IDM-5', 'IDM-6', 'IDM-8', 'IDM-10', 'IDM-11', 'IDM-12', 'IDM-13', 'IDM-14']
    .filter((code) => code !== clause)
    .map((code) => says(code, `not it: ${when}`, trace)),
];
const explained = (when: string, ...trace: readonly Line[]): readonly Case[] =>
  ruled('IDM-5', when, trace, `holds ${trace.map((line) => line.id).join(' ')}`);

const answers: readonly Case[] = [
  ...explained('one result', use('a', 201), use('b', 201)),
  ...explained('a conflict', use('a', 201), use('b', 409)),
  ...explained(
    'two bodies that are one as they are sent',
    use('a', 201, { sent: '{"name":"case_1","size":2}' }),
    use('b', 201, { ...other, sent: '{"size":2,"name":"case_1"}' }),
  ),
  ...ruled(
    'IDM-5',
    'a conflict of state under another key, as the bodies name one record',
    [
      use('a', 201, { operation: 'escalate' }),
      use('b', 409, { operation: 'escalate', key: 'l' }),
      use('c', 201, { operation: 'escalate' }),
    ],
    'holds a c b',
  ),
  ...explained('throttled', use('a', 201), use('b', 429)),
  ...ruled(
    'IDM-5',
    'another operation, which was throttled, comes first',
    [use('a', 429, { ...onNotes, key: 'l' }), use('b', 201), use('c', 201)],
    'holds b c a',
  ),
  ...ruled('IDM-5', 'no response, so the key may be taken', [use('a', undefined), use('b', 409)]),
  ...ruled('IDM-5', 'a failure, so it may be taken', [use('a', 500), use('b', 409)]),
  ...ruled('IDM-5', 'a try whose answer was lost', [use('a', 409, { earlier: [undefined] }), use('b', 409)]),
  ...ruled(
    'IDM-5',
    'and its result comes later',
    [use('a', 409, { earlier: [undefined] }), use('b', 201)],
    'holds b a',
  ),
  ...ruled(
    'IDM-11',
    'a try that was throttled',
    [use('a', 409, { earlier: [429] }), use('b', 201, { key: 'l' })],
    'violated a',
  ),
  ...ruled(
    'IDM-5',
    'two results after a try whose answer was lost',
    [use('a', 201, { earlier: [undefined] }), use('b', 201, two)],
    'violated b a',
  ),
  ...explained('two keys', use('a', 201), use('b', 201, { key: 'l', ...two })),
  ...explained('a colleague of the tenant', use('a', 201), use('b', 201, { as: 'peer' })),
  ...explained(
    'a caller that nobody declared, with a result of its own',
    use('a', 201),
    use('b', 201, { as: 'stranger', ...two }),
  ),
  says(
    'IDM-5',
    'six answers stand for many',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => use(id, 201)),
    'holds a b c d e f',
  ),
  says('IDM-11', 'keys that are none of the history', [
    use('a', 409, { key: { use: 'literal', value: 'k' } }),
    { id: 'b', role: 'test', key: 'k', status: 409 },
  ]),
  ...ruled('IDM-5', 'another result', [use('a', 201), use('b', 201, two)], 'violated b a (conclusive)'),
  ...ruled('IDM-5', 'another class', [use('a', 201), use('b', 422)], 'violated b a'),
  ...ruled(
    'IDM-5',
    'another result for another token of the same caller',
    [use('a', 201), use('b', 201, { as: 'renewed', ...two })],
    'violated b a (conclusive)',
  ),
  ...ruled(
    'IDM-5',
    'a third command is under another key',
    [use('a', 201), use('c', 201, { key: 'l', result: 'case_3' }), use('b', 201, two)],
    'violated b a (conclusive)',
  ),
  ...ruled(
    'IDM-10',
    'a conflict under another key, though nothing is named that another command may have moved',
    [use('a', 201), use('b', 409, { key: 'l' }), use('c', 201)],
    'violated b',
  ),
  ...ruled('IDM-6', 'another body gets the result', [use('a', 201), use('b', 201, other)], 'violated b a'),
  ...ruled(
    'IDM-8',
    'two at once have two results',
    [[use('a', 201), use('b', 201, two)]],
    'violated b a (conclusive)',
  ),
  ...ruled('IDM-11', 'a conflict under an unused key', [use('a', 409), use('b', 201)], 'violated a b'),
  ...ruled(
    'IDM-14',
    'a conflict after a throttled one, and nothing shows that the command could succeed',
    [use('a', 429), use('b', 409)],
    'inconclusive b a',
  ),
  ...ruled(
    'IDM-14',
    'a conflict after a throttled one',
    [use('a', 429), use('b', 409), use('c', 201, { key: 'l' })],
    'violated b a',
  ),
  ...ruled('IDM-5', 'a conflict after another refusal, which may be stored (G5)', [
    use('a', 422),
    use('b', 409),
  ]),
  ...ruled(
    'IDM-11',
    'a conflict that may be one of state',
    [use('a', 409), use('b', 201, { key: 'l', ...other })],
    'inconclusive a',
  ),
  ...ruled(
    'IDM-13',
    'a conflict that may be one of state, under two keys, one of which another operation uses',
    [
      [use('a', 201, { ...onNotes, ...other, body: { id: 'note_1' } }), use('b', 409)],
      [use('c', 409, { key: 'l' }), use('d', 409), use('e', 409)],
    ],
    'inconclusive c a b d e',
  ).map((one): Case => ({ ...one, declares: { G19: 'conflict' } })),
  ...ruled(
    'IDM-6',
    'a caller of another scope, for whom a record that the body names may not exist',
    [
      use('a', 201),
      [use('b', 201, { ...onNotes, body: { id: 'note_1' } }), use('c', 409, { ...other, as: 'abroad' })],
    ],
    'inconclusive c a b',
  ),
  ...ruled(
    'IDM-6',
    'a caller of another scope, whose command was accepted under another key',
    [
      use('z', 201, { ...other, as: 'abroad', key: 'l', body: { id: 'case_z' } }),
      use('a', 201),
      [use('b', 201, { ...onNotes, body: { id: 'note_1' } }), use('c', 409, { ...other, as: 'abroad' })],
    ],
    'violated c a b',
  ),
  ...ruled(
    'IDM-10',
    'an equal body under another key is refused',
    [use('a', 201), use('b', 409, { key: 'l' })],
    'violated b',
  ),
  ...ruled(
    'IDM-5',
    'an equal body chooses the ID of a record that is there',
    [
      use('a', 201, { operation: 'shelve', body: { isbn: '1' } }),
      use('b', 409, { operation: 'shelve', key: 'l' }),
    ],
    'holds a b',
  ),
  ...ruled(
    'IDM-5',
    'the verification of the history is used up',
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      use('a', 200, { operation: 'approveCase', on: 'made' }),
      use('b', 409, { operation: 'approveCase', on: 'made', key: 'l' }),
    ],
    'holds a b',
  ),
  ...ruled('IDM-5', 'a try that failed', [use('a', 409, { earlier: [503] }), use('b', 409)]),
  // One service that carries out other bodies: its replays and its first use are not at fault.
  ...ruled(
    'IDM-6',
    'two other bodies at once, and a replay',
    [
      use('a', 201),
      [use('b', 201, { ...two, ...other }), use('c', 201), use('d', 201, { result: 'case_3', ...other })],
    ],
    'violated b a c d',
  ),
  ...ruled(
    'IDM-10',
    'the result of another key',
    [use('a', 201), use('b', 201, { key: 'l', ...other })],
    'violated b a',
  ),
  ...ruled('IDM-12', 'the result of another scope', [use('a', 201), use('b', 201, abroad)], 'violated b a'),
  ...ruled(
    'IDM-13',
    'the result of another operation',
    [use('a', 201), use('b', 201, { ...onNotes, body: { id: 'case_1' } })],
    'violated b a',
  ),
];

const onRead = (when: string, shows: Shown, trace: Case['trace'], ...rulings: readonly string[]): Case => ({
  ...says('IDM-4', when, trace, ...rulings),
  shows,
});

/** Records by bodies: no more than were accepted. */
const effects: readonly Case[] = [
  says('IDM-4', 'no read', [use('a', 201), use('b', 201)]),
  onRead('one record of one command', { body: ['case_1'] }, [use('a', 201), use('b', 409)], 'holds a b'),
  onRead(
    'two records of one command',
    { body: ['case_1', 'case_2'] },
    [use('a', 201), use('b', 201)],
    'violated a b (conclusive)',
  ),
  onRead(
    'two records of two commands',
    { body: ['case_1', 'case_2'] },
    [use('a', 201), use('b', 201, { key: 'l', ...two }), use('c', 409)],
    'holds a b c',
  ),
  ...[undefined, 500].flatMap((status) => [
    onRead(
      `two records of a command with ${status} and its duplicate`,
      { body: ['case_1', 'case_2'] },
      [use('a', status), use('b', 201)],
      'violated a b (conclusive)',
    ),
    onRead(
      `two records of two commands with ${status} under one key`,
      { body: ['case_1', 'case_2'] },
      [use('a', status), use('b', status)],
      'violated a b (conclusive)',
    ),
    onRead(
      `two records of a command with ${status} and one under another key`,
      { body: ['case_1', 'case_2'] },
      [use('a', status), use('b', 201, { key: 'l' }), use('c', 409, { key: 'l' })],
      'holds a b c',
    ),
    onRead(
      `two records of a command with ${status} and one of another caller`,
      { body: ['case_1', 'case_2'] },
      [use('a', status), use('b', 201, abroad), use('c', 409, abroad)],
      'holds a b c',
    ),
  ]),
  onRead('two records of two commands, neither of which came again', { body: ['case_1', 'case_2'] }, [
    use('a', 201),
    use('b', 201, { key: 'l', ...two }),
    use('c', 429),
  ]),
  onRead(
    'one record for each caller where no result has an ID',
    { body: ['case_1', 'case_2'] },
    [use('a', 201, noId), use('b', 201, { ...noId, as: 'peer' }), use('c', 409)],
    'holds a b c',
  ),
  onRead(
    'one record for each key where no result has an ID',
    { body: ['case_1', 'case_2'] },
    [use('a', 201, noId), use('b', 201, { ...noId, key: 'l' }), use('c', 409)],
    'holds a b c',
  ),
  onRead(
    'two records of one command where no result has an ID',
    { body: ['case_1', 'case_2'] },
    [use('a', 201, noId), use('b', 201, noId)],
    'violated a b (conclusive)',
  ),
  onRead('a record of a refused command', { body: ['case_1'] }, [use('a', 409)], 'violated a (conclusive)'),
  onRead(
    'one record for each answer that was lost',
    { body: ['case_1', 'case_2'] },
    [use('a', undefined, { key: 'l' }), use('b', 201, two), use('c', 409)],
    'holds a b c',
  ),
  onRead(
    'more',
    { body: ['case_1', 'case_2', 'case_3'] },
    [use('a', 503), use('b', 201, two)],
    'violated a b (conclusive)',
  ),
  onRead(
    'each body by itself',
    { body: ['case_1'], other: ['case_2', 'case_3'] },
    [use('a', 201), use('b', 201, { key: 'l', ...two, ...other }), use('c', 409)],
    'holds a c',
    'violated b (conclusive)',
  ),
  {
    ...onRead('the read did not reach its end', { body: ['case_1'] }, [use('a', 201)], 'inconclusive a'),
    partly: true,
  },
  {
    ...onRead(
      'it did not reach its end, and shows more',
      { body: ['case_1', 'case_2'] },
      [use('a', 201)],
      'violated a (conclusive)',
    ),
    partly: true,
  },
];

export const historyCases: readonly Case[] = [...answers, ...effects];
