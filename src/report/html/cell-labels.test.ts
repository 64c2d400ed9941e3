import { expect, test } from 'vitest';
import { withColumnNames } from './cell-labels.ts';

const head = '<thead><tr><th scope="col">Point <i>of</i> it</th><th scope="col">A&quot;b</th></tr></thead>';

test('each cell has the name of its column', () => {
  expect(
    withColumnNames(
      `<p>x</p><table><caption>c</caption>${head}<tbody><tr><th scope="row">1</th><td class="n">2</td></tr></tbody></table>`,
    ),
  ).toBe(
    `<p>x</p><table><caption>c</caption>${head}<tbody><tr><th scope="row" data-column="Point of it">1</th><td class="n" data-column="A&quot;b">2</td></tr></tbody></table>`,
  );
});

test.each([
  ['a cell over several columns', `<table>${head}<tbody><tr><td colspan="2">1</td></tr></tbody></table>`],
  ['a matrix', `<table class="matrix">${head}<tbody><tr><td>1</td></tr></tbody></table>`],
  ['a table without a head', '<table><tbody><tr><td>1</td></tr></tbody></table>'],
])('%s has none', (_, page) => {
  expect(withColumnNames(page)).toBe(page);
});
