import { expect, test } from 'vitest';
import { makeTurns } from './turns.ts';

async function order(
  uses: readonly (readonly [name: string, record: string, alone: boolean])[],
): Promise<string> {
  const turns = makeTurns();
  const said: string[] = [];
  const work = async ([name, record, alone]: (typeof uses)[number]): Promise<void> => {
    const release = await turns.take([{ record, alone }]);
    said.push(`${name}+`);
    await new Promise((resolve) => setImmediate(resolve));
    said.push(`${name}-`);
    release();
  };
  await Promise.all(uses.map(work));
  return said.join(' ');
}

test('who uses a record alone waits for the others, and they for it', async () => {
  expect(
    await order([
      ['a', 'x', false],
      ['b', 'x', false],
      ['c', 'x', true],
      ['d', 'x', false],
    ]),
  ).toBe('a+ b+ a- b- c+ c- d+ d-');
});

test('other records are other turns', async () => {
  expect(
    await order([
      ['a', 'x', true],
      ['b', 'y', true],
    ]),
  ).toBe('a+ b+ a- b-');
});

test('two records are taken in one order', async () => {
  const turns = makeTurns();
  const uses = [
    { record: 'y', alone: true },
    { record: 'x', alone: true },
  ];
  const first = await turns.take(uses);
  const second = turns.take(uses.toReversed());
  first();
  expect(await second).toBeTypeOf('function');
});
