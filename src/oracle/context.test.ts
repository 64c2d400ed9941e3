import { describe, expect, test } from 'vitest';
import { contract, principals } from '../clauses/cases/contract.ts';
import { trace } from '../clauses/cases/trace.ts';
import type { JsonSchema } from '../model/json.ts';
import { Undecided } from '../model/undecided.ts';
import { makeContext, type Validators } from './context.ts';
import { parsedDeclaration } from './open-points/declared.ts';

const facts = {
  contract,
  declared: parsedDeclaration({ G1: 'replay' }),
  principals,
  proven: new Set(['full']),
};

test('a context has the facts that it is given', () => {
  expect(makeContext(facts)).toMatchObject(facts);
});

describe('a reading', () => {
  const one = trace([
    { id: 'made', status: 201 },
    { id: 'lost', status: undefined },
    { id: 'read', operation: 'getCase', on: 'made', status: 200 },
  ]);

  test('has each exchange with its step and operation, in the order of the log', () => {
    const { seen, answered } = makeContext(facts).reading(one);
    expect(seen.map(({ step, exchange, operation }) => [step.id, exchange.id, operation.id])).toEqual([
      ['made', 't-x0', 'createCase'],
      ['lost', 't-x1', 'createCase'],
      ['read', 't-x2', 'getCase'],
    ]);
    expect(answered.map(({ step, answer }) => [step.id, answer.status])).toEqual([
      ['made', 201],
      ['read', 200],
    ]);
  });

  test('leaves out what no step of the scenario sent', () => {
    const strange = { ...one, scenario: { ...one.scenario, waves: one.scenario.waves.slice(1) } };
    const { seen, answered } = makeContext(facts).reading(strange);
    expect(seen.map(({ step }) => step.id)).toEqual(['lost', 'read']);
    expect(answered.map(({ step }) => step.id)).toEqual(['read']);
  });

  test('is made once for each trace', () => {
    const context = makeContext(facts);
    expect(context.reading(one)).toBe(context.reading(one));
    expect(context.reading({ ...one, exchanges: [] }).seen).toEqual([]);
  });
});

describe('schemas', () => {
  const subject: JsonSchema = { type: 'object', required: ['subject'] };
  test('say where a value departs from them', () => {
    const { schemaErrors } = makeContext(facts);
    expect(schemaErrors(subject, { subject: 'a' })).toEqual([]);
    expect(schemaErrors(subject, {})).toMatchObject([{ pointer: '/subject', keyword: 'required' }]);
    expect(schemaErrors({ type: 'string', format: 'email' }, 'nobody')).toMatchObject([
      { pointer: '', keyword: 'format' },
    ]);
  });

  test('leave formats of what is returned to the reader', () => {
    const email: JsonSchema = { properties: { email: { type: 'string', format: 'email' } } };
    const { shapeErrors } = makeContext(facts);
    expect(shapeErrors(email, { email: 'nobody' })).toEqual([]);
    expect(shapeErrors(email, { email: 1 })).toMatchObject([{ pointer: '/email', keyword: 'type' }]);
  });

  test('let what is returned fit several choices, but one at least', () => {
    const pet: JsonSchema = {
      properties: {
        pets: {
          items: {
            allOf: [{ required: ['kind'] }],
            oneOf: [
              { properties: { kind: { type: 'string' }, lives: { type: 'number' } } },
              { properties: { kind: { type: 'string' }, tricks: { type: 'array' } } },
            ],
          },
        },
      },
    };
    const { schemaErrors, shapeErrors } = makeContext(facts);
    expect(schemaErrors(pet, { pets: [{ kind: 'cat' }] })).toMatchObject([{ keyword: 'oneOf' }]);
    expect(shapeErrors(pet, { pets: [{ kind: 'cat' }] })).toEqual([]);
    expect(shapeErrors(pet, { pets: [{ kind: 1 }] })).not.toEqual([]);
    expect(shapeErrors(pet, { pets: [{ lives: 9 }] })).toContainEqual(
      expect.objectContaining({ pointer: '/pets/0/kind' }),
    );
    expect(shapeErrors({ not: { oneOf: [{}, false] } }, 1)).not.toEqual([]);
    expect(shapeErrors({ properties: { oneOf: { type: 'string' } } }, { oneOf: 1 })).not.toEqual([]);
  });

  test('say one thing that is wrong with a body of very many values', () => {
    const ids = { type: 'array', items: { type: 'object' } } satisfies JsonSchema;
    const { schemaErrors } = makeContext(facts);
    expect(schemaErrors(ids, [1, 2])).toHaveLength(2);
    expect(schemaErrors(ids, Array<number>(20_000).fill(1))).toMatchObject([
      { pointer: '/0', keyword: 'type' },
    ]);
    expect(
      schemaErrors(
        ids,
        Array.from({ length: 20_000 }, () => ({})),
      ),
    ).toEqual([]);
  });

  test('say nothing where a pattern takes too long', () => {
    const { schemaErrors } = makeContext(facts);
    const slow: JsonSchema = { type: 'string', pattern: '^(a+)+$' };
    const value = `${'a'.repeat(40)}!`;
    expect(() => schemaErrors(slow, value)).toThrow(Undecided);
    // An error as well would be wrong: a doubt counts as a match.
    expect(() => schemaErrors({ not: slow }, value)).toThrow(Undecided);
    expect(schemaErrors(slow, 'aaa')).toEqual([]);
  });

  test('allow anything or nothing', () => {
    const { schemaErrors } = makeContext(facts);
    expect(schemaErrors(true, { a: 1 })).toEqual([]);
    expect(schemaErrors(false, { a: 1 })).toMatchObject([{ pointer: '', keyword: 'false' }]);
  });

  test('are compiled once, for all contexts that keep them together', () => {
    const compiled: Validators = new WeakMap();
    makeContext(facts, compiled).schemaErrors(subject, {});
    const first = compiled.get(subject);
    makeContext(facts, compiled).schemaErrors(subject, {});
    expect(first).toBeDefined();
    expect(compiled.get(subject)).toBe(first);
    const refusing: Validators = new WeakMap([
      [subject, () => [{ pointer: '', keyword: 'x', message: '', schemaPath: '' }]],
    ]);
    expect(makeContext(facts, refusing).schemaErrors(subject, { subject: 'a' })).toMatchObject([
      { keyword: 'x' },
    ]);
  });
});
