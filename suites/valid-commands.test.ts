import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Budget } from '../src/model/configured.ts';
import type { Contract } from '../src/model/contract.ts';
import { type Json, type JsonObject, type JsonSchema, valueAt } from '../src/model/json.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { linkTo, notes, object, operation } from '../src/selftest/shapes/document.ts';
import { contractOf, extendedContract, withOperation } from '../src/testing/contracts.ts';
import { editedTo, planned } from '../src/testing/plans.ts';
import validCommands from './valid-commands.ts';

/** What is proposed where a text may have so many characters. */
async function proposed(maxLength: number, budget: Budget) {
  const body = object({ note: { type: 'string', minLength: 1, maxLength } });
  return planned(validCommands, await contractOf(operation('POST /notes', 'addNote', { body })), { budget });
}

/** The free texts that are sent then. */
async function textsFor(maxLength: number): Promise<readonly Json[]> {
  return (await proposed(maxLength, 'standard')).probes().flatMap(({ id, random, scenarios }) => {
    if (!['free-text', 'other-texts'].includes(id)) return [];
    const drawn = random === undefined ? [] : fc.sample(random.arbitrary, { seed: 1, numRuns: 200 });
    return [...scenarios, ...drawn].flatMap(({ bodies }) =>
      Object.values(bodies).flatMap((body) => valueAt(body.value, '/note') ?? []),
    );
  });
}

test.each([[40], [60], [100]])(
  'of %i characters at most: no text is longer with its marker',
  async (most) => {
    const texts = await textsFor(most);
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => String(text).length > most - 21)).toEqual([]);
  },
);

test('quotes, backslashes, emoji and the longest text that is declared are among them', async () => {
  const texts = (await textsFor(100)).map(String);
  for (const wanted of [/'/, /"/, /\\/, /\p{Extended_Pictographic}/u, /^\u0436{79}$/])
    expect(texts.some((text) => wanted.test(text))).toBe(true);
});

test('with the quick budget one text has several scripts, one of them from right to left', async () => {
  const texts = (await proposed(40, 'quick'))
    .probes()
    .flatMap(({ scenarios }) => scenarios)
    .flatMap(({ bodies }) => Object.values(bodies).map((body) => String(valueAt(body.value, '/note'))));
  expect(texts.filter((text) => /\p{Script=Hebrew}/u.test(text))).toEqual(['Größé 客户 שלום عميل']);
});

test('a text without room for the marker is no longer than it may be', async () => {
  const texts = await textsFor(8);
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((text) => String(text).length > 8)).toEqual([]);
});

test('with the quick budget every form of a request ID is sent, and a trace, with one control for all', async () => {
  const plan = await proposed(100, 'quick');
  const headers = ['foreign-request-id', 'odd-headers'].flatMap((probe) =>
    plan.scenarios({ probe }).map(({ waves }) => stepsOf(waves).map((step) => step.headers?.[0] ?? [])),
  );
  expect(headers.map((all) => all.map(([name = 'control']) => name))).toEqual([
    ['X-Request-Id', 'X-Request-Id', 'X-Request-Id', 'X-Request-Id', 'control'],
    // What refuses a request may not be what gives the others their IDs.
    ['X-Request-Id', 'control', 'control'],
    ['X-Request-Id', 'control', 'control'],
    ['X-Request-Id', 'control'],
    ['X-Assay-Noise', 'X-Forwarded-For', 'Accept-Language', 'traceparent', 'control'],
  ]);
  expect(headers[0]?.flatMap(([, value = '']) => value)).toContainEqual(
    expect.stringMatching(/^[0-9a-f]{32}$/),
  );
});

test('a record is left alone before a command, and after one, as long as a key waits to be sent again', async () => {
  const plan = planned(validCommands, await extendedContract());
  const said = plan
    .scenarios({ operation: 'closeCase', probe: 'left-alone' })
    .map(({ waves }) =>
      waves.flatMap((wave): readonly unknown[] =>
        'steps' in wave ? wave.steps.map(({ id }) => id) : 'wait' in wave ? [wave.wait] : [],
      ),
    );
  const alone = ['settle', 'before', 8000, 'before-again'];
  expect(said.map((all) => all.slice(-5))).toEqual([
    [...alone, 'command'],
    ['command', ...alone],
  ]);
});

test('what all scenarios share is left alone once, after the command', async () => {
  const shown = { type: 'object', properties: { motto: { type: 'string' } } };
  const plan = planned(
    validCommands,
    await contractOf(
      operation('PUT /settings', 'putSettings', { body: shown, result: shown }),
      operation('GET /settings', 'getSettings', { result: shown }),
    ),
  );
  const said = plan.scenarios({ operation: 'putSettings', probe: 'left-alone' }).map(({ title }) => title);
  expect(said).toEqual(['the command, and the record left alone']);
});

test('a record may already be as the plain body asks: another value is sent too, whether there is a marker or not', async () => {
  const to = { enum: ['open', 'done'] };
  const sent = async (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]) => {
    const contract = withOperation(await extendedContract(), 'closeCase', {
      body: {
        mediaType: 'application/json',
        required: true,
        schema: { type: 'object', properties, required },
      },
    });
    return planned(validCommands, contract)
      .scenarios({ operation: 'closeCase', probe: 'plain' })
      .filter(({ title }) => !title.includes('one of two'))
      .map(({ bodies }) => valueAt(bodies.body?.value ?? null, '/to'));
  };
  expect(await sent({ to }, ['to'])).toEqual(['open', 'done']);
  expect(await sent({ to, comment: { type: 'string' } }, ['to', 'comment'])).toEqual(['open', 'done']);
  expect(await sent({ comment: { type: 'string' } }, ['comment'])).toHaveLength(1);
});

test('where nothing marks what a change writes, all its members are set twice, each to another value', async () => {
  const bodies = async (properties: Readonly<Record<string, JsonSchema>>, method: 'PUT' | 'POST' = 'PUT') => {
    const contract = withOperation(await extendedContract(), 'closeCase', {
      method,
      body: { mediaType: 'application/json', required: true, schema: { type: 'object', properties } },
    });
    return planned(validCommands, contract)
      .scenarios({ operation: 'closeCase', probe: 'plain' })
      .filter(({ title }) => title === 'two valid commands that set every member otherwise')
      .map(({ bodies }) => [bodies['first']?.value, bodies['body']?.value]);
  };
  const to = { enum: ['open', 'done'] };
  const [pair] = await bodies({ to, loud: { type: 'boolean' }, copies: { type: 'integer', minimum: 0 } });
  for (const name of ['/to', '/loud', '/copies']) {
    const [one, other] = (pair ?? []).map((body) => valueAt(body ?? null, name));
    expect([one, other]).not.toContain(undefined);
    expect(one).not.toEqual(other);
  }
  expect(await bodies({ to: { const: 'open' } })).toEqual([]);
  expect(await bodies({ to }, 'POST')).toEqual([]);
  expect(await bodies({ to, comment: { type: 'string' } })).toHaveLength(0);
});

test('a body of codes and choices alone has no free text to try', async () => {
  const body = object(
    { carrier: { enum: ['dhl', 'ups'] }, code: { type: 'string', pattern: '^[A-Z]{2}[0-9]{9}$' } },
    ['carrier'],
  );
  const { skips } = planned(
    validCommands,
    await contractOf(operation('POST /parcels', 'addParcel', { body })),
  );
  expect(
    skips
      .filter(({ clauses }) => clauses.includes('VAL-15'))
      .map(({ clauses, need }) => [clauses, need.kind]),
  ).toEqual([[['VAL-15'], 'inapplicable']]);
});

test('a text with U+0000 is sent, which may be refused', async () => {
  const nul = (await proposed(100, 'quick')).scenarios({ probe: 'free-text' }).flatMap(({ bodies, waves }) =>
    stepsOf(waves).flatMap(({ body, deviations }) => {
      const sent = body.use === 'named' ? valueAt(bodies[body.name]?.value ?? null, '/note') : undefined;
      return String(sent).includes('\u0000') ? [deviations] : [];
    }),
  );
  expect(nul).toEqual([[{ kind: 'text-noise', at: '/note', refusable: true }]]);
});

/** The texts that are sent in place of plain ones, at the quick budget. */
function otherTexts(contract: Contract) {
  return planned(validCommands, contract, { budget: 'quick' })
    .scenarios({ probe: 'other-texts' })
    .flatMap(({ bodies, waves }) =>
      stepsOf(waves).flatMap(({ body: of, deviations: [one] }) => {
        if (of.use !== 'named' || one?.kind !== 'text-noise') return [];
        const body = bodies[of.name];
        const text = String(valueAt(body?.value ?? null, one.at));
        return [{ at: one.at, marker: body?.marker, refusable: one.refusable === true, text }];
      }),
    );
}

test('line breaks are sent within lists and objects, and may be refused where the text may be a label', async () => {
  const text = { type: 'string', minLength: 1, maxLength: 60 };
  const line = object({ note: text, label: text, code: { ...text, pattern: '^.+$' } }, [
    'note',
    'label',
    'code',
  ]);
  const body = object({ subject: { type: 'string' }, lines: { type: 'array', minItems: 1, items: line } }, [
    'subject',
    'lines',
  ]);
  const contract = await contractOf(operation('POST /orders', 'order', { body }));
  const sent = otherTexts(contract).flatMap(({ at, refusable, text }) =>
    text.includes('\n') ? [[at, refusable]] : [],
  );
  expect(sent).toEqual([
    ['/subject', true],
    ['/lines/0/note', false],
    ['/lines/0/label', true],
  ]);
});

test('the word null is a text of its own, and has no marker behind it', async () => {
  const text = { type: 'string', minLength: 1 };
  const body = object({ subject: text, details: object({ note: text }) }, ['subject', 'details']);
  const contract = await contractOf(operation('POST /notes', 'addNote', { body }));
  const sent = otherTexts(contract).flatMap(({ at, marker, refusable, text }) =>
    text === 'null' ? [[at, refusable, marker]] : [],
  );
  expect(sent).toEqual([
    ['/subject', false, undefined],
    ['/details/note', false, '/subject'],
  ]);
});

test('of several records that one command makes, three are asked for, or as many as it may make; each has the marker', async () => {
  const asked = async (
    id: string,
    more: Readonly<Record<string, Json>>,
    body = (list: JsonObject): JsonSchema => object({ batch: { type: 'string' }, notes: list }),
  ) => {
    const list = { type: 'array', items: object({ title: { type: 'string' } }), minItems: 1, ...more };
    const contract = await contractOf(
      operation('POST /notes', 'addNotes', {
        governed: { effect: { list: 'listNotes', id } },
        body: body(list),
      }),
      operation('GET /notes', 'listNotes'),
    );
    return planned(validCommands, contract)
      .scenarios({ probe: 'several-records', operation: 'addNotes' })
      .flatMap(({ bodies, waves }) =>
        stepsOf(waves).map((step) => [bodies['body']?.marker, editedTo(step.body)]),
      );
  };
  const mark = '$' + '{marker}';
  const titles = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `Conformance ${index + 1} ${mark}` }));
  expect(await asked('/notes/0/id', {})).toEqual([['/notes/0/title', titles(3)]]);
  expect(await asked('/notes/0/id', { maxItems: 2 })).toEqual([['/notes/0/title', titles(2)]]);
  expect(await asked('/0/id', {}, (list) => list)).toEqual([['/0/title', titles(3)]]);
  // Two that are made one by one have the rest in common.
  const items = object({ title: { type: 'string' }, tone: { enum: ['low'] } }, ['title', 'tone']);
  expect(await asked('/notes/0/id', { items })).toHaveLength(3);
  expect(await asked('/notes/0/id', { maxItems: 1 })).toEqual([]);
  expect(await asked('/notes/0/id', { minItems: 0 })).toEqual([]);
  expect(await asked('/id', {})).toEqual([]);
});

test('each of several records that one command makes is read by the ID that the result names', async () => {
  const contract = await contractOf(
    operation('POST /notes/batch', 'addNotes', {
      governed: { effect: { read: 'getNote', list: 'listNotes', id: '/notes/0/id' } },
      body: object({
        notes: { type: 'array', items: object({ title: { type: 'string' } }), minItems: 1 },
      }),
      links: { getNote: { operationId: 'getNote', parameters: { note: '$response.body#/notes/0/id' } } },
      result: object({ notes: { type: 'array', items: object({ id: { type: 'string' } }) } }),
    }),
    operation('GET /notes', 'listNotes'),
    operation('GET /notes/{note}', 'getNote', { result: true }),
  );
  const steps = planned(validCommands, contract).steps({ probe: 'several-records', operation: 'addNotes' });
  expect(steps.filter(({ operation: of }) => of === 'getNote').map(({ target }) => target?.['note'])).toEqual(
    [0, 1, 2].map((nth) => ({ step: 'command', at: `/notes/${nth}/id` })),
  );
});

test('none of several records is read as the record that they are added to, unless it is of their kind', async () => {
  const entry = object({ id: { type: 'string' }, memo: { type: 'string' } });
  const reads = async (made: JsonSchema): Promise<readonly string[]> => {
    const contract = await contractOf(
      operation('POST /periods', 'open', { result: true, links: linkTo('add', 'period', '/id') }),
      operation('GET /periods/{period}', 'getPeriod', { result: object({ id: { type: 'string' } }) }),
      operation('POST /periods/{period}/entries:batch', 'add', {
        governed: { effect: { read: 'getPeriod', list: 'listEntries', id: '/entries/0/id' } },
        body: object({
          entries: { type: 'array', items: object({ memo: { type: 'string' } }), minItems: 1 },
        }),
        result: object({ entries: { type: 'array', items: made } }),
      }),
      operation('GET /entries', 'listEntries'),
    );
    return planned(validCommands, contract)
      .steps({ probe: 'several-records', operation: 'add' })
      .flatMap(({ id, operation: of }) => (of === 'getPeriod' && id.startsWith('made-') ? [id] : []));
  };
  expect(await reads(entry)).toEqual([]);
  expect(await reads(object({ id: { type: 'string' } }))).toEqual(['made-1', 'made-2', 'made-3']);
});

test('a request ID of the client comes with refusals of every class, each with a body of its own', async () => {
  const contract = await extendedContract();
  const refused = (operation: string) =>
    planned(validCommands, contract)
      .steps({ probe: 'foreign-request-id', operation })
      .filter(({ deviations }) => deviations.length > 1);
  const kinds = (operation: string): readonly unknown[] =>
    refused(operation).map(({ deviations }) => deviations.map(({ kind }) => kind));
  const noisy = (...all: readonly string[]) => all.map((kind) => ['header-noise', kind]);
  expect(kinds('createCase')).toEqual(noisy('credential', 'body', 'body-syntax'));
  expect(kinds('closeCase')).toEqual(noisy('credential', 'body', 'body-syntax', 'target'));
  const names = refused('createCase').map(({ body }) => 'name' in body && body.name);
  expect(new Set(names).size).toBe(names.length);
});

test('a public command is never refused for want of a credential', async () => {
  const contract = await contractOf(operation('POST /notes', 'addNote', { more: { security: [] } }));
  const steps = planned(validCommands, contract).steps({ probe: 'foreign-request-id' });
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter(({ token }) => token === 'absent')).toEqual([]);
});

test.each([
  ['PATCH', ['command after', 'less later']],
  ['PUT', ['command after']],
])('%s of a record behind one that sets more of it', async (method, expected) => {
  const body = object({ title: { type: 'string' }, tone: { enum: ['low', 'high'] } }, ['title']);
  const change = operation(`${method} /notes/{noteId}`, 'changeNote', {
    body,
    governed: { effect: { read: 'getNote' } },
  });
  const contract = await contractOf(...notes({ links: linkTo('changeNote', 'noteId') }), change);
  const { waves = [] } =
    planned(validCommands, contract)
      .scenarios({ probe: 'any-valid-body', operation: 'changeNote' })
      .find(({ bodies }) => valueAt(bodies['body']?.value, '/tone') !== undefined) ?? {};
  const steps = stepsOf(waves).filter(
    ({ operation, role }) => operation !== 'createNote' && role !== 'setup',
  );
  const names = steps.flatMap(({ id, observes }) => [observes ?? id]).join(' ');
  for (const one of expected) expect(names).toContain(one);
  expect(names.includes('less')).toBe(method === 'PATCH');
});

test('what may be null is set, and then set to null, with a read on each side', async () => {
  const nullable = { type: ['string', 'null'], maxLength: 40 };
  const changing = async (properties: JsonObject, method = 'PATCH', mediaType = 'application/json') => {
    const contract = await contractOf(
      operation('POST /notes', 'addNote', {
        body: object({ title: { type: 'string' } }),
        result: object({ id: { type: 'string' } }),
        links: linkTo('getNote', 'noteId'),
      }),
      operation('GET /notes/{noteId}', 'getNote', { result: object({ id: { type: 'string' } }) }),
      operation(`${method} /notes/{noteId}`, 'change', {
        body: object({ title: { type: 'string' }, ...properties }, ['title']),
        governed: { effect: { read: 'getNote' } },
        mediaType,
      }),
    );
    return planned(validCommands, contract)
      .scenarios({ probe: 'plain', operation: 'change' })
      .filter(({ title }) => title.endsWith('and then null'));
  };
  const [found, ...others] = await changing({ remark: nullable, other: nullable });
  expect(others).toEqual([]);
  expect(
    [found?.bodies['first'], found?.bodies['body']].map((body) => valueAt(body?.value, '/remark')),
  ).toEqual(['A passing remark', null]);
  expect(stepsOf(found?.waves ?? []).map(({ id }) => id)).toEqual([
    'make-noteId',
    'first',
    'before',
    'before-again',
    'command',
    'after',
  ]);
  expect(await changing({ remark: nullable }, 'PUT')).toHaveLength(1);
  expect(await changing({ remark: nullable }, 'POST')).toEqual([]);
  expect(await changing({ remark: { type: 'string' } })).toEqual([]);
  expect(await changing({ parentId: nullable })).toEqual([]);
  // A merge patch goes into objects; of other bodies nobody says what null means there.
  const owner = object({ name: { type: 'string' }, home: object({ remark: nullable }, []) }, []);
  const [inner] = await changing({ owner }, 'PATCH', 'application/merge-patch+json');
  expect(
    [inner?.bodies['first'], inner?.bodies['body']].map((body) => valueAt(body?.value, '/owner')),
  ).toEqual([{ home: { remark: 'A passing remark' } }, { home: { remark: null } }]);
  expect(await changing({ owner })).toEqual([]);
  for (const [name, schema] of Object.entries({
    count: { type: ['integer', 'null'], minimum: 1 },
    place: { anyOf: [object({ town: { type: 'string', minLength: 1 } }, ['town']), { type: 'null' }] },
    marks: { type: ['array', 'null'], items: { type: 'string' }, minItems: 1 },
  })) {
    const [other, ...more] = await changing({ [name]: schema });
    expect([other?.title, more.length]).toEqual([`a value at /${name}, and then null`, 0]);
    const [first, second] = [other?.bodies['first'], other?.bodies['body']].map((body) =>
      valueAt(body?.value, `/${name}`),
    );
    expect(first).toBeTruthy();
    expect(second).toBeNull();
    expect(await changing({ remark: nullable, [name]: schema })).toHaveLength(2);
  }
  expect(await changing({ flag: { type: ['boolean', 'null'] } })).toEqual([]);
  expect(await changing({ count: { type: 'integer' } })).toEqual([]);
});

test('of a record that one PUT after another replaces, a later text is read when the settling time is over', async () => {
  const record = object({ name: { type: 'string' }, phone: { type: 'string' } }, ['name', 'phone']);
  const contract = await contractOf(
    operation('PUT /carriers/{code}', 'putCarrier', {
      body: record,
      governed: { effect: { read: 'getCarrier' } },
    }),
    operation('GET /carriers/{code}', 'getCarrier', { result: record }),
  );
  const reads = planned(validCommands, contract)
    .scenarios({ probe: 'other-texts' })
    .filter(({ title }) => title === 'texts at /phone')
    .flatMap(({ waves }) => waves.flatMap((wave) => ('waves' in wave ? [wave.waves.map(Object.keys)] : [])));
  expect(reads).toEqual([[['poll', 'until', 'max']], [['steps']], [['wait'], ['steps']]]);
});

test('a text outside ASCII, and a long one, are sent again under their keys', async () => {
  const body = object({ subject: { type: 'string' }, note: { type: 'string', maxLength: 2000 } }, [
    'subject',
    'note',
  ]);
  const contract = await contractOf(operation('POST /notes', 'addNote', { body }));
  const [one] = planned(validCommands, contract)
    .scenarios({ probe: 'other-texts' })
    .filter(({ title }) => title === 'texts at /note');
  const again = stepsOf(one?.waves ?? []).flatMap(({ body: of, deviations: [reused], key }) =>
    of.use === 'named' && reused?.kind === 'key-reuse'
      ? [[reused.of, key, String(valueAt(one?.bodies[of.name]?.value ?? null, '/note')).length]]
      : [],
  );
  expect(again).toEqual([
    ['text-1', { use: 'named', name: 'text-1' }, 13],
    ['text-4', { use: 'named', name: 'text-4' }, 2000],
  ]);
});

test('a text within a list is sent in a list, also where only another kind of body has it', async () => {
  const text = { type: 'string', minLength: 1 };
  const theft = {
    properties: { kind: { const: 'theft' }, things: { type: 'array', minItems: 1, items: text } },
  };
  const body = {
    type: 'object',
    required: ['kind', 'note'],
    properties: { note: text },
    oneOf: [{ properties: { kind: { const: 'accident' } } }, { ...theft, required: ['things'] }],
  };
  const contract = await contractOf(operation('POST /claims', 'claim', { body }));
  const lists = planned(validCommands, contract)
    .scenarios({ probe: 'other-texts' })
    .flatMap(({ bodies, title }) =>
      title === 'texts at /things/0'
        ? Object.values(bodies).map(({ value }) => Array.isArray(valueAt(value, '/things')))
        : [],
    );
  expect(lists.length).toBeGreaterThan(3);
  expect(new Set(lists)).toEqual(new Set([true]));
});
