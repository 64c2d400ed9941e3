import { expect, test } from 'vitest';
import type { Mark } from '../model/marker.ts';
import type { Scenario, Step } from '../model/scenario.ts';
import { binderOf, bindingsOf, makeBinder, ownMarkers } from './bind.ts';
import { withMarks } from './marks.ts';

const step = (id: string, body: string, more: Partial<Step> = {}): Step => ({
  id,
  operation: 'createCase',
  as: 'full',
  role: 'control',
  key: { use: 'none' },
  body: { use: 'named', name: body },
  deviations: [],
  ...more,
});
const amount: Mark = { at: '/amount', form: { kind: 'number', least: 100, step: 1, count: 900 } };
const code: Mark = { at: '/code', form: { kind: 'characters', sets: [['0123456789', 12]] } };
const sending = (...steps: readonly Step[]): Scenario => ({
  title: 't',
  bodies: {
    body: { value: { amount: 1, code: '0' }, marker: undefined, marks: [code, amount] },
    odd: { value: { amount: 1 }, marker: undefined, marks: [amount] },
    text: { value: { title: 'x' }, marker: '/title' },
  },
  waves: [{ steps: [step('one', 'body'), step('two', 'odd'), step('three', 'text'), ...steps] }],
});

test('a body carries the mark that the target takes, where it is valid in it', () => {
  const none = withMarks(sending(), { marks: undefined, ownValues: undefined }).bodies;
  expect(none['body']).toEqual({ value: { amount: 1, code: '0' }, marker: undefined });
  expect(none['text']).toEqual({ value: { title: 'x' }, marker: '/title' });
  const some = withMarks(sending(), { marks: new Map([['createCase', code]]), ownValues: undefined }).bodies;
  expect(some['body']).toEqual({
    value: { amount: 1, code: '0' },
    marker: '/code',
    form: code.form,
  });
  expect(some['odd']).toEqual({ value: { amount: 1 }, marker: undefined });
});

test('a text that is tried at the place is sent as it is', () => {
  const tried = step('tried', 'body', { deviations: [{ kind: 'text-noise', at: '/code' }] });
  expect(
    withMarks(sending(tried), { marks: new Map([['createCase', code]]), ownValues: undefined }).bodies['body']
      ?.marker,
  ).toBeUndefined();
});

test('a body has values of its own where the target takes them, next to the marker', () => {
  const wanted: Scenario = {
    ...sending(),
    bodies: { text: { value: { title: 'x', code: '0' }, marker: '/title', own: [code, amount] } },
  };
  const bare = { value: { title: 'x', code: '0' }, marker: '/title' };
  const own = { marks: undefined, ownValues: new Map([['createCase', [code]]]) };
  expect(withMarks(wanted, { marks: undefined, ownValues: undefined }).bodies['text']).toEqual(bare);
  expect(withMarks(wanted, own).bodies['text']).toEqual({ ...bare, own: [code] });
  const tried = step('tried', 'text', { deviations: [{ kind: 'text-noise', at: '/code' }] });
  const trying = { ...wanted, waves: [...wanted.waves, { steps: [tried] }] };
  expect(withMarks(trying, own).bodies['text']).toEqual(bare);
});

test('the nonce fixes markers of each form', () => {
  const scenario = withMarks(sending(), { marks: new Map([['createCase', code]]), ownValues: undefined });
  const of = { suite: 's', probe: 'p', scenarioIndex: 0, id: 't1', attempt: 0 };
  const { markers } = bindingsOf(scenario, binderOf('n', of));
  expect(markers['body']).toMatch(/^\d{12}$/);
  expect(markers['text']).toMatch(/^asy-[0-9a-f]{16}$/);
  expect(bindingsOf(scenario, binderOf('n', of)).markers).toEqual(markers);
  expect(bindingsOf(scenario, binderOf('m', of)).markers['body']).not.toBe(markers['body']);
  const numbers = Array.from({ length: 50 }, (_, index) =>
    Number(makeBinder('n', 'p', index)('body a', amount.form).marker),
  );
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...numbers)).toBeLessThan(1000);
});

test('a number that two bodies have is nobody’s', () => {
  const own = ownMarkers(undefined);
  own.add('123456789', 't1 body');
  own.add('123456789');
  expect([own.formed('123456789'), own.unsure('123456789')]).toEqual(['123456789', false]);
  own.add('123456789', 't2 body');
  expect(own.unsure('123456789')).toBe(true);
  own.add('AB12CD34', 't3 body');
  expect(own.formed('ab12cd34')).toBe('AB12CD34');
  expect(own.formed('asy-0123456789abcdef')).toBeUndefined();
});
