import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { leastNode, nodeProblem } from './node-version.ts';

test.each([
  ['18.20.8', 'Node 18.20.8 is too old; install Node 20.19 or later (https://nodejs.org)'],
  ['20.9.0', 'Node 20.9.0 is too old; install Node 20.19 or later (https://nodejs.org)'],
  ['20.19.0', undefined],
  ['22.1.0', undefined],
])('Node %s: %s', (version, problem) => {
  expect(nodeProblem(version)).toBe(problem);
});

test('it is looked at before anything else is loaded, and package.json says the same', async () => {
  const [first] = /^import .*$/m.exec(await readFile('src/cli/main.ts', 'utf8')) ?? [];
  expect(first).toBe("import './terminal/check-node.ts';");
  const { engines } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(engines.node).toBe(`>=${leastNode}`);
});
