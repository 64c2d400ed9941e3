import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { type Operation, operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { note, object, operation, pageOf } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { planningOf } from '../testing/plans.ts';
import { makerOf, makingOf } from './makers.ts';
import { sceneOf } from './scene.ts';
import type { Planning } from './suite.ts';

const remark = object({ id: { type: 'string' }, remark: { type: 'string' } });

test('a list within a record is filled by a command that makes several there at once', () => {
  const operations = contract.operations.filter(({ id }) => id !== 'addPart');
  const planning = planningOf({ ...contract, operations });
  expect(makerOf(planning, operationOf(planning.contract, 'listParts'))?.id).toBe('addParts');
});

test('what HEAD asks for is made by the command that makes what GET shows there', () => {
  const asked = { ...operationOf(contract, 'getCase'), id: 'headCase', method: 'HEAD' };
  const planning = planningOf({ ...contract, operations: [...contract.operations, asked] });
  expect(makerOf(planning, asked)?.id).toBe('createCase');
});

test('a PUT to a path makes what a read of the path shows, but for a list or what a POST adds to', () => {
  const list = operationOf(contract, 'listNotes');
  const one = { ...list, pagination: undefined };
  const post = operationOf(contract, 'createNote');
  const put = { ...post, id: 'putNotes', method: 'PUT' };
  const makerAmong = (read: Operation, ...commands: readonly Operation[]): string | undefined =>
    makerOf(planningOf({ ...contract, operations: [read, ...commands] }), read)?.id;
  expect(makerAmong(one, put)).toBe('putNotes');
  expect(makerAmong(list, put)).toBeUndefined();
  expect(makerAmong(one, put, post)).toBeUndefined();
});

test('records under IDs of choice are as many as the steps that make them, where a list names no parent', async () => {
  const result = { properties: { id: { type: 'string' }, subject: { type: 'string' } } };
  const body = { required: ['subject'], properties: { subject: { type: 'string' } } };
  const planning = planningOf(
    await contractOf(
      operation('PUT /groups/{groupId}', 'putGroup', { body, result }),
      operation('PUT /groups/{groupId}/pages/{pageId}', 'putPage', { body, result }),
      operation('GET /pages', 'listPages', { result: { type: 'array', items: result } }),
    ),
  );
  const read = sceneOf(planning, operationOf(planning.contract, 'listPages'));
  if ('remedy' in read) throw new Error(read.remedy);
  const made = makingOf(planning, read, operationOf(planning.contract, 'putPage'));
  if ('remedy' in made) throw new Error(made.remedy);
  const targets = ['one', 'two'].map((id) => made.request(id).target);
  expect(targets.map((target) => target?.['pageId'])).toEqual([
    { chosen: 'one-pageId' },
    { chosen: 'two-pageId' },
  ]);
  expect(targets[0]?.['groupId']).toEqual(targets[1]?.['groupId']);
});

test('what a body names is made within the record that the list is of', async () => {
  const text = { type: 'string' };
  const body = { required: ['name'], properties: { name: text } };
  const record = object({ id: text });
  const deployment = object({ id: text, environmentId: text });
  const planning = planningOf(
    await contractOf(
      operation('POST /projects', 'createProject', { body, result: record }),
      operation('GET /projects/{projectId}', 'getProject', { result: record }),
      operation('POST /projects/{projectId}/environments', 'addEnvironment', { body, result: record }),
      operation('GET /projects/{projectId}/environments/{environmentId}', 'getEnvironment', {
        result: record,
      }),
      operation('POST /projects/{projectId}/deployments', 'deploy', {
        body: { required: ['environmentId'], properties: { environmentId: text } },
        result: deployment,
      }),
      operation('GET /projects/{projectId}/deployments', 'listDeployments', pageOf(deployment)),
      operation(
        'GET /projects/{projectId}/environments/{environmentId}/deployments',
        'listDeploymentsThere',
        pageOf(deployment),
      ),
    ),
  );
  const madeFor = (list: string) => {
    const read = sceneOf(planning, operationOf(planning.contract, list));
    if ('remedy' in read) throw new Error(read.remedy);
    const made = makingOf(planning, read, operationOf(planning.contract, 'deploy'));
    if ('remedy' in made) throw new Error(made.remedy);
    const steps = made.prelude.flatMap((wave) => ('steps' in wave ? wave.steps : []));
    return {
      of: read.request('read').target,
      made: made.request('one').target,
      environments: steps.filter((step) => step.operation === 'addEnvironment'),
    };
  };
  const whole = madeFor('listDeployments');
  expect(whole.environments.map(({ target }) => target)).toEqual([whole.of]);
  expect(whole.made?.['projectId']).toEqual(whole.of?.['projectId']);
  expect(whole.made?.['environmentId']).toBeDefined();
  // A list of one environment shows what the body puts there: no other one is made for it.
  const one = madeFor('listDeploymentsThere');
  expect(one.made).toEqual(one.of);
  expect(one.environments).toEqual([]);
});

test('a log is filled without the versions that its command lets be left out', () => {
  const list = operationOf(contract, 'listParts');
  const version = {
    carrier: { in: 'body', at: '/expected' },
    source: { operation: list.id, in: 'body', at: '/head' },
    neutral: false,
  } as const;
  const fills = (more: Partial<NonNullable<Operation['version']>>): Planning =>
    planningOf({
      ...contract,
      operations: contract.operations.flatMap((one) =>
        one.id === 'addParts'
          ? []
          : [one.id === 'addPart' ? { ...one, version: { ...version, ...more } } : one],
      ),
    });
  expect(makerOf(fills({}), list)).toBeUndefined();
  const planning = fills({ optional: true });
  const maker = makerOf(planning, list);
  const read = sceneOf(planning, list);
  if (maker === undefined || 'remedy' in read) throw new Error('nothing fills the list');
  const made = makingOf(planning, read, maker);
  if ('remedy' in made) throw new Error(made.remedy);
  expect(made.request('one').version).toEqual({ use: 'absent' });
});

test.each<[string, string, JsonObject, string | undefined]>([
  ['the record itself', 'POST /cases/{caseId}/commands/add-remark', remark, 'addRemark'],
  ['another record', 'POST /cases/{caseId}/commands/add-remark', note, undefined],
  ['the record, within another one', 'POST /cases/{caseId}/parts/{partId}/remarks', remark, undefined],
])('a command under a path of its own that returns %s', async (_, request, result, expected) => {
  const { contract } = planningOf(
    await contractOf(
      operation('GET /cases/{caseId}/remarks', 'listRemarks', pageOf(remark)),
      operation(request, 'addRemark', { result, governed: { effect: { list: 'listRemarks' } } }),
    ),
  );
  const maker = makerOf(planningOf(contract), operationOf(contract, 'listRemarks'));
  expect(maker?.id).toBe(expected);
});

test.each<[string, JsonObject, JsonObject, string | undefined]>([
  ['its own items', remark, {}, 'addRemarks'],
  ['other records', note, {}, undefined],
  [
    'its own items, where it needs the name of a case',
    remark,
    { name: 'caseId', in: 'query', required: true, schema: { type: 'string' } },
    undefined,
  ],
])('a search is filled by what a batch below a record returns: %s', async (_, made, field, expected) => {
  const page = pageOf(remark);
  const search = { ...page, parameters: [...(page.parameters ?? []), ...('name' in field ? [field] : [])] };
  const { contract } = planningOf(
    await contractOf(
      operation('POST /cases', 'createCase', { result: note }),
      operation('GET /cases/{caseId}', 'getCase', { result: note }),
      operation('POST /cases/{caseId}/remarks:batch', 'addRemarks', {
        result: object({ case: note, remarks: { type: 'array', items: made } }),
        governed: { effect: { read: 'getCase', list: 'findRemarks', id: '/remarks/0/id' } },
      }),
      operation('GET /remarks:search', 'findRemarks', search),
    ),
  );
  expect(makerOf(planningOf(contract), operationOf(contract, 'findRemarks'))?.id).toBe(expected);
});

test('what fills a list within a record names records that are made for it, too', async () => {
  const result = { properties: { id: { type: 'string' } } };
  const body = { required: ['studentId'], properties: { studentId: { type: 'string' } } };
  const planning = planningOf(
    await contractOf(
      operation('POST /students', 'createStudent', { result }),
      operation('GET /students/{studentId}', 'getStudent', { result }),
      operation('POST /exams', 'createExam', { result }),
      operation('POST /exams/{examId}/registrations', 'register', {
        body,
        result,
        governed: { effect: { list: 'listRegistrations' } },
      }),
      operation('GET /exams/{examId}/registrations', 'listRegistrations', {
        result: { type: 'array', items: result },
      }),
    ),
  );
  const list = operationOf(planning.contract, 'listRegistrations');
  const read = sceneOf(planning, list);
  if ('remedy' in read) throw new Error(read.remedy);
  const made = makingOf(planning, read, operationOf(planning.contract, 'register'));
  if ('remedy' in made) throw new Error(made.remedy);
  expect(made.request('made-1').target).toEqual({
    studentId: { step: 'made-make-studentId', at: '/id' },
    examId: read.request('read').target?.['examId'],
  });
  expect(made.prelude.flatMap((wave) => ('steps' in wave ? wave.steps.map(({ id }) => id) : []))).toEqual([
    'made-make-studentId',
  ]);
});

test.each<[string, string, JsonObject]>([
  ['of the same name', 'GET /withdrawals', { list: 'listEntries', read: 'getAccount' }],
  ['of its results', 'GET /entries', { list: 'listEntries' }],
])('a list elsewhere (%s) is filled by a command on a record', async (_, listing, effect) => {
  const text = { type: 'string' };
  const entry = object({ id: text, memo: text });
  const account = object({ id: text, holder: text });
  const planning = planningOf(
    await contractOf(
      operation('POST /accounts', 'openAccount', {
        body: { required: ['holder'], properties: { holder: text } },
        result: account,
      }),
      operation('GET /accounts/{accountId}', 'getAccount', { result: account }),
      operation('POST /accounts/{accountId}/withdrawals', 'withdraw', {
        body: { required: ['memo'], properties: { memo: text } },
        result: entry,
        governed: { effect },
      }),
      operation(listing, 'listEntries', pageOf(entry)),
    ),
  );
  const list = operationOf(planning.contract, 'listEntries');
  const maker = makerOf(planning, list);
  const read = sceneOf(planning, list);
  if ('remedy' in read || maker === undefined) throw new Error('nothing fills the list');
  expect(maker.id).toBe('withdraw');
  const made = makingOf(planning, read, maker);
  if ('remedy' in made) throw new Error(made.remedy);
  expect(made.request('one').target?.['accountId']).toBeDefined();
});
