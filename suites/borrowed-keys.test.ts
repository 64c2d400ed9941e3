import { expect, test } from 'vitest';
import type { JsonObject } from '../src/model/json.ts';
import { type Step, stepsOf } from '../src/model/scenario.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import { contractOf, contractOfShape, made } from '../src/testing/contracts.ts';
import { holder, planned } from '../src/testing/plans.ts';
import borrowedKeys from './borrowed-keys.ts';

test('another body under a borrowed key is sent under a new key as well', async () => {
  const gross = { type: 'integer', minimum: 1, maximum: 9 };
  const contract = await contractOf(
    operation('POST /weighings', 'weigh', {
      body: object({ gross }, ['gross'], { additionalProperties: false }),
      result: made,
    }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'elsewhere', { scope: 'b' })];
  const plan = planned(borrowedKeys, contract, { principals, examples: [{ gross: 4 }, { gross: 7 }] });
  const sent = plan
    .scenarios({ probe: 'callers' })
    .map(({ bodies, waves }) =>
      stepsOf(waves).map(({ body, id }) => [id, body.use === 'named' ? bodies[body.name]?.value : undefined]),
    );
  expect(sent).toEqual([
    [
      ['first', { gross: 4 }],
      ['other', { gross: 4 }],
      ['control', { gross: 4 }],
    ],
    [
      ['first', { gross: 4 }],
      ['other', { gross: 7 }],
      ['control', { gross: 7 }],
    ],
  ]);
});

test('the other caller reads what there is but one of in its scope, until its command came under a new key', async () => {
  const contract = await contractOf(
    operation('PUT /settings', 'putSettings', { body: object({ note: { type: 'string', minLength: 1 } }) }),
    operation('GET /settings', 'getSettings', { result: true }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'elsewhere', { scope: 'b' })];
  const sent = planned(borrowedKeys, contract, { principals })
    .scenarios({ operation: 'putSettings' })
    .map(({ waves }) => stepsOf(waves).map(({ as, id }) => `${id} ${as}`));
  const once = [
    'first all',
    'before elsewhere',
    'before-again elsewhere',
    'other elsewhere',
    'after elsewhere',
    'control elsewhere',
    'later elsewhere',
  ];
  expect(sent).toEqual([once, once]);
});

test('a version is read by its sender, in each scenario that sends one', async () => {
  const contract = await contractOfShape('singleton-version');
  const principals = [holder(contract, 'all'), holder(contract, 'elsewhere', { scope: 'b' })];
  const versioned = planned(borrowedKeys, contract, { principals })
    .scenarios({ operation: 'putSettings' })
    .flatMap(({ waves }) => {
      const steps = stepsOf(waves);
      return steps.flatMap(({ as, version }) => {
        if (version?.use !== 'of' || !('step' in version.ref)) return [];
        const { step } = version.ref;
        return [[as, steps.find(({ id }) => id === step)?.as]];
      });
    });
  expect(versioned.length).toBeGreaterThan(0);
  for (const [sender, reader] of versioned) expect(reader).toBe(sender);
});

test.each([
  [{ type: 'string' }, ['first', 'other', 'own-result', 'first-result', 'control']],
  [{ type: 'integer' }, ['first', 'other', 'own-result', 'first-result', 'control']],
  [{ type: 'string', format: 'uuid' }, ['first', 'other', 'control']],
  [{ type: 'string', pattern: '^case_' }, ['first', 'other', 'control']],
])('where ids may be counted, %j, both callers read what their results name', async (id, steps) => {
  const contract = await contractOf(
    operation('POST /accounts', 'openAccount', {
      body: object({ holder: { const: 'Ada' } }, ['holder'], { additionalProperties: false }),
      result: object({ id }, ['id']),
      links: linkTo('getAccount', 'account'),
      governed: { effect: { read: 'getAccount', id: '/id' } },
    }),
    operation('GET /accounts/{account}', 'getAccount', { result: true }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'elsewhere', { scope: 'b' })];
  const [scenario] = planned(borrowedKeys, contract, { principals }).scenarios({ probe: 'callers' });
  expect(stepsOf(scenario?.waves ?? []).map((step) => step.id)).toEqual(steps);
});

test('what lacks a second record asks for that, not for another caller', async () => {
  const contract = await contractOf(
    operation('POST /boards/{board}/order', 'orderCards', { body: object({ note: { type: 'string' } }) }),
    operation('POST /notes', 'addNote', { result: made }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'second')];
  const targets = new Map([['orderCards', { ids: [{ board: 'b-1' }] }]]);
  const { skips } = planned(borrowedKeys, contract, { principals, targets });
  const own = skips.filter((one) => one.operation === 'orderCards');
  expect(own.map(({ clauses, need }) => [clauses.join(' '), need.kind])).toEqual([
    ['IDM-12', 'target'],
    ['IDM-13', 'target'],
  ]);
});

test('a caller of another scope sends the whole request too, which refers to a record that it cannot read', async () => {
  const contract = await contractOf(
    operation('POST /boats', 'addBoat', { result: made }),
    operation('GET /boats/{boatId}', 'getBoat', { result: made }),
    operation('POST /contracts', 'draft', {
      body: object({ boatId: { type: 'string' }, holder: { type: 'string' } }, ['boatId', 'holder']),
      result: made,
    }),
  );
  const principals = [
    holder(contract, 'all'),
    holder(contract, 'peer'),
    holder(contract, 'elsewhere', { scope: 'b' }),
  ];
  const sent = planned(borrowedKeys, contract, { principals })
    .scenarios({ operation: 'draft', probe: 'callers' })
    .map(({ waves }) =>
      stepsOf(waves).map(({ as, deviations, id, key, target }) => [
        id,
        as,
        key.use === 'named' && key.name,
        target?.['boatId'],
        deviations.map(({ kind }) => kind),
      ]),
    )
    .at(-1);
  const boat = { step: 'make-boatId', at: '/id' };
  expect(sent?.slice(1)).toEqual([
    ['first', 'all', 'key', boat, []],
    ['afar', 'elsewhere', 'key', boat, ['reference', 'key-reuse']],
  ]);
});

test('both callers read the number of a record that another scope may have as well', async () => {
  const counted = object({ id: { type: 'integer' } }, ['id']);
  const contract = await contractOf(
    operation('POST /boats', 'addBoat', { result: counted, links: linkTo('getBoat', 'boatId') }),
    operation('GET /boats/{boatId}', 'getBoat', { result: counted }),
    operation('POST /boats/{boatId}/moor', 'moorBoat', {
      body: object({ note: { type: 'string' } }),
      result: counted,
    }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'elsewhere', { scope: 'b' })];
  const sent = planned(borrowedKeys, contract, { principals })
    .scenarios({ operation: 'moorBoat', probe: 'callers' })
    .flatMap(({ waves }) => stepsOf(waves).map(({ as, id, target }) => [id, as, target?.['boatId']]));
  const boat = { step: 'make-boatId', at: '/id' };
  const from = sent.findIndex(([id]) => id === 'afar');
  expect(sent.slice(from, from + 3)).toEqual([
    ['afar', 'elsewhere', boat],
    ['from-afar', 'elsewhere', boat],
    ['from-near', 'all', boat],
  ]);
});

test.each<[string, JsonObject, number]>([
  ['takes it', {}, 1],
  ['requires another member', { required: ['note', 'due'] }, 0],
  ['takes none of its members', object({ text: { type: 'string' } }, ['text']), 0],
])('the key goes to another command with the same body if that one %s', async (_, more, count) => {
  const closed = { additionalProperties: false };
  const due = { due: { type: 'string', minLength: 1 } };
  const body = object({ note: { type: 'string', minLength: 1 } }, ['note'], closed);
  const contract = await contractOf(
    operation('POST /memos', 'addMemo', { body, result: made }),
    operation('POST /letters', 'addLetter', {
      body: object({ note: { type: 'string', minLength: 1 }, ...due }, ['note'], { ...closed, ...more }),
      result: made,
    }),
  );
  const sent = planned(borrowedKeys, contract, { principals: [holder(contract, 'all')] })
    .scenarios({ operation: 'addLetter', probe: 'operations' })
    .map(({ bodies, waves }) => ({ bodies, steps: stepsOf(waves) }));
  const same = sent.filter(({ steps: [first, other] }) => nameOf(first) === nameOf(other));
  expect(sent).toHaveLength(1 + count);
  expect(same).toHaveLength(count);
  for (const { bodies, steps } of same) {
    expect(steps.map(({ id }) => id)).toEqual(['first', 'other', 'control']);
    expect(bodies['control']).toEqual(bodies['body']);
  }
});

function nameOf(step: Step | undefined): string | undefined {
  return step?.body.use === 'named' ? step.body.name : undefined;
}
