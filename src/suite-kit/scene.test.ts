import { describe, expect, test } from 'vitest';
import { principals } from '../clauses/cases/contract.ts';
import { resolvedInput } from '../engine/resolve.ts';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import type { JsonObject } from '../model/json.ts';
import { stepsOf } from '../model/scenario.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { linkTo, operation } from '../selftest/shapes/document.ts';
import { contractOf, made as shipment } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { readings } from './readback.ts';
import { type Scene, sceneOf, verificationInput } from './scene.ts';
import type { Planning } from './suite.ts';

/** Parcels within shipments: a parcel's path goes through its shipment. */
const parcel = {
  type: 'object',
  properties: { id: { type: 'integer' }, shipment: { type: 'string' }, revision: { type: 'integer' } },
};
const both = { shipmentId: '$response.body#/shipment', parcelId: '$response.body#/id' };
const parameters = [{ name: 'parcelId', in: 'path', required: true, schema: { type: 'integer' } }];
const permission = 'case.create';
const contractWith = (links: JsonObject): Promise<Contract> =>
  contractOf(
    operation('POST /shipments', 'createShipment', {
      permission,
      result: shipment,
      links: { ...linkTo('addParcel', 'shipmentId'), ...linkTo('listParcels', 'shipmentId'), ...links },
    }),
    operation('POST /shipments/{shipmentId}/parcels', 'addParcel', {
      permission,
      governed: { effect: { read: 'getParcel', list: 'listParcels' } },
      result: parcel,
      links: {
        get: { operationId: 'getParcel', parameters: both },
        put: { operationId: 'putParcel', parameters: both },
      },
    }),
    operation('GET /shipments/{shipmentId}/parcels', 'listParcels', {
      permission,
      result: { type: 'object', properties: { items: { type: 'array', items: parcel } } },
    }),
    operation('GET /shipments/{shipmentId}/parcels/{parcelId}', 'getParcel', {
      permission,
      parameters,
      result: parcel,
    }),
    operation('PUT /shipments/{shipmentId}/parcels/{parcelId}', 'putParcel', {
      permission,
      parameters,
      governed: {
        version: {
          carrier: { in: 'body', at: '/revision' },
          source: { operation: 'addParcel', in: 'body', at: '/revision' },
        },
        effect: { read: 'getParcel' },
      },
      body: parcel,
      bodyRequired: false,
      status: '200',
      result: parcel,
    }),
  );
const own = await contractWith({});
const through = await contractWith(linkTo('getParcel', 'shipmentId'));
const planning = (contract: Contract): Planning => planningOf(contract, { principals });

const scene = (contract: Contract, id: string): Scene =>
  present(sceneOf(planning(contract), operationOf(contract, id)));

const made = (of: Scene): readonly string[] => stepsOf(of.prelude).map(({ operation }) => operation);

describe('a record within another one', () => {
  test('is made once, and names the record that it was made within', () => {
    const put = scene(own, 'putParcel');
    expect(made(put)).toEqual(['createShipment', 'addParcel']);
    expect(put.request('x')).toMatchObject({
      target: {
        shipmentId: { step: 'make-shipmentId', at: '/shipment' },
        parcelId: { step: 'make-shipmentId', at: '/id' },
      },
      version: { use: 'of', ref: { step: 'make-shipmentId', at: '/revision' } },
    });
  });

  test('is never sought within another record than its own', () => {
    const get = scene(through, 'getParcel');
    expect(made(get)).toEqual(['createShipment', 'addParcel', 'getParcel']);
    expect(get.request('x').target).toEqual({
      shipmentId: { step: 'parcelId-make-shipmentId', at: '/id' },
      parcelId: { step: 'make-parcelId', at: '/id' },
    });
  });

  test('before it is there, the list of the other record shows what was made', () => {
    const read = (id: string): readonly string[] => {
      const { after, before } = readings(planning(own), scene(own, id));
      return stepsOf([...before, ...after]).map(({ operation }) => operation);
    };
    expect(read('addParcel')).toEqual(['listParcels', 'listParcels', 'listParcels']);
    expect(read('putParcel')).toEqual(['getParcel', 'getParcel', 'getParcel']);
    expect(read('createShipment')).toEqual([]);
  });
});

describe('a read of a record that was just made', () => {
  const prelude = (declaration: Declaration): readonly unknown[] => {
    const read = sceneOf(
      { ...planning(own), declared: parsedDeclaration(declaration) },
      operationOf(own, 'getParcel'),
    );
    return 'remedy' in read ? [read.remedy] : read.prelude;
  };

  test('is preceded by one that finds it, where nothing says how soon reads show it', () => {
    expect(prelude({})).toMatchObject([
      {},
      {},
      { poll: { operation: 'getParcel', role: 'setup' }, until: 'found', max: 5 },
    ]);
  });

  test('waits for the declared time, which counts for every replica', () => {
    expect(prelude({ G15: { seconds: 2 } })).toMatchObject([{}, {}, { wait: 'settle' }]);
  });

  test('does not wait where reads are declared to show it at once', () => {
    expect(prelude({ G15: { seconds: 0 } })).toMatchObject([{ steps: [{}] }, { steps: [{}] }]);
  });
});

test('a verification is issued for the last record of the path, with every record by its name', () => {
  const [lead] = principals;
  const put = operationOf(own, 'putParcel');
  if (lead === undefined) throw new Error('no principal');
  const { target } = scene(own, 'putParcel').request('x');
  const input = verificationInput(put, lead, target, 'valid');
  expect(input).toEqual({
    principal: lead.name,
    operation: 'putParcel',
    target: 'ref:make-shipmentId#/id',
    targets: { shipmentId: 'ref:make-shipmentId#/shipment', parcelId: 'ref:make-shipmentId#/id' },
    kind: 'valid',
  });
  const exchange = {
    id: 'x1',
    trace: 't',
    step: 'make-shipmentId',
    ordinal: 0,
    operation: 'addParcel',
    principal: lead.name,
    request: { method: 'POST', path: '/shipments/s1/parcels', headers: [], body: undefined },
    answer: { status: 201, headers: [], body: '{"id":7,"shipment":"s1"}', bodyBytes: 1, truncated: false },
    noAnswer: undefined,
    requestIds: [],
    connection: 0,
    earlier: [],
    startedAt: 0,
    sentAt: 0,
    endedAt: 1,
    time: '',
  };
  expect(resolvedInput({ exchanges: [exchange], hooks: {} }, {}, input)).toMatchObject({
    target: '7',
    targets: { shipmentId: 's1', parcelId: '7' },
  });
});

describe('records within records', () => {
  const paths = ['/shops', '/shelves', '/boxes', '/items', '/labels'];
  const nested = (depth: number): string =>
    paths
      .slice(0, depth)
      .map((path, at) => (at === depth - 1 ? path : `${path}/{id${at}}`))
      .join('');
  const result = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

  test('are made, each within the one before', async () => {
    const contract = await contractOf(
      ...paths.map((_, at) => operation(`POST ${nested(at + 1)}`, `make${at}`, { permission, result })),
      operation(`GET ${nested(5)}/{id4}`, 'getLabel', { permission, result }),
    );
    const found = sceneOf(planningOf(contract), operationOf(contract, 'getLabel'));
    if ('remedy' in found) throw new Error(found.remedy);
    expect(stepsOf(found.prelude).map((step) => step.operation)).toEqual([
      'make0',
      'make1',
      'make2',
      'make3',
      'make4',
      'getLabel',
    ]);
  });

  test('are within the one that the path names, wherever that one is made', async () => {
    const contract = await contractOf(
      operation('POST /shops', 'openShop', { permission, result }),
      operation('POST /shops/{shopId}/orders', 'order', {
        permission,
        result,
        links: { ...linkTo('bill', 'orderId'), ...linkTo('getInvoice', 'orderId') },
      }),
      operation('POST /orders/{orderId}/invoices', 'bill', { permission, result }),
      operation('GET /orders/{orderId}/invoices/{invoiceId}', 'getInvoice', { permission, result }),
    );
    const found = sceneOf(planningOf(contract), operationOf(contract, 'getInvoice'));
    if ('remedy' in found) throw new Error(found.remedy);
    expect(made(found)).toEqual(['openShop', 'order', 'bill', 'getInvoice']);
    const [bill] = stepsOf(found.prelude).filter(({ operation }) => operation === 'bill');
    expect(found.request('x').target?.['orderId']).toEqual(bill?.target?.['orderId']);
  });

  test('are within one that a PUT makes under a chosen ID', async () => {
    const contract = await contractOf(
      operation('PUT /shops/{shopCode}', 'putShop', { permission, status: '201', result }),
      operation('GET /shops/{shopCode}', 'getShop', { permission, result }),
      operation('POST /shops/{shopCode}/orders', 'order', { permission, result }),
      operation('PATCH /shops/{shopCode}/orders/{orderId}', 'change', { permission, result }),
      operation('PUT /shops/{shopCode}/orders/{orderId}/notes/{note}', 'annotate', { permission, result }),
    );
    for (const id of ['change', 'annotate']) {
      const found = sceneOf(planningOf(contract), operationOf(contract, id));
      if ('remedy' in found) throw new Error(found.remedy);
      const steps = stepsOf(found.prelude);
      expect(steps.map((step) => step.operation).slice(0, 2)).toEqual(['putShop', 'order']);
      const shops = [...steps, found.request('x')].flatMap(({ target }) => target?.['shopCode'] ?? []);
      expect(new Set(shops.map((ref) => JSON.stringify(ref))).size).toBe(1);
    }
  });

  test('name in their bodies one that a PUT makes under a chosen ID', async () => {
    const body = {
      type: 'object',
      required: ['shopCode'],
      properties: { shopCode: { type: 'string' } },
    };
    const contract = await contractOf(
      operation('PUT /shops/{shopCode}', 'putShop', { permission, status: '201', result }),
      operation('GET /shops/{shopCode}', 'getShop', { permission, result }),
      operation('POST /orders', 'order', { permission, body, result }),
    );
    const found = sceneOf(planningOf(contract), operationOf(contract, 'order'));
    if ('remedy' in found) throw new Error(found.remedy);
    const [put] = stepsOf(found.prelude);
    expect(put).toMatchObject({ operation: 'putShop', target: { shopCode: { chosen: expect.any(String) } } });
    expect(found.request('x').target).toEqual(put?.target);
  });

  test('are within one record, also where a body names one of them', async () => {
    const contract = await contractOf(
      operation('POST /shops', 'openShop', { permission, result }),
      operation('POST /shops/{shopId}/payments', 'pay', { permission, result }),
      operation('GET /shops/{shopId}/payments/{paymentId}', 'getPayment', { permission, result }),
      operation('POST /shops/{shopId}/refunds', 'refund', {
        permission,
        result,
        body: { type: 'object', required: ['paymentId'], properties: { paymentId: { type: 'string' } } },
      }),
    );
    const found = sceneOf(planningOf(contract), operationOf(contract, 'refund'));
    if ('remedy' in found) throw new Error(found.remedy);
    expect(made(found)).toEqual(['openShop', 'pay']);
    const [pay] = stepsOf(found.prelude).filter(({ operation }) => operation === 'pay');
    expect(found.request('x').target).toEqual({
      ...pay?.target,
      paymentId: { step: pay?.id, at: '/id' },
    });
  });

  test.each([
    ['stay with their owner where a body replaces them', { title: { type: 'string' } }, true],
    ['move to another owner where the body says nothing else', {}, false],
  ])('%s', async (_, members, isSame) => {
    const properties = { ownerId: { type: 'string' }, ...members };
    const body = { type: 'object', required: Object.keys(properties), properties };
    const contract = await contractOf(
      operation('POST /owners', 'enrol', { permission, result }),
      operation('GET /owners/{ownerId}', 'getOwner', { permission, result }),
      operation('POST /boxes', 'pack', { permission, result, body }),
      operation('GET /boxes/{boxId}', 'getBox', { permission, result }),
      operation('PUT /boxes/{boxId}', 'repack', { permission, result, body }),
    );
    const found = sceneOf(planningOf(contract), operationOf(contract, 'repack'));
    if ('remedy' in found) throw new Error(found.remedy);
    const [pack] = stepsOf(found.prelude).filter(({ operation }) => operation === 'pack');
    const owners = [pack?.target?.['ownerId'], found.request('x').target?.['ownerId']];
    expect(new Set(owners.map((ref) => JSON.stringify(ref))).size).toBe(isSame ? 1 : 2);
  });

  test('cannot be made where each needs the other', async () => {
    const link = (operationId: string, name: string): JsonObject => ({
      other: { operationId, parameters: { [name]: '$response.body#/id' } },
    });
    const contract = await contractOf(
      operation('POST /hens/{henId}/lay', 'lay', { permission, result, links: link('hatch', 'eggId') }),
      operation('POST /eggs/{eggId}/hatch', 'hatch', { permission, result, links: link('lay', 'henId') }),
    );
    expect(sceneOf(planningOf(contract), operationOf(contract, 'lay'))).toHaveProperty('remedy');
  });
});
