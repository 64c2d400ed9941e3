import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = ['src', 'suites'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') })),
);
const matching = (pattern: RegExp, folders: RegExp): readonly string[] =>
  sources.filter(({ name, text }) => folders.test(name) && pattern.test(text)).map(({ name }) => name);

test('only the constructors state a verdict, so each has its reason', () => {
  const literal = /verdict: (\w+ \? )?'(holds|violated|inconclusive|not-tested)'/;
  expect(matching(literal, /^src\/clauses\/(?!cases\/)/)).toEqual([]);
});

test('only one module knows which status is of which class', () => {
  const boundary = /(status|statusCode)\b[^\n]{0,12}(>= 200|< 300|>= 500|[!=]== 429)/;
  // The reference service is the other side; a hook's receiver has classes of its own.
  expect(matching(boundary, /^(suites|src\/(?!reference\/|clauses\/cases\/|run\/session))/)).toEqual([
    'src/model/response.ts',
  ]);
});
