import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { defaultInstead } from './default-instead.ts';

const members: JsonObject = {
  subject: { type: 'string' },
  reminders: { type: 'boolean', default: true },
  muted: { type: 'boolean' },
  seats: { type: 'integer', default: 40 },
  maxSeats: { type: 'integer', default: 40 },
  weight: { type: 'integer', default: 40, description: '0 stands for the usual weight' },
};
const adapted = (operation: Operation): Operation =>
  operation.id === 'createCase' && operation.body !== undefined
    ? { ...operation, body: { ...operation.body, schema: { type: 'object', properties: members } } }
    : operation;
const context = makeContext({
  contract: { ...contract, operations: contract.operations.map(adapted) },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

/** A record that is made with this, and what its read shows. */
const made = (sent: JsonObject, is: JsonObject = {}, more: JsonObject = {}): readonly Line[] => {
  const body = { id: 'case_9', status: 'open', subject: 'The first of them', ...sent, ...is };
  const asked = JSON.stringify({ subject: 'The first of them', ...sent });
  return [
    { id: 'a', status: 201, sent: asked, result: 'case_9', role: 'test', body: { ...body, ...more } },
    { id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback', body },
  ];
};

function rulings(...traces: readonly (readonly Line[])[]): readonly string[] {
  const fold = defaultInstead();
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}` }))].map(
      (ruling) => `t${index} ${ruling.verdict} ${'actual' in ruling ? ruling.actual : ''}`,
    ),
  );
}

test('a flag that a command sets to false, and that shows its default, is found', () => {
  expect(rulings(made({ reminders: false }, { reminders: true }))).toEqual([
    't0 violated true at /reminders',
  ]);
  expect(rulings(made({ reminders: false }))).toEqual([]);
});

test('so is a zero, where another number was stored', () => {
  const zero = made({ seats: 0 }, { seats: 40 });
  expect(rulings(made({ seats: 7 }), zero)).toEqual(['t1 violated 40 at /seats']);
  expect(rulings(zero)).toEqual([]);
  expect(rulings(made({ seats: 7 }, { seats: 40 }), zero)).toEqual([]);
});

test('but no value that is not the default, and none for which the contract has no default', () => {
  expect(rulings(made({ seats: 7 }), made({ seats: 0 }, { seats: 5 }))).toEqual([]);
  expect(rulings(made({ muted: false }, { muted: true }))).toEqual([]);
});

test('nor a bound, or what the contract says something else of', () => {
  expect(rulings(made({ maxSeats: 7 }), made({ maxSeats: 0 }, { maxSeats: 40 }))).toEqual([]);
  expect(rulings(made({ weight: 7 }), made({ weight: 0 }, { weight: 40 }))).toEqual([]);
});

test('nor where the record lacks the rest of the command, or the result says more', () => {
  const reminders = { reminders: true };
  expect(rulings(made({ reminders: false, muted: true }, { ...reminders, muted: false }))).toEqual([]);
  expect(rulings(made({ reminders: false }, { ...reminders, subject: 'Another' }))).toEqual([]);
  expect(rulings(made({ reminders: false }, reminders, { note: 'Reminders are on' }))).toEqual([]);
});
