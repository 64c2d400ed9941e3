import { describe, expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf, made } from '../testing/contracts.ts';

const text = { type: 'string' };
const reading = (body: JsonObject, more: JsonObject = {}) => ({
  body,
  governed: { read: true, ...more },
  more: { parameters: [] },
});
const ticket = { properties: { ticket: made } };
const link = (operationId: string, requestBody: JsonObject) => ({ operationId, requestBody });

/** Tickets of an API whose operations are all POST; what the parts say replaces the usual. */
const desk = async ({
  create = {},
  get = object({ id: text }),
  list = object({ limit: { type: 'integer' }, cursor: text }, []),
  links = {},
  paging = { limit: 'limit', cursor: 'cursor', items: '/tickets', next: '/next' },
  close = { properties: { ok: { type: 'boolean' } } },
}: {
  readonly create?: JsonObject;
  readonly get?: JsonObject;
  readonly list?: JsonObject;
  readonly links?: JsonObject;
  readonly paging?: JsonObject;
  readonly close?: JsonObject;
} = {}) =>
  contractOf(
    operation('POST /tickets.create', 'create', {
      body: object({ subject: text }),
      result: ticket,
      governed: { effect: { read: 'get', ...create } },
      links,
    }),
    operation('POST /tickets.get', 'get', { ...reading(get), result: ticket }),
    operation('POST /tickets.list', 'list', {
      ...reading(list, { pagination: paging }),
      result: { properties: { tickets: { type: 'array', items: made }, next: text } },
    }),
    operation('POST /tickets.close', 'close', {
      body: object({ id: text }),
      result: close,
      governed: { effect: { read: 'get' }, conflict: { after: 'close' } },
    }),
  );

const idField = { name: 'id', schema: text, source: { operation: 'create', at: '/ticket/id' }, at: '/id' };

describe('a read by POST names its record in its body', () => {
  test('where it is the read of an effect, and requires one member', async () => {
    const { pathFields, named } = operationOf(await desk(), 'get');
    expect(pathFields).toEqual([idField]);
    expect(named).toBeUndefined();
  });

  test('where a link fills a member, whatever else it requires', async () => {
    const links = {
      get: link('get', { of: { ticket: '$response.body#/ticket/id' } }),
      close: link('close', { id: '$response.body#/ticket/id' }),
    };
    const get = object({ of: object({ ticket: text }), words: text });
    const field = { ...idField, name: 'ticket', at: '/of/ticket' };
    expect(operationOf(await desk({ get, links }), 'get').pathFields).toEqual([field]);
  });

  test('as a number, where its schema takes none but numbers', async () => {
    const get = object({ id: { type: 'integer' } });
    expect(operationOf(await desk({ get }), 'get').pathFields[0]?.schema).toEqual({ type: 'integer' });
  });

  test('but not where the member may be left out, has fixed values, or is one of two', async () => {
    for (const get of [
      object({ id: text }, []),
      object({ id: { enum: ['a'] } }),
      object({ id: text, of: text }),
    ])
      await expect(desk({ get })).rejects.toThrow(
        "'get' is a POST that names no record, so it shows no effect; let an OpenAPI link fill the member of its body that names the record",
      );
  });

  test('so does the command that acts on the record, whose result need not have its ID', async () => {
    const { at: _, ...field } = idField;
    expect(operationOf(await desk(), 'close').named).toEqual([{ at: '/id', read: 'get', field, acts: true }]);
  });
});

describe('a list by POST', () => {
  test('has its limit and its cursor in its body', async () => {
    const { pagination, queryFields } = operationOf(await desk({ create: { list: 'list' } }), 'list');
    expect(queryFields).toEqual([
      { name: 'limit', required: false, schema: { type: 'integer' }, filters: undefined, at: '/limit' },
      { name: 'cursor', required: false, schema: text, filters: undefined, at: '/cursor' },
    ]);
    expect(pagination).toMatchObject({ limit: 'limit', cursor: 'cursor' });
  });

  test('has no member that is not there', async () => {
    const paging = { limit: 'size', cursor: 'cursor', items: '/tickets', next: '/next' };
    await expect(desk({ paging })).rejects.toThrow("'list' has no query field 'size'");
  });

  test('shows no effect where its body must say what to look for', async () => {
    const list = object({ words: text, limit: { type: 'integer' }, cursor: text }, ['words']);
    await expect(desk({ create: { list: 'list' }, list })).rejects.toThrow(
      "'list' is a POST whose body must say what to look for, so it lists no effect; name a list that needs no such member",
    );
  });
});
