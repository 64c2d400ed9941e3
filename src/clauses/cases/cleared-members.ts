import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

const before = { id: 'case_7', subject: 'one', note: 'to go', version: '1' };
const sent = { subject: 'two', note: null };
const gone = { id: 'case_7', subject: 'two', version: '2' };
const kept = { ...gone, note: 'to go' };

/** A command that sets a text to null, and the record before it and after it. */
const cleared = (
  when: string,
  is: JsonObject,
  ruling: string | undefined,
  more: {
    readonly made?: Partial<Line>;
    readonly was?: JsonObject;
    readonly sent?: JsonObject;
    readonly result?: Json;
    readonly media?: string;
    readonly command?: Partial<Line>;
    readonly between?: readonly Line[];
  } = {},
): Case => {
  const look = (observes: 'before' | 'after', body: JsonObject): Line => ({
    ...{ id: observes, observes, operation: 'getCase', role: 'readback', on: 'a', status: 200, body },
  });
  return says(
    'CMD-6',
    `a command sets a text to null: ${when}`,
    [
      {
        ...{ id: 'a', role: 'setup', status: 201, result: 'case_7' },
        sent: JSON.stringify({ subject: 'one', note: 'to go' }),
        ...more.made,
      },
      look('before', more.was ?? before),
      {
        ...{ id: 'clear', operation: 'updateCase', on: 'a', role: 'setup', status: 200 },
        sent: JSON.stringify(more.sent ?? sent),
        body: more.result ?? { id: 'case_7' },
        media: more.media ?? 'application/merge-patch+json',
        ...more.command,
      },
      ...(more.between ?? []),
      look('after', is),
    ],
    ...(ruling === undefined ? [] : [`${ruling} clear after`]),
  );
};

const plain = 'application/json';

/** The same with another value than a text. */
const other = (value: Json, is: JsonObject, ruling: string | undefined): Case => {
  const was = { ...before, note: value };
  const made = { sent: JSON.stringify({ subject: 'one', note: value }) };
  return cleared(`it was ${JSON.stringify(value)}, and is ${JSON.stringify(is['note'])}`, is, ruling, {
    ...{ made, was },
  });
};

/** A merge patch that sets a member of an object to null. */
const inner = (is: JsonObject, ruling: string | undefined, media?: string): Case => {
  const owner = { town: 'Ulm', room: 'to go' };
  const asked = { subject: 'two', owner: { room: null } };
  return cleared(`within an object, which is ${JSON.stringify(is)}`, { ...gone, owner: is }, ruling, {
    made: { sent: JSON.stringify({ subject: 'one', owner }) },
    was: { id: 'case_7', subject: 'one', version: '1', owner },
    sent: asked,
    ...(media === undefined ? {} : { media }),
  });
};

export const clearedMemberCases: readonly Case[] = [
  inner({ town: 'Ulm', room: 'to go' }, 'violated'),
  inner({ town: 'Ulm' }, 'holds'),
  inner({ town: 'Ulm', room: null }, 'holds'),
  inner({ town: 'Ulm', room: 'to go' }, undefined, plain),
  ...[{ town: 'Ulm' }, ['a', 'b'], 12].flatMap((value) => [
    other(value, { ...gone, note: value }, 'violated'),
    other(value, gone, 'holds'),
    other(value, { ...gone, note: null }, 'holds'),
  ]),
  other({ town: 'Ulm' }, { ...gone, note: {} }, 'holds'),
  other({ town: 'Ulm' }, { ...gone, note: { town: null } }, undefined),
  other(12, { ...gone, note: 0 }, undefined),
  other(true, { ...gone, note: true }, undefined),
  cleared('the record keeps it, and shows the rest', kept, 'violated'),
  cleared('the record no longer has it', gone, 'holds'),
  cleared('the record shows null', { ...gone, note: null }, 'holds'),
  cleared('the record shows an empty text', { ...gone, note: '' }, 'holds'),
  cleared(
    'the record has another text there, such as that of its parent',
    { ...gone, note: 'of all' },
    undefined,
  ),
  cleared('the record keeps it, and the rest as well', { ...before, version: '2' }, 'inconclusive'),
  cleared('the record keeps it, and nothing else was sent', before, 'inconclusive', { sent: { note: null } }),
  cleared('the record had nothing there', kept, undefined, { was: { id: 'case_7', subject: 'one' } }),
  cleared('the record shows it masked', { ...gone, note: '****' }, undefined, {
    was: { ...before, note: '****' },
  }),
  cleared('what is secret looks the same', { ...gone, password: 'hidden' }, undefined, {
    was: { ...before, password: 'hidden' },
    sent: { subject: 'two', password: null },
  }),
  cleared('the record keeps it, and plain JSON does not say what null means', kept, undefined, {
    media: plain,
  }),
  cleared('the record keeps it, and the result shows null', kept, 'violated', {
    media: plain,
    made: { body: { id: 'case_7', subject: 'one', note: 'to go' } },
    result: { ...gone, note: null },
  }),
  cleared('the record keeps it, and so does the result', kept, undefined, { media: plain, result: kept }),
  cleared('the record keeps it, but nobody sent it: it is the default', kept, undefined, {
    made: { sent: JSON.stringify({ subject: 'one' }) },
  }),
  cleared('the record keeps it, and something else moved', { ...kept, pending: true }, undefined),
  cleared('the record keeps it, and no result ever shows it', kept, undefined, {
    media: plain,
    made: { body: { id: 'case_7', subject: 'one', note: null } },
    result: { ...gone, note: null },
  }),
  cleared('it was refused', kept, undefined, { command: { status: 422 } }),
  cleared('it was only queued', kept, undefined, { command: { status: 202 } }),
  cleared('another command came before the read', kept, undefined, {
    between: [
      { id: 'again', operation: 'updateCase', on: 'a', status: 200, sent: '{"note":"to go"}', body: {} },
    ],
  }),
];
