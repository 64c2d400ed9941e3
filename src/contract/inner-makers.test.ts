import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const text = { type: 'string' };
const task = { type: 'object', required: ['id'], properties: { id: text, title: text } };
const body = { type: 'object', required: ['title'], properties: { title: text } };
const at = (name: string) => [{ name, in: 'path', required: true, schema: text }];

/** Where the task comes from that a PUT replaces, which is made within a project. */
async function taskOf(makers: readonly string[], result: JsonObject = task) {
  const contract = await contractOf(
    operation('POST /projects', 'addProject', { result: { type: 'object', properties: { id: text } } }),
    ...makers.map((maker, index) =>
      operation(maker, `add${index + 1}`, {
        body,
        result,
        ...(maker.includes('{') ? { parameters: at('projectId') } : {}),
      }),
    ),
    operation('GET /tasks/{taskId}', 'getTask', { parameters: at('taskId'), result: task }),
    operation('PUT /tasks/{taskId}', 'putTask', { parameters: at('taskId'), body, result: task }),
  );
  return ['getTask', 'putTask'].map((id) => {
    const [field] = operationOf(contract, id).pathFields;
    return field?.chosen === true ? 'chosen' : field?.source;
  });
}

test('what a command adds within another record is read and replaced under a path of its own', async () => {
  const made = { operation: 'add1', at: '/id' };
  expect(await taskOf(['POST /projects/{projectId}/tasks'])).toEqual([made, made]);
  // A command that adds to the collection itself comes first.
  expect(await taskOf(['POST /tasks', 'POST /projects/{projectId}/tasks'])).toEqual([made, made]);
});

test.each<[string, readonly string[], JsonObject?]>([
  ['it returns another document', ['POST /projects/{projectId}/tasks'], { ...task, title: 'A membership' }],
  ['two commands add such', ['POST /projects/{projectId}/tasks', 'POST /sprints/{projectId}/tasks']],
  ['the collection has another name', ['POST /projects/{projectId}/todos']],
])('but not where %s: a PUT may make it under an ID that its caller chooses', async (_, makers, result) => {
  expect(await taskOf(makers, result)).toEqual([{ operation: 'putTask', path: 'taskId' }, 'chosen']);
});

/** Where the task comes from that commands act on under a path of its own, while no read shows it there. */
async function actedOn(commands: Readonly<Record<string, JsonObject | undefined>>) {
  const contract = await contractOf(
    operation('POST /projects', 'addProject', { result: { type: 'object', properties: { id: text } } }),
    operation('POST /projects/{projectId}/tasks', 'add', { body, result: task }),
    ...Object.entries(commands).map(([request, result], index) =>
      operation(
        request,
        `act${index + 1}`,
        result === undefined ? { status: '204' } : { status: '200', result },
      ),
    ),
  );
  return operationOf(contract, 'act1').pathFields[0]?.source;
}

test('what a command adds within another record is acted on under a path of its own, where no read shows it', async () => {
  const made = { operation: 'add', at: '/id' };
  expect(await actedOn({ 'POST /tasks/{taskId}/finish': task })).toEqual(made);
  expect(await actedOn({ 'DELETE /tasks/{taskId}': undefined })).toEqual(made);
  const invoice = { type: 'object', properties: { total: { type: 'integer' } } };
  expect(
    await actedOn({ 'POST /tasks/{taskId}/bill': invoice, 'POST /tasks/{taskId}/finish': task }),
  ).toEqual(made);
  expect(await actedOn({ 'POST /tasks/{taskId}/bill': invoice })).toBeUndefined();
  expect(await actedOn({ 'POST /tasks/{taskId}/finish': task, 'PUT /tasks/{taskId}': task })).not.toEqual(
    made,
  );
});

const job = { type: 'object', required: ['id'], properties: { id: text, state: text } };

/** Where the job comes from that is read alone, and which some commands return. */
async function jobOf(returned: Readonly<Record<string, JsonObject>>, more: readonly string[] = []) {
  const contract = await contractOf(
    operation('POST /orders', 'addOrder', { body, result: task }),
    operation('GET /orders/{orderId}', 'getOrder', { result: task }),
    ...Object.entries(returned).map(([request, result], index) =>
      operation(request, `command${index + 1}`, { status: '202', result }),
    ),
    ...more.map((request, index) => operation(request, `read${index + 1}`, { result: job })),
    operation('GET /jobs/{jobId}', 'getJob', { result: job }),
  );
  return operationOf(contract, 'getJob').pathFields[0]?.source;
}

test('what a command elsewhere returns is read by its ID', async () => {
  expect(await jobOf({ 'POST /orders/{orderId}/submit': job })).toEqual({ operation: 'command1', at: '/id' });
  // Any command that makes such a job will do.
  expect(
    await jobOf({ 'POST /orders/{orderId}/submit': job, 'POST /orders/{orderId}/ship': job }),
  ).toMatchObject({ operation: 'command1' });
});

test.each<[string, Parameters<typeof jobOf>[0], Parameters<typeof jobOf>[1]?]>([
  ['it returns something else', { 'POST /orders/{orderId}/submit': task }],
  ['it acts on the job', { 'POST /jobs/{jobId}/cancel': job }],
  ['another read shows such records, too', { 'POST /orders/{orderId}/submit': job }, ['GET /tasks/{taskId}']],
])('but not where %s', async (_, returned, more) => {
  expect(await jobOf(returned, more)).toBeUndefined();
});
