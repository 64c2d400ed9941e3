import { expect, test } from 'vitest';
import type { JsonObject } from '../src/model/json.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { linkTo, operation } from '../src/selftest/shapes/document.ts';
import { contractOf } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import duplicateKeys from './duplicate-keys.ts';
import otherTargets from './other-targets.ts';

/** A claim in an envelope: `result` is the schema of what the submission of one returns. */
async function readsAround(result: JsonObject, effect: JsonObject): Promise<readonly string[]> {
  const at = '/data/claim';
  const claim = { name: 'claim', in: 'path', required: true, schema: { type: 'integer' } };
  const contract = await contractOf(
    operation('POST /claims', 'createClaim', {
      result: { properties: { data: { properties: { claim: true } } } },
      links: { ...linkTo('getClaim', 'claim', at), ...linkTo('submitClaim', 'claim', at) },
    }),
    operation('GET /claims/{claim}', 'getClaim', { parameters: [claim], result: true }),
    operation('POST /claims/{claim}/submit', 'submitClaim', {
      governed: { effect },
      parameters: [claim],
      status: '200',
      result,
    }),
  );
  const steps = planned(otherTargets, contract).steps();
  return steps.flatMap(({ id, role }) => (role === 'readback' ? [id] : []));
}

test('a target is read before and after the command and after its control, whatever the result has as an ID', async () => {
  const enveloped = { properties: { data: { properties: { claim: { type: 'integer' } } } } };
  const plain = { properties: { id: { type: 'integer' } } };
  const all = ['before', 'before-again', 'after', 'later'];
  expect(await readsAround(enveloped, { read: 'getClaim' })).toEqual(all);
  expect(await readsAround(enveloped, { read: 'getClaim', id: '/data/claim' })).toEqual(all);
  expect(await readsAround(plain, { read: 'getClaim' })).toEqual(all);
});

/** The places of the requests for a PUT on a record whose name the client gives. */
async function placed(targets?: readonly Readonly<Record<string, string>>[]) {
  const contract = await contractOf(
    operation('PUT /payees/{name}', 'putPayee', {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      status: '200',
      result: true,
    }),
  );
  const given = targets === undefined ? {} : { targets: new Map([['putPayee', { ids: targets }]]) };
  return planned(otherTargets, contract, given)
    .steps()
    .filter(({ id }) => ['first', 'elsewhere'].includes(id))
    .map(({ target }) => target?.['name']);
}

test('two targets of the configuration are two targets', async () => {
  expect(await placed([{ name: 'one' }, { name: 'two' }])).toEqual([{ literal: 'one' }, { literal: 'two' }]);
  expect(await placed([{ name: 'one' }])).toEqual([]);
});

test('a body that names another record is another request under its key', async () => {
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const contract = await contractOf(
    operation('POST /payments', 'pay', { result: made }),
    operation('GET /payments/{paymentId}', 'getPayment', { result: made }),
    operation('POST /refunds', 'refund', {
      body: {
        type: 'object',
        required: ['paymentId', 'reason'],
        properties: { paymentId: { type: 'string' }, reason: { type: 'string' } },
      },
      result: made,
    }),
  );
  const steps = planned(otherTargets, contract).steps({ operation: 'refund' });
  const [one, other] = ['make-paymentId', 'other-make-paymentId'].map((step) => ({
    paymentId: { step, at: '/id' },
  }));
  expect(
    steps
      .filter(({ operation: id }) => id === 'refund')
      .map(({ body, deviations, id, target }) => [id, target, body, deviations]),
  ).toEqual([
    ['first', one, { use: 'named', name: 'body' }, []],
    [
      'elsewhere',
      other,
      { use: 'named', name: 'body' },
      [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
    ],
    [
      'original',
      one,
      { use: 'named', name: 'body' },
      [{ kind: 'key-reuse', of: 'first', difference: 'none' }],
    ],
    ['control', other, { use: 'named', name: 'control' }, []],
  ]);
  // The record that a refused command names stays as it was.
  expect(
    steps.flatMap(({ observes, operation: id, target }) => (observes ? [[observes, id, target]] : [])),
  ).toEqual(['before', 'before', 'after', 'later'].map((observes) => [observes, 'getPayment', other]));
});

test('a used key comes with another record of the same parent as well, which a key bound to the parent does not tell apart', async () => {
  const within = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const made = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const contract = await contractOf(
    operation('POST /groups', 'createGroup', {
      result: made,
      links: { ...linkTo('addMember', 'groupId'), ...linkTo('muteMember', 'groupId') },
    }),
    operation('POST /groups/{groupId}/members', 'addMember', {
      parameters: [within('groupId')],
      result: made,
      links: linkTo('muteMember', 'memberId'),
    }),
    operation('POST /groups/{groupId}/members/{memberId}/mute', 'muteMember', {
      parameters: [within('groupId'), within('memberId')],
      status: '200',
      result: made,
    }),
  );
  const scenarios = planned(otherTargets, contract).scenarios({ operation: 'muteMember' });
  const targets = scenarios.map(({ waves }) =>
    stepsOf(waves).flatMap(({ id, target }) => (['first', 'elsewhere'].includes(id) ? [target] : [])),
  );
  expect(targets).toHaveLength(2);
  const [first, elsewhere] = targets[1] ?? [];
  expect(elsewhere?.['groupId']).toEqual(first?.['groupId']);
  expect(elsewhere?.['memberId']).not.toEqual(first?.['memberId']);
  const makers = stepsOf(scenarios[1]?.waves ?? []).map(({ operation: id }) => id);
  expect(makers.filter((id) => id === 'createGroup')).toHaveLength(1);
  // A record of the first level has no parent to share.
  expect(planned(otherTargets, contract).scenarios({ operation: 'addMember' })).toHaveLength(1);
});

test('where a body names nothing but a record, only what needs another body at once cannot be tested', async () => {
  const id = { type: 'string' };
  const skipped = async (members: JsonObject): Promise<readonly string[]> => {
    const contract = await contractOf(
      operation('POST /channels.create', 'create', {
        result: { properties: { id } },
        links: { archive: { operationId: 'archive', requestBody: { channel: '$response.body#/id' } } },
      }),
      operation('POST /channels.archive', 'archive', {
        body: { type: 'object', required: Object.keys(members), properties: members },
      }),
    );
    const { skips } = planned(duplicateKeys, contract);
    return skips
      .filter(({ operation: of }) => of === 'archive')
      .flatMap(({ clauses }) => clauses)
      .filter((code) => ['IDM-6', 'IDM-7', 'IDM-9'].includes(code));
  };
  expect(await skipped({ channel: id })).toEqual(['IDM-9']);
  expect(await skipped({ room: { type: 'string', maxLength: 0 } })).toEqual(['IDM-6', 'IDM-7', 'IDM-9']);
});
