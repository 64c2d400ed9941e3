import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { lossOf } from './kept-text.ts';

const sent = 'Größe 客户';
const lost = 'Gr??e ??';

test.each<[string, Json, string | undefined]>([
  ['the member itself', { subject: lost }, 'letters'],
  ['the member within an envelope', { data: { subject: lost, id: '1' }, meta: {} }, 'letters'],
  ['a member of its name elsewhere', { case: { about: { subject: lost } } }, 'letters'],
  ['the text as well as another form of it', { subject: lost, original: sent }, undefined],
  ['several members of its name', { items: [{ subject: lost }, { subject: 'other' }] }, undefined],
  ['another name', { title: lost }, undefined],
  ['nothing', null, undefined],
])('what a response shows of a text: %s', (_, shown, expected) => {
  expect(lossOf(sent, shown, '/subject')?.kind).toBe(expected);
});

test('the item of a list is found by the name of the list', () => {
  expect(lossOf(sent, { tags: [lost] }, '/tags/0')?.kind).toBe('letters');
  expect(lossOf(sent, { tags: ['other', lost] }, '/tags/1')?.kind).toBe('letters');
});

test('a short beginning may be an earlier text, and a long one is none', () => {
  expect(lossOf('x'.repeat(120), { subject: 'x'.repeat(64) }, '/subject')?.maybeEarlier).toBe(true);
  expect(lossOf('x'.repeat(300), { subject: 'x'.repeat(250) }, '/subject')?.maybeEarlier).toBe(false);
  expect(lossOf('x'.repeat(120), { subject: 'x' }, '/subject')).toBeUndefined();
});
