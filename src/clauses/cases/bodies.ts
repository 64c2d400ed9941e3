import type { Json } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { apart, says } from './says.ts';
import { type Case, type Line, lacking, missing, negative, reuse } from './trace.ts';

const at = (pointer: string, keyword = 'type'): Deviation => ({ kind: 'body', at: pointer, keyword });
const wrong = at('/subject');
const syntax: Deviation = { kind: 'body-syntax' };
const media: Deviation = { kind: 'media-type' };
const idsOnly = 'holds probe (ids only)';

const classes: readonly Case[] = [
  says('VAL-1', 'it is refused', negative(missing, 422), 'holds probe'),
  says('VAL-1', 'it is refused with 400', negative(missing, 400), 'violated probe'),
  says('VAL-1', 'it is served', negative(missing, 201), 'violated probe (conclusive)'),
  says(
    'VAL-1',
    'the root, another keyword, another fault as well',
    apart(negative(at('', 'required'), 201), negative(wrong, 201), negative([missing, lacking], 201)),
  ),
  says('VAL-2', 'it is refused', negative(wrong, 422), 'holds probe'),
  says('VAL-2', 'it is refused with 400', negative(at('/priority', 'enum'), 400), 'violated probe'),
  {
    ...says(
      'VAL-2',
      'a text that is not of its format is accepted',
      negative(at('/since', 'format'), 201),
      'holds probe (advisory)',
    ),
    advisory: true,
  },
  ...(
    [
      ['a conflict', 409, 'inconclusive probe'],
      ['refused in another class', 400, 'violated probe'],
    ] as const
  ).map(([what, status, expected]) =>
    says(
      'VAL-2',
      `a text that is not of its format is ${what}`,
      negative(at('/since', 'format'), status),
      expected,
    ),
  ),
  ...(
    [
      [
        'has a member that no accepted request has',
        404,
        '{"subject":"a","priority":"low"}',
        'inconclusive probe',
      ],
      ['has what the accepted one has', 404, '{"subject":"a","priority":"high"}', 'violated probe'],
      ['differs in the member of the marker', 404, '{"subject":"b","priority":"high"}', 'violated probe'],
      [
        'has another member, and the service fails',
        500,
        '{"subject":"a","priority":"low"}',
        'violated probe',
      ],
    ] as const
  ).map(([when, status, sent, ruling]) =>
    says(
      'VAL-2',
      `another class, where the body ${when}`,
      negative(
        at('/since', 'pattern'),
        status,
        { sent },
        { sent: '{"subject":"a asy-t-body","priority":"high"}' },
      ),
      ruling,
    ),
  ),
  says('VAL-2', 'it is coerced', negative(wrong, 201), 'violated probe (conclusive)'),
  says(
    'VAL-2',
    'the root, a missing member, another fault as well',
    apart(negative(at(''), 201), negative(missing, 201), negative([wrong, lacking], 201)),
  ),
  says('VAL-6', 'it is refused', negative(at(''), 422), 'holds probe'),
  says('VAL-6', 'it is refused with 400', negative(at(''), 400), 'violated probe'),
  {
    ...says('VAL-6', 'it is refused with 400, as declared', negative(at(''), 400), 'holds probe'),
    declares: { G14: { malformed: 400 } },
  },
  says(
    'VAL-6',
    'a member, or another fault as well',
    apart(negative(wrong, 201), negative([at(''), lacking], 201)),
  ),
  says('VAL-13', 'it is refused', negative(syntax, 400), 'holds probe', idsOnly),
  says('VAL-13', 'it is served', negative(syntax, 201), 'violated probe (conclusive)'),
  says('VAL-13', 'the service fails', negative(syntax, 500), 'violated probe'),
  says(
    'VAL-13',
    'another fault, or another as well',
    apart(negative(missing, 500), negative([syntax, lacking], 201)),
  ),
  says('VAL-14', 'it is refused', negative(media, 415), 'holds probe'),
  says('VAL-14', 'it is read as JSON', negative(media, 201), 'holds probe'),
  says('VAL-14', 'the service fails', negative(media, 500), 'violated probe'),
  says(
    'VAL-14',
    'another fault, or another as well',
    apart(negative(missing, 500), negative([media, lacking], 500)),
  ),
  {
    ...says(
      'VAL-14',
      'it is read as JSON, and 415 is declared',
      negative(media, 201, { media: 'text/plain' }),
      'holds probe',
      'violated probe',
    ),
    declares: { G14: { mediaType: 415 } },
  },
  {
    ...says('VAL-14', 'malformed JSON is for VAL-13', negative(syntax, 422)),
    declares: { G14: { malformed: 400 } },
  },
];

const effects: readonly Case[] = [
  says('VAL-7', 'it is refused', negative(missing, 422), idsOnly),
  says('VAL-7', 'it is refused in another class', negative(missing, 400)),
  says(
    'VAL-7',
    'another fault, or another as well',
    apart(negative(lacking, 403), negative([missing, lacking], 422)),
  ),
  {
    ...says(
      'VAL-7',
      'there is a record',
      negative(missing, 422).slice(0, 1),
      'violated probe read-1 read-2 read-3 (conclusive)',
    ),
    shows: { body: ['case_9'] },
  },
  {
    ...says(
      'VAL-13',
      'there is a record',
      negative(syntax, 400).slice(0, 1),
      'inconclusive probe',
      'violated probe read-1 read-2 read-3 (conclusive)',
    ),
    shows: { body: ['case_9'] },
  },
];

const corrected = (status: number | undefined, ...later: readonly Line[]): Case['trace'] => [
  ...negative(missing, 422, {}, { key: 'fresh', status }),
  ...later,
];
const second = (status: number): Line => ({ id: 'second', controls: 'probe', key: 'third', status });
const corrections: readonly Case[] = [
  says('VAL-8', 'it is accepted', corrected(201), 'holds control probe'),
  says('VAL-8', 'it is refused, and accepted later', corrected(422, second(201)), 'violated control probe'),
  says('VAL-8', 'it is refused throughout', corrected(422, second(422)), 'inconclusive control probe'),
  says('VAL-8', 'nobody tried again', corrected(422), 'inconclusive control probe'),
  ...[429, 500, 502, 503, 504, undefined].map((status) =>
    says(
      'VAL-8',
      `it gets ${status}, and accepted later`,
      corrected(status, second(201)),
      'inconclusive control probe',
    ),
  ),
  says('VAL-8', 'the same key is for VAL-9', negative(missing, 422, {}, { status: 422 })),
  says(
    'VAL-8',
    'keys that are no plain ones',
    apart(
      negative(missing, 422, { key: { use: 'literal', value: 'x' } }),
      negative(missing, 422, {}, { key: 'none' }),
    ),
  ),
  says(
    'VAL-8',
    'the control of another probe',
    negative(missing, 422, {}, { controls: 'other', key: 'fresh' }),
  ),
  says(
    'VAL-8',
    'no probe, another fault, another answer, none',
    apart(
      negative(missing, 422, { role: 'control' }, { key: 'fresh' }),
      negative(lacking, 422, {}, { key: 'fresh' }),
      negative(missing, 400, {}, { key: 'fresh' }),
      negative(missing, undefined, {}, { key: 'fresh' }),
    ),
  ),
];

const corrects = reuse('first', 'correction');
const again = (
  status: number,
  first: Partial<Line> = {},
  more: Partial<Line> = {},
  control = 201,
): Case['trace'] => [
  { id: 'first', role: 'test', status: 422, key: 'k', deviations: [missing], ...first },
  { id: 'again', role: 'test', status, key: 'k', deviations: [corrects], ...more },
  { id: 'control', controls: '*', status: control },
];
const declared = (one: Case, G5: 'accept' | 'conflict'): Case => ({ ...one, declares: { G5 } });
const stored: readonly Case[] = [
  ...[201, 409].map((status) => says('VAL-9', `it gets ${status}`, again(status), 'holds again first')),
  ...[422, 400, 500].map((status) =>
    says('VAL-9', `it gets ${status}`, again(status), 'violated again first'),
  ),
  says('VAL-9', 'the control is refused as well', again(422, {}, {}, 422), 'inconclusive again first'),
  says('VAL-9', 'there is no control', again(422).slice(0, 2), 'inconclusive again first'),
  declared(says('VAL-9', 'it is accepted, as declared', again(201), 'holds again first'), 'accept'),
  declared(says('VAL-9', 'it is a conflict, as declared', again(409), 'holds again first'), 'conflict'),
  declared(
    says('VAL-9', 'it is accepted, and a conflict is declared', again(201), 'violated again first'),
    'conflict',
  ),
  declared(
    says(
      'VAL-9',
      'it is accepted without a control, and a conflict is declared',
      again(201).slice(0, 2),
      'violated again first',
    ),
    'conflict',
  ),
  declared(
    says('VAL-9', 'it is a conflict, and its acceptance is declared', again(409), 'violated again first'),
    'accept',
  ),
  declared(says('VAL-9', 'it is 422, whatever is declared', again(422), 'violated again first'), 'conflict'),
  says('VAL-9', 'it is throttled', again(429)),
  says('VAL-9', 'the first was no 422', again(422, { status: 400 })),
  says('VAL-9', 'the first was another step', again(422, { id: 'other' })),
  says('VAL-9', 'the first had no fault', again(422, { deviations: [] })),
  says('VAL-9', 'the first had two faults', again(422, { deviations: [missing, lacking] })),
  says('VAL-9', 'no probe', again(422, {}, { role: 'control' })),
  says('VAL-9', 'it is no correction', again(422, {}, { deviations: [reuse('first')] })),
  says('VAL-9', 'it is still faulty', again(422, {}, { deviations: [corrects, missing] })),
];

const same: Line['deviations'] = [missing, reuse('first')];
const repeated = (status: number, first: Partial<Line> = {}, more: Partial<Line> = {}): Case['trace'] =>
  again(status, first, { deviations: same, ...more });
const repeats: readonly Case[] = [
  ...[422, 409].map((status) =>
    says('VAL-10', `${status} the second time`, repeated(status), 'holds again first'),
  ),
  ...[400, 500].map((status) =>
    says('VAL-10', `${status} the second time`, repeated(status), 'violated again first'),
  ),
  says('VAL-10', 'served the second time', repeated(201), 'violated again first (conclusive)'),
  says('VAL-10', 'throttled', repeated(429)),
  says('VAL-10', 'the first was no 422', repeated(201, { status: 400 })),
  says('VAL-10', 'the first was another step', repeated(201, { id: 'other' })),
  says(
    'VAL-10',
    'no duplicate, or no fault',
    apart(
      repeated(201, {}, { deviations: [missing, reuse('first', 'request')] }),
      repeated(201, {}, { id: 'b', deviations: [missing] }),
      repeated(201, {}, { id: 'c', deviations: [reuse('first')] }),
    ),
  ),
];

const extended: Deviation = { kind: 'body-syntax', how: 'extension' };
const disputed: Deviation = { kind: 'body-syntax', how: 'open' };
const parsers: readonly Case[] = [
  says('VAL-13', 'what only some parsers read is refused', negative(extended, 400), 'holds probe', idsOnly),
  says('VAL-13', 'it is read', negative(extended, 201), 'holds probe (advisory)'),
  says('VAL-13', 'it makes the service fail', negative(extended, 500), 'violated probe'),
  says('VAL-13', 'what is left to the parser is read', negative(disputed, 201), 'holds probe'),
  says('VAL-13', 'what is left to the parser is refused', negative(disputed, 400), 'holds probe', idsOnly),
  says('VAL-13', 'the service fails on it', negative(disputed, 500), 'violated probe'),
];

const text: Deviation = { kind: 'text-noise', at: '/subject' };
const unbound: Deviation = { ...text, refusable: true };
const long = 'x'.repeat(300);
const shows = (subject: string) => ({
  sent: JSON.stringify({ subject: long }),
  body: { id: 'case_1', status: 'open', subject },
});
const kept = (sent: string, subject: Json) => ({
  sent: JSON.stringify({ subject: sent }),
  body: { id: 'case_1', status: 'open', subject },
});
const umlauts = 'Größe, naïveté, 客户 asy-t-body';
const slashes = String.raw`"a" 'b' \slash\ /c/ asy-t-body`;
const markup = '<script>alert(1)</script> &amp; <b> asy-t-body';
const escaped = '&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &lt;b&gt; asy-t-body';
type Shown = readonly [when: string, sent: string, shown: string];
const lossy: readonly Shown[] = [
  ['each letter beyond ASCII is shown as a question mark', umlauts, 'Gr??e, na?vet?, ?? asy-t-body'],
  ['what Latin-1 lacks is shown as question marks', umlauts, 'Größe, naïveté, ?? asy-t-body'],
  ['each byte is shown as a replacement character', 'Größe', 'Gr\ufffd\ufffd\ufffd\ufffde'],
  ['an emoji is shown as a question mark for each unit', 'All well 💥', 'All well ??'],
  ['it is escaped for HTML', markup, escaped],
  ['quotes are escaped for HTML', `it's "so"`, 'it&#39;s &#x22;so&quot;'],
  ['quotes and backslashes are escaped', slashes, String.raw`\"a\" \'b\' \\slash\\ /c/ asy-t-body`],
  ['double quotes and backslashes are escaped', slashes, String.raw`\"a\" 'b' \\slash\\ /c/ asy-t-body`],
  ['it is shown as JSON within JSON', slashes, String.raw`"\"a\" 'b' \\slash\\ /c/ asy-t-body"`],
  ['its line break is escaped', 'one\ntwo asy-t-body', String.raw`one\ntwo asy-t-body`],
  ['quotes are doubled', slashes, String.raw`"a" ''b'' \slash\ /c/ asy-t-body`],
  ['slashes are escaped', slashes, String.raw`"a" 'b' \slash\ \/c\/ asy-t-body`],
  ['backslashes are taken as escapes', slashes, `"a" 'b' slash /c/ asy-t-body`],
  ['it is encoded as in an address', 'ä b & c', '%C3%A4%20b%20%26%20c'],
  ['it is encoded as in a form', 'ä b & c', '%C3%A4+b+%26+c'],
  ['its %-codes are decoded', '100% %s %41 %C3%A4 asy-t-body', '100% %s A ä asy-t-body'],
  ['it is decoded as in a form', 'a+b %2B asy-t-body', 'a b + asy-t-body'],
  ['its bytes are read as Latin-1', umlauts, 'GrÃ¶Ã\u009fe, naÃ¯vetÃ©, å®¢æ\u0088· asy-t-body'],
  ['a text of 120 letters is cut to 64', 'ж'.repeat(120), 'ж'.repeat(64)],
  ['all but its first line is cut off', 'line one\nline two', 'line one'],
  ['its emoji are taken out', 'All 💥 well asy-t-body', 'All well asy-t-body'],
  ['what Latin-1 lacks is taken out', umlauts, 'Größe, naïveté,  asy-t-body'],
];
const harmless: readonly Shown[] = [
  ['it is trimmed, and its blanks are collapsed', ' one \r\n two\tthree ', 'one two three'],
  ['it is normalised', 'Gru\u0308ße ﬁn', 'Grüße fin'],
  ['it is in lower case', umlauts, umlauts.toLowerCase()],
  ['it is in plain letters', umlauts, 'Groesse, naivete, Kehu asy-t-body'],
  ['its own question marks are kept', 'ok?', 'ok?'],
  ['its markup is taken out', markup, 'alert(1) & asy-t-body'],
  ['its own entities are kept', 'a &amp; b', 'a &amp; b'],
  [
    'its own escapes are kept',
    String.raw`a\"b \\ '' %20 + asy-t-body`,
    String.raw`A\"b \\ '' %20 + asy-t-body`,
  ],
  ['its quotes are curled', slashes, '“a” ‘b’ \\slash\\ /c/ asy-t-body'],
  ['its quotes are taken out', slashes, String.raw`a b \slash\ /c/ asy-t-body`],
  ['signs at its end are taken out', 'A long subject \u200b?!', 'A long subject'],
  ['the member shows something else', umlauts, 'Case 17'],
  ['marks that join or vary emoji are taken out', 'The 🏳️‍🌈 asy-t-body', 'The 🏳🌈 asy-t-body'],
];
const whole = 'Conformance probe asy-t-body of a whole text';
const cut = whole.slice(0, 36);
const marked: Line = { id: 'a', status: 201, ...kept(whole, cut) };
const texts: readonly Case[] = [
  says('VAL-15', 'it is one to which no bound is set, and is refused', negative(unbound, 422)),
  says('VAL-15', 'no bound is set, and the service fails', negative(unbound, 500), 'violated probe'),
  says('VAL-15', 'a long text is kept', negative(text, 201, shows(long)), 'holds probe'),
  says(
    'VAL-15',
    'a long text is cut',
    negative(text, 201, shows(long.slice(0, 250))),
    'holds probe',
    'violated probe',
  ),
  ...lossy.map(([when, sent, shown]) =>
    says('VAL-15', when, negative(text, 201, kept(sent, shown)), 'holds probe', 'violated probe'),
  ),
  says(
    'VAL-15',
    'it is escaped for HTML, in an envelope, and what the record holds has a member of that name, too',
    negative(text, 201, {
      ...kept(markup, ''),
      body: { data: { subject: escaped, owner: { subject: 'x' } } },
    }),
    'holds probe',
    'violated probe',
  ),
  says(
    'VAL-15',
    'one of two texts of that name in one depth is escaped for HTML',
    negative(text, 201, { ...kept(markup, ''), body: { case: { subject: escaped }, by: { subject: 'x' } } }),
    'holds probe',
  ),
  ...harmless.map(([when, sent, shown]) =>
    says('VAL-15', when, negative(text, 201, kept(sent, shown)), 'holds probe'),
  ),
  says('VAL-15', 'a plain command, and the result shows the beginning of its text', [marked], 'violated a'),
  says('VAL-15', 'a plain command, and a read shows all of its text', [
    marked,
    { id: 'read', operation: 'getCase', role: 'readback', status: 200, body: { subject: whole } },
  ]),
  says('VAL-15', 'a plain command, and a list shows the beginning of its text', [
    { ...marked, body: { id: 'case_1', status: 'open' } },
    {
      id: 'read',
      operation: 'listCases',
      role: 'readback',
      status: 200,
      body: { items: [{ subject: cut }] },
    },
  ]),
  says(
    'VAL-15',
    'the result shows its beginning, and a read shows all of it',
    [
      ...negative(text, 201, kept('ж'.repeat(120), 'ж'.repeat(64))).slice(0, 1),
      {
        id: 'read',
        operation: 'getCase',
        role: 'readback',
        status: 200,
        body: { id: 'case_1', status: 'open', subject: 'ж'.repeat(120) },
      },
    ],
    'holds probe',
  ),
  says('VAL-15', 'it is accepted', negative(text, 201), 'holds probe'),
  says('VAL-15', 'it is refused', negative(text, 422), 'violated probe'),
  says('VAL-15', 'the service fails', negative(text, 500), 'violated probe'),
  ...(
    [
      ['with its marker conflicts', umlauts, 409, 'violated probe'],
      ['without a marker conflicts', 'null', 409, 'inconclusive probe'],
      ['without a marker is refused', 'null', 422, 'violated probe'],
      ['without a marker is accepted', 'null', 201, 'holds probe'],
    ] as const
  ).map(([when, subject, status, ruling]) =>
    says('VAL-15', `a text ${when}`, negative(text, status, { sent: JSON.stringify({ subject }) }), ruling),
  ),
  says(
    'VAL-15',
    'a plain text is refused as well',
    negative(text, 422, {}, { status: 422 }),
    'inconclusive probe',
  ),
  says('VAL-15', 'no plain text was sent', negative(text, 422).slice(0, 1), 'inconclusive probe'),
  says(
    'VAL-15',
    'a control has such a text, and was refused, and with a plain text it was accepted',
    [
      { id: 'again', status: 422, role: 'control', controls: 'probe', deviations: [text] },
      { id: 'plain-text', status: 201, controls: 'again' },
    ],
    'violated again',
  ),
  says('VAL-15', 'it is throttled', negative(text, 429), 'inconclusive probe'),
  says(
    'VAL-15',
    'no probe, a fault as well, or a plain text',
    apart(negative(text, 422, { role: 'setup' }), negative([text, missing], 422), negative([], 422)),
  ),
];

export const bodyCases: readonly Case[] = [
  ...classes,
  ...effects,
  ...corrections,
  ...stored,
  ...repeats,
  ...parsers,
  ...texts,
];
