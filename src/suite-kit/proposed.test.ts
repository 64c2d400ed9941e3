import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlan } from '../engine/plan.ts';
import { InputError } from '../model/input-error.ts';
import { openSession } from '../run/session.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-proposed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What planning with a suite of this code says. */
async function planned(name: string, propose: string): Promise<string> {
  await writeFile(join(folder, `${name}.mjs`), `export default { name: '${name}', title: 't', ${propose} };`);
  const config = join(folder, `${name}.yaml`);
  await writeFile(
    config,
    `target: { baseUrl: reference, environment: test }
contract: ${resolve('fixtures/contracts/governed-command-1.27.0.yaml')}
principals: { full: { token: { value: Reference-Token-Full-0001 }, permissions: [case.create] } }
suites: [${name}.mjs]
`,
  );
  try {
    const session = await openSession(config, {});
    const { probes } = makePlan(await session.suites(), session.planning(new Map()), 1, { suites: [name] });
    return `${probes.length} planned`;
  } catch (error) {
    return error instanceof InputError ? error.message.replaceAll(`${folder}/`, '') : `not refused: ${error}`;
  }
}

const step = `{ id: 'a', operation: 'createCase', as: 'full', role: 'test', key: { use: 'none' }, body: { use: 'none' }, deviations: [] }`;
const probe = (scenarios: string): string =>
  `*propose() { yield { kind: 'probe', id: 'p', operation: 'createCase', clauses: ['CMD-1'], scenarios: ${scenarios} } }`;
const waves = (text: string): string => probe(`[{ title: 's', bodies: {}, waves: ${text} }]`);

test('a well-formed proposal is planned', async () => {
  expect(await planned('good', waves(`[{ steps: [${step}] }, { wait: 'settle' }]`))).toBe('1 planned');
  expect(await planned('none', '*propose() {}')).toBe('0 planned');
  expect(await planned('listed', 'propose: () => []')).toBe('0 planned');
});

test.each([
  [
    'throws',
    "*propose() { throw new Error('no luck') }",
    "suite 'X': propose failed (no luck); fix the module",
  ],
  ['throws-text', "propose() { throw 'no luck' }", "suite 'X': propose failed (no luck); fix the module"],
  [
    'nothing',
    'propose() {}',
    "suite 'X': propose does not return proposals; write it as a generator, `*propose(...)`, that is not async",
  ],
  ['async', 'async *propose() {}', 'propose does not return proposals; write it as a generator'],
  ['text', "propose: () => 'abc'", 'propose does not return proposals'],
  [
    'endless',
    "*propose() { for (let i = 0; ; i += 1) yield { kind: 'probe', id: 'p' + i, operation: 'createCase', clauses: [], scenarios: [] } }",
    'propose does not end after 100000 proposals',
  ],
  ['null', '*propose() { yield null }', 'proposal 1: it is not an object; compare it with'],
  ['kind', '*propose() { yield {} }', "proposal 1: 'kind' must be 'probe' or 'skip'"],
  [
    'elsewhere',
    "*propose() { yield { kind: 'skip', operation: 'nowhere' } }",
    "'operation': there is no operation 'nowhere'",
  ],
  [
    'clauses',
    "*propose() { yield { kind: 'skip', operation: 'createCase', clauses: 'CMD-1' } }",
    "'clauses' must be a list of clause codes",
  ],
  [
    'need',
    "*propose() { yield { kind: 'skip', operation: 'createCase', clauses: [] } }",
    "'need' must be an object with 'kind' and 'remedy'",
  ],
  ['scenarios', probe('5'), "'scenarios' must be a list"],
  ['scenario', probe('[5]'), "'scenarios[0]' must be an object"],
  ['bodies', probe("[{ title: 's', bodies: { a: 1 }, waves: [] }]"), "'scenarios[0].bodies' must be"],
  ['waves', waves('5'), "'scenarios[0].waves' must be a list"],
  ['wave', waves('[{ stpes: [] }]'), "'scenarios[0].waves[0]' must have one of steps, wait"],
  ['steps', waves('[{ steps: 1 }]'), "'scenarios[0].waves[0].steps' must be a list of steps"],
  ['key', waves(`[{ steps: [{ ...${step}, key: 'none' }] }]`), "waves[0].steps[0].key' must be an object"],
  ['as', waves(`[{ steps: [{ ...${step}, as: 'nobody' }] }]`), "there is no principal 'nobody'"],
  ['lists', waves(`[{ steps: [{ ...${step}, deviations: undefined }] }]`), "deviations' must be a list"],
  ['within', waves(`[{ when: {}, waves: [{ poll: 3 }] }]`), "waves[0].waves[0].poll' must be an object"],
  ['random', probe('[], random: { arbitrary: {}, runs: 3 }'), "'random' must be an object"],
  [
    'twice',
    `*propose() { for (const _ of [1, 2]) yield { kind: 'probe', id: 'p', operation: 'createCase', clauses: [], scenarios: [] } }`,
    "proposal 2: there is already a probe 'p' on createCase; give it another name",
  ],
])('a suite that is wrong (%s) is named, with its mistake', async (name, propose, message) => {
  const said = await planned(name, propose);
  expect(said).toContain(message.replace("'X'", `'${name}'`));
  expect(said).toMatch(new RegExp(`^${name}\\.mjs(:\\d+:\\d+)?: suite '${name}': `));
});

test('the place in the module is shown', async () => {
  expect(await planned('placed', "*propose() { throw new Error('no luck') }")).toMatch(
    /^placed\.mjs:1:\d+: /,
  );
});
