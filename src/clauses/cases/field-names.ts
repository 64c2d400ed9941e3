import type { Json } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { apart, says } from './says.ts';
import { type Case, type Line, lacking, missing, negative } from './trace.ts';

const at = (pointer: string): Deviation => ({ kind: 'body', at: pointer, keyword: 'type' });
const fields = (...names: readonly string[]): Json => ({ errors: names.map((field) => ({ field })) });
const faulty = (
  faults: Deviation | readonly Deviation[],
  body: Json,
  more: Partial<Line> = {},
): Case['trace'] => negative(faults, 422, { body, ...more });
const bare = (...of: Parameters<typeof faulty>): Case['trace'] => faulty(...of).slice(0, 1);
const note = { operation: 'createNote' } as const;
const exact = (one: Case): Case => ({ ...one, declares: { G16: { naming: 'exact' } } });
/** A response to a request in which another field was wrong. */
const other = (pointer: string, body: Json, more: Partial<Line> = {}): Line => ({
  id: 'other',
  status: 422,
  deviations: [at(pointer)],
  body,
  ...more,
});

/** What chooses the branch of a body is missing, and another member is named as well. */
const unchosen = (name: string, ruling: string): readonly Case[] => [
  says(
    'VAL-5',
    `nothing chooses a branch, and ${name} is named as well: ${ruling}`,
    [
      ...bare({ kind: 'body', at: '/kind', keyword: 'required' }, fields('kind', name), {
        operation: 'keepCase',
        sent: '{"firm":"b","of":{"name":"a"}}',
      }),
      {
        id: 'control',
        operation: 'keepCase',
        controls: 'probe',
        status: 200,
        sent: '{"kind":"company","firm":"b","of":{"name":"a"}}',
      },
    ],
    ruling,
  ),
];

const none: Case['trace'] = [
  ...bare(at(''), {}),
  ...bare([missing, lacking], {}, { id: 'two' }),
  ...bare(lacking, {}, { id: 'permission' }),
  ...bare(missing, {}, { id: 'control', role: 'control' }),
  ...bare(missing, {}, { id: 'plain', status: 400 }),
];
const one: readonly Case[] = [
  says('VAL-3', 'it is named', faulty(missing, fields('subject')), 'holds probe'),
  says(
    'VAL-3',
    'it is named in a body that is not what Content-Encoding says',
    faulty(missing, fields('subject'), { miscoded: true }),
    'violated probe',
  ),
  says('VAL-3', 'the valid request is refused as well', bare(missing, {}), 'inconclusive probe'),
  says('VAL-3', 'it is named in words', faulty(missing, { detail: "'subject' is required" }), 'holds probe'),
  says(
    'VAL-3',
    'a bare word',
    faulty(missing, { detail: 'Take another look at your subject' }),
    'inconclusive probe',
  ),
  says(
    'VAL-3',
    'a body that was cut',
    faulty(missing, 'Validation failed', { truncated: true }),
    'inconclusive probe',
  ),
  says(
    'VAL-3',
    'a header of errors',
    faulty(missing, '', { headers: [['sl-violations', '[{"location":["request","body","subject"]}]']] }),
    'holds probe',
  ),
  says('VAL-3', 'nothing is named', faulty(missing, { title: 'Unprocessable' }), 'violated probe'),
  says(
    'VAL-3',
    'in a choice of branches, the member that another branch needs is named',
    faulty(at('/firm'), fields('name'), { operation: 'keepCase', sent: '{"kind":"company","firm":5}' }),
    'inconclusive probe',
  ),
  says(
    'VAL-3',
    'in a choice of branches, nothing is named',
    faulty(at('/firm'), { title: 'Unprocessable' }, { operation: 'keepCase', sent: '{"kind":"company"}' }),
    'violated probe',
  ),
  says('VAL-3', 'another one is named', faulty(missing, fields('priority')), 'violated probe'),
  ...(
    [
      ['text', 'inconclusive'],
      ['title', 'violated'],
    ] as const
  ).map(([name, ruling]) =>
    says(
      'VAL-3',
      `the key ${name} with a complaint about an item, for an item of the member text`,
      faulty(at('/text/0'), { errors: { [name]: { 0: { _errors: ['bad'] } } } }, note),
      `${ruling} probe`,
    ),
  ),
  says(
    'VAL-3',
    'all are named, whatever is wrong',
    [...faulty(missing, fields('subject', 'priority')), other('/priority', fields('subject', 'priority'))],
    'violated probe',
  ),
  says(
    'VAL-3',
    'each is named where it is wrong',
    [...faulty(missing, fields('subject')), other('/priority', fields('priority'))],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the field has a value in the other request that no accepted one has',
    [
      ...faulty(missing, fields('subject')),
      other('/priority', fields('subject'), { sent: '{"subject":"-","priority":5}' }),
    ],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the other answer is no 422',
    [...faulty(missing, fields('subject')), other('/priority', fields('subject'), { status: 400 })],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the other answer is about the same field',
    [...faulty(missing, fields('subject')), other('/subject', fields('subject'))],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the other request has two faults',
    [
      ...faulty(missing, fields('subject')),
      other('/priority', fields('subject'), { deviations: [at('/priority'), lacking] }),
    ],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the other answer means a field of its own that is spelt alike',
    [...faulty(at('/title'), fields('title'), note), other('/author/title', fields('title'), note)],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the other answer is about the object that holds the field',
    [
      ...faulty(at('/author/title'), { felder: [{ feld: 'author.title' }] }, note),
      other('/author', { felder: [{ feld: 'author.title' }] }, note),
    ],
    'holds probe',
  ),
  says(
    'VAL-3',
    'the other answer shows what was sent',
    [
      ...faulty(missing, fields('subject')),
      other(
        '/priority',
        { errors: [{ field: 'priority' }], data: { field: 'subject' } },
        { sent: '{"field":"subject"}' },
      ),
    ],
    'holds probe',
  ),
  says('VAL-3', 'the leaf of a path', faulty(at('/contact/email'), fields('email')), 'holds probe'),
  exact(
    says(
      'VAL-3',
      'the leaf of a path, where the whole is declared',
      faulty(at('/contact/email'), fields('email')),
      'violated probe',
    ),
  ),
  exact(
    says(
      'VAL-3',
      'the whole path, as declared',
      faulty(at('/contact/email'), fields('/contact/email')),
      'holds probe',
    ),
  ),
  {
    ...says('VAL-3', 'another declaration', faulty(at('/contact/email'), fields('email')), 'holds probe'),
    declares: { G16: { naming: 'leaf' } },
  },
  {
    ...says(
      'VAL-3',
      'a declaration of another form',
      faulty(at('/contact/email'), fields('email')),
      'holds probe',
    ),
    declares: { G16: 'exact' },
  },
  says('VAL-3', 'no member alone at fault, no probe, no 422', none),
];

/** A field that is called as a member of error bodies is, and a text that may be about it. */
const alike = (pointer: string, body: Json, ruling: string): Case =>
  says('VAL-3', `${pointer} in ${JSON.stringify(body)}`, faulty(at(pointer), body, note), `${ruling} probe`);
const envelopes: readonly Case[] = [
  alike('/title', { params: { title: 'Required' } }, 'inconclusive'),
  alike('/title', { message: 'Validation failed', params: { title: 'Required' } }, 'inconclusive'),
  alike('/title', { status: 'fail', data: { title: 'Bitte angeben' } }, 'inconclusive'),
  alike('/title', { params: { title: 'Required', status: 'too long' } }, 'inconclusive'),
  alike('/title', { error: { title: 'wrong' } }, 'inconclusive'),
  alike('/title', { error: { code: 'E1', params: { title: 'Required' } } }, 'inconclusive'),
  alike('/title', { title: 'Required' }, 'inconclusive'),
  alike('/title', { errors: [{ title: 'Required' }] }, 'inconclusive'),
  alike('/author/title', { errors: { author: { title: 'Required' } } }, 'inconclusive'),
  alike('/detail', { params: { detail: 'Required' } }, 'inconclusive'),
  alike('/message', { error: { message: 'Required' } }, 'inconclusive'),
  alike('/message', { error: { message: 'Validation failed' } }, 'violated'),
  alike('/title', { title: 'Unprocessable', status: 422 }, 'violated'),
  alike('/title', { error: { code: 'E1', title: 'wrong' } }, 'violated'),
  alike('/title', { message: 'Validation failed', params: { limit: 5, title: 'a' } }, 'violated'),
  alike('/title', { errors: [{ field: 'dueDate' }], params: { title: 'Required' } }, 'violated'),
  says(
    'VAL-3',
    'a field called title, and the response to another wrong field says the same',
    [
      ...faulty(at('/title'), { params: { title: 'Required' } }, note),
      other('/dueDate', { params: { title: 'Required' } }, note),
    ],
    'violated probe',
  ),
];

const moving = (keys: Json, otherKeys: Json, ruling: string): Case =>
  says(
    'VAL-3',
    `a field called title in ${JSON.stringify(keys)}, and one called dueDate in ${JSON.stringify(otherKeys)}`,
    [...faulty(at('/title'), keys, note), other('/dueDate', otherKeys, note)],
    `${ruling} probe`,
  );
const moved: readonly Case[] = [
  moving({ errors: { title: 'no text' } }, { errors: { dueDate: 'no day' } }, 'holds'),
  moving({ title: 'no text' }, { dueDate: 'no day' }, 'holds'),
  moving({ error: "{'title': ['no text']}" }, { error: "{'dueDate': ['no day']}" }, 'holds'),
  moving({ title: 'no text' }, { title: 'no text' }, 'violated'),
  moving({ title: 'Unprocessable' }, { title: 'Unprocessable', dueDate: 'no day' }, 'violated'),
];

const two = [missing, at('/priority')];
const several: readonly Case[] = [
  says('VAL-4', 'both are named', faulty(two, fields('subject', 'priority')), 'holds probe'),
  says(
    'VAL-4',
    'a bare word',
    faulty(two, { errors: [{ field: 'subject' }], note: 'take another look at your priority' }),
    'inconclusive probe',
  ),
  says('VAL-4', 'the first is named', faulty(two, fields('subject')), 'violated probe'),
  says('VAL-4', 'the second is named', faulty(two, fields('priority')), 'violated probe'),
  exact(
    says(
      'VAL-4',
      'a leaf, where the whole path is declared',
      faulty([missing, at('/contact/email')], fields('subject', 'email')),
      'violated probe',
    ),
  ),
  says(
    'VAL-4',
    'a leaf that is that of another field',
    faulty([at('/title'), at('/author/name')], fields('author.title', 'name'), note),
    'violated probe',
  ),
  ...(
    [
      ['it alone is', ['kind'], undefined],
      ['both are', ['kind', 'of/name'], 'holds probe'],
    ] as const
  ).map(([named, names, ruling]) =>
    says(
      'VAL-4',
      `the member that chooses the kind of the body is wrong as well, and ${named} named`,
      faulty([at('/kind'), at('/of/name')], fields(...names), {
        operation: 'keepCase',
        sent: '{"of":{"name":5}}',
      }),
      ...(ruling === undefined ? [] : [ruling]),
    ),
  ),
  says(
    'VAL-4',
    'two members of one kind are wrong, and one of them is named',
    faulty([at('/firm'), at('/of/name')], fields('firm'), {
      operation: 'keepCase',
      sent: '{"kind":"company","firm":5,"of":{"name":5}}',
    }),
    'violated probe',
  ),
  says('VAL-4', 'one fault, the root, another kind as well, no 422', [
    ...bare(missing, {}),
    ...bare([missing, at('')], {}, { id: 'root' }),
    ...bare([...two, lacking], {}, { id: 'three' }),
    ...bare([missing, lacking], {}, { id: 'two' }),
    ...bare(two, {}, { id: 'plain', status: 400 }),
  ]),
];

const fine = (pointer: string, ...names: readonly string[]): Case['trace'] =>
  faulty(at(pointer), fields(...names), note);
const others: readonly Case[] = [
  says('VAL-5', 'no other is named', faulty(missing, fields('subject')), 'holds probe'),
  says(
    'VAL-5',
    'a member of what is wrong is named, and one next to it has its name',
    faulty(at('/data/owner/data'), { errors: [{ pointer: '/data/owner/data/kind' }] }, note),
    'holds probe',
  ),
  says('VAL-5', 'another is named as well', faulty(missing, fields('subject', 'priority')), 'violated probe'),
  says('VAL-5', 'another is named alone', faulty(missing, fields('priority')), 'violated probe'),
  says(
    'VAL-5',
    'another is named in words',
    faulty(missing, { detail: "'priority' is fine" }),
    'holds probe',
  ),
  says(
    'VAL-5',
    'another is named that no accepted request has',
    faulty(missing, fields('subject', 'priority'), { sent: '{"priority":"low"}' }),
    'inconclusive probe',
  ),
  says(
    'VAL-5',
    'another is named that the accepted request has with another value',
    [
      ...bare(missing, fields('subject', 'priority'), { sent: '{"priority":"low"}' }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"asy-t-body","priority":"high"}' },
    ],
    'inconclusive probe',
  ),
  says(
    'VAL-5',
    'another is named that the accepted request has as well',
    [
      ...bare(missing, fields('subject', 'priority'), { sent: '{"priority":"low"}' }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"asy-t-body","priority":"low"}' },
    ],
    'violated probe',
  ),
  says(
    'VAL-5',
    'a text is named that differs in its marker',
    [
      ...bare(at('/priority'), fields('subject'), {
        name: 'faulty',
        sent: '{"subject":"a asy-t-faulty","priority":{}}',
      }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"a asy-t-body"}' },
    ],
    'violated probe',
  ),
  says(
    'VAL-5',
    'a text is named whose marker stands elsewhere',
    [
      ...bare(at('/priority'), fields('subject'), {
        name: 'faulty',
        sent: '{"subject":"a","priority":{"b":"asy-t-faulty"}}',
      }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"a asy-t-body"}' },
    ],
    'violated probe',
  ),
  says(
    'VAL-5',
    'an empty text is named, and the accepted request has a marker alone',
    [
      ...bare(at('/priority'), fields('subject'), {
        name: 'faulty',
        sent: '{"subject":"","priority":{"b":"asy-t-faulty"}}',
      }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"asy-t-body"}' },
    ],
    'inconclusive probe',
  ),
  says(
    'VAL-3',
    'another is named in its place that no accepted request has',
    faulty(missing, fields('priority'), { sent: '{"priority":"low"}' }),
    'inconclusive probe',
  ),
  says(
    'VAL-5',
    'a format alone is broken, and another field is named, as by a rule beyond the schema',
    [
      ...bare({ kind: 'body', at: '/since', keyword: 'format' }, fields('subject'), {
        sent: '{"subject":"a","since":"2026-13-40"}',
      }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"a","since":"2026-10-04"}' },
    ],
    'inconclusive probe',
  ),
  says(
    'VAL-3',
    'a format alone is broken, and the object around it is named',
    [
      ...bare({ kind: 'body', at: '/contact/email', keyword: 'format' }, fields('contact'), {
        sent: '{"subject":"a","contact":{"email":"b"}}',
      }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"a","contact":{"email":"b@c.de"}}' },
    ],
    'inconclusive probe',
  ),
  says(
    'VAL-3',
    'a format alone is broken, and another field is named, as by a rule beyond the schema',
    [
      ...bare({ kind: 'body', at: '/since', keyword: 'format' }, fields('subject'), {
        sent: '{"subject":"a","since":"2026-13-40"}',
      }),
      { id: 'control', controls: 'probe', status: 201, sent: '{"subject":"a","since":"2026-10-04"}' },
    ],
    'inconclusive probe',
  ),
  says(
    'VAL-5',
    'what another branch needs, though a member elsewhere is called the same',
    [
      ...faulty(at('/firm'), fields('firm', 'name'), {
        operation: 'keepCase',
        sent: '{"kind":"company","firm":5,"of":{"name":"a"}}',
      }).slice(0, 1),
      {
        id: 'control',
        operation: 'keepCase',
        controls: 'probe',
        status: 200,
        sent: '{"kind":"company","firm":"b","of":{"name":"a"}}',
      },
    ],
    'holds probe',
  ),
  ...unchosen('firm', 'inconclusive probe'),
  ...unchosen('of', 'violated probe'),
  ...unchosen('firm', 'violated probe').map((one): Case => ({ ...one, declares: { G7: 'ignore' } })),
  says('VAL-5', 'a name that is no field', faulty(missing, fields('request')), 'holds probe'),
  says('VAL-5', 'its parent', fine('/author/name', 'author'), 'holds probe'),
  says('VAL-5', 'its child', fine('/author', 'author.name'), 'holds probe'),
  says('VAL-5', 'the leaf of its child', fine('/author', 'name'), 'holds probe'),
  says(
    'VAL-5',
    'a path below it that begins as wrappers do, and ends as another member does',
    fine('/data/owner', 'data.owner.title'),
    'holds probe',
  ),
  says(
    'VAL-5',
    'an example of a body is shown',
    faulty(missing, { errors: [{ field: 'subject' }], message: 'Expected {"tags": ["must be texts"]}' }),
    'holds probe',
  ),
  says(
    'VAL-5',
    'what passed is listed as well',
    faulty(
      at('/title'),
      {
        valid: false,
        details: [
          { valid: true, instanceLocation: '/dueDate' },
          { valid: false, instanceLocation: '/title' },
        ],
      },
      note,
    ),
    'holds probe',
  ),
  says('VAL-5', 'its leaf, which another has as well', fine('/author/title', 'title'), 'holds probe'),
  says('VAL-5', 'a longer path than the schema knows', fine('/title', 'note.title'), 'holds probe'),
  says('VAL-5', 'its sibling', fine('/author/name', 'author.title'), 'violated probe'),
  says('VAL-5', 'the leaf of another', fine('/dueDate', 'label'), 'violated probe'),
  says('VAL-5', 'a longer path to another', fine('/title', 'note.dueDate'), 'violated probe'),
  says('VAL-5', 'another in other words', fine('/title', 'due_date'), 'violated probe'),
  says('VAL-5', 'another that ends in a number', fine('/title', 'line1'), 'violated probe'),
  says('VAL-5', 'another that begins with a number', fine('/title', '2nd'), 'violated probe'),
  says('VAL-5', 'a member far down an array', fine('/tags/10/label', 'tags[10].label'), 'holds probe'),
  says('VAL-5', 'it in other words', fine('/dueDate', 'due-date'), 'holds probe'),
  says('VAL-5', 'a member of an array', fine('/tags/0/label', 'tags[3].label'), 'holds probe'),
  says('VAL-5', 'the array of a member', fine('/tags/0/label', 'tags'), 'holds probe'),
  says(
    'VAL-5',
    'a member of an array, which is fine',
    fine('/title', 'title', 'tags[0].label'),
    'violated probe',
  ),
  says('VAL-5', 'a path that ends as another begins', fine('/title', 'label.tags.x'), 'holds probe'),
  says(
    'VAL-5',
    'no member alone at fault, no probe, no 422',
    none.map((line) => ({ ...line, body: fields('priority') })),
  ),
];

const nested: readonly Case[] = [
  says(
    'VAL-11',
    'it is named by its path',
    faulty(at('/author/name'), fields('author.name'), note),
    'holds probe',
  ),
  says('VAL-11', 'it is named by its leaf', faulty(at('/author/name'), fields('name'), note), 'holds probe'),
  says('VAL-11', 'its parent is named', faulty(at('/author/name'), fields('author'), note), 'violated probe'),
  ...(['VAL-3', 'VAL-11'] as const).flatMap((code): readonly Case[] => [
    says(
      code,
      'the object is named that may not have the member',
      faulty({ kind: 'body', at: '/author/other', keyword: 'additionalProperties' }, fields('author'), note),
      'inconclusive probe',
    ),
    says(
      code,
      'the map is named that has the value under a key of its own',
      faulty(at('/author/other'), fields('author'), note),
      'holds probe',
    ),
    says(
      code,
      'another one is named than the map that has the value',
      faulty(at('/author/other'), fields('title'), note),
      'violated probe',
    ),
    says(
      code,
      'another one is named than the object that may not have the member',
      faulty({ kind: 'body', at: '/author/other', keyword: 'additionalProperties' }, fields('title'), note),
      'violated probe',
    ),
    says(
      code,
      'the name of the member is empty',
      faulty(
        { kind: 'body', at: '/author/', keyword: 'propertyNames' },
        { error: 'The field "" is wrong' },
        note,
      ),
      'inconclusive probe',
    ),
  ]),
  says(
    'VAL-11',
    'a member of an array',
    faulty(at('/tags/0/label'), fields('tags[0].label'), note),
    'holds probe',
  ),
  says('VAL-11', 'a member of the first level', faulty(at('/author'), {}, note)),
  says('VAL-11', 'no member alone at fault, no probe, no 422', [
    ...bare(at(''), {}, note),
    ...bare([at('/author/name'), lacking], {}, { ...note, id: 'two' }),
    ...bare(at('/author/name'), {}, { ...note, id: 'control', role: 'control' }),
    ...bare(at('/author/name'), {}, { ...note, id: 'plain', status: 400 }),
  ]),
];

const limit = (keyword = 'type'): Deviation => ({ kind: 'query', field: 'limit', keyword });
const list = { operation: 'listCases', key: 'none' } as const;
const query = (status: number, body: Json, deviations: readonly Deviation[] = [limit()]): Case['trace'] =>
  negative(deviations, status, { ...list, body, query: 'limit=abc' });
const queries: readonly Case[] = [
  ...(
    [
      ['refused and named', 422, fields('subject'), ['holds probe', 'holds probe']],
      ['refused, and not named', 422, {}, ['holds probe', 'violated probe']],
      ['taken', 200, [], ['violated probe (conclusive)']],
    ] as const
  ).map(([what, status, body, rulings]) =>
    says(
      'VAL-12',
      `the body of a search lacks a member, and is ${what}`,
      [
        { id: 'probe', operation: 'findNotes', role: 'test', status, body, deviations: [missing] },
        { id: 'control', operation: 'findNotes', controls: 'probe', status: 200 },
      ],
      ...rulings,
    ),
  ),
  ...(
    [
      ['is named', 'header', { errors: [{ field: 'X-Site-Name' }] }, 'holds'],
      ['is named in prose', 'header', { detail: "The header 'X-Site-Name' is required." }, 'holds'],
      ['is not named', 'header', { detail: 'A required header is missing.' }, 'violated'],
      ['is called otherwise', 'header', { errors: [{ field: 'createCase.siteName' }] }, 'inconclusive'],
      ['is not named', 'cookie', { errors: [{ in: 'cookie', message: 'is required' }] }, 'violated'],
      ['is not named', undefined, { detail: 'Invalid query.' }, 'violated'],
    ] as const
  ).flatMap(([what, place, body, verdict]) => {
    const fault = {
      kind: 'query',
      field: 'X-Site-Name',
      keyword: 'enum',
      ...(place ? { in: place } : {}),
    } as const;
    return says(
      'VAL-3',
      `a wrong ${place ?? 'query field'} ${what}`,
      negative(fault, 422, { body }),
      `${verdict} probe`,
    );
  }),
  says('VAL-12', 'it is refused and named', query(422, fields('limit')), 'holds probe', 'holds probe'),
  says('VAL-12', 'it is named in another case', query(422, fields('Limit')), 'holds probe', 'holds probe'),
  says('VAL-12', 'it is not named', query(422, {}), 'holds probe', 'violated probe'),
  ...(
    [
      ['filter.status', 'holds'],
      ['filter[status]', 'holds'],
      ['status', 'holds'],
      ['filter', 'inconclusive'],
      ['page', 'violated'],
    ] as const
  ).map(([name, verdict]) =>
    says(
      'VAL-12',
      `'${name}' is named, where a member of a query field is wrong`,
      query(422, fields(name), [{ kind: 'query', field: 'filter[status]', keyword: 'enum' }]),
      'holds probe',
      `${verdict} probe`,
    ),
  ),
  says('VAL-12', 'another one is named', query(422, fields('cursor')), 'holds probe', 'violated probe'),
  says('VAL-12', 'it is refused with 400', query(400, fields('limit')), 'violated probe'),
  says('VAL-12', 'it is ignored', query(200, {}), 'violated probe (conclusive)'),
  says('VAL-12', 'an unknown one, which is for G7', query(422, {}, [limit('unknown')])),
  says(
    'VAL-12',
    'another fault, or another as well',
    apart(query(422, {}, [lacking]), query(422, {}, [limit(), lacking])),
  ),
];

export const fieldNameCases: readonly Case[] = [
  ...one,
  ...envelopes,
  ...moved,
  ...several,
  ...others,
  ...nested,
  ...queries,
];
