import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '../model/json.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { readReport } from './bundle.ts';
import { writeDispute } from './dispute.ts';
import { inspect } from './inspect.ts';
import { merge } from './merge.ts';
import { judged } from './rejudge.ts';

const main = resolve('dist/src/cli/main.js');
const config = 'fixtures/contracts/extended.config.yaml';
const long = process.env['ASSAY_LONG'] === '1';
/** None races, so that the cells of two runs are equal; a busy machine may not reach the limit of the target. */
const suites = long
  ? 'borrowed-keys,combined-faults,credentials,missing-keys,schema-violations,throttling,wrong-permissions'
  : 'credentials,missing-keys';
const counts = long ? [1, 3, 7, 2] : [2];

let target: Awaited<ReturnType<typeof startFaulty>>['reference'] | undefined;
let folder = '';

type Ended = { readonly code: number | string; readonly out: string; readonly err: string };

function assay(args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1' };
  return new Promise((done) =>
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      done({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    ),
  );
}

function run(name: string, more: readonly string[]): Promise<Ended> {
  const given = ['--config', config, '--base-url', target?.url ?? '', '--budget', 'quick', '--seed', '4'];
  const narrowed = ['--suite', suites, '--operation', 'createCase'];
  return assay(['run', ...given, ...narrowed, '--output', folder, '--run-name', name, '--quiet', ...more]);
}

async function cellsOf(name: string): Promise<ReadonlyMap<string, string>> {
  const { cells } = await readReport(join(folder, name));
  return new Map(cells.map(({ clause, operation, verdict }) => [`${clause}/${operation}`, verdict]));
}

beforeAll(async () => {
  // A violation: 401 has no X-Request-Id.
  target = (
    await startFaulty(
      {
        attachRequestId: (incoming, answer) =>
          answer.status === 401
            ? answer
            : { ...answer, headers: [...answer.headers, ['X-Request-Id', incoming.requestId]] },
      },
      config,
    )
  ).reference;
  folder = await mkdtemp(join(tmpdir(), 'assay-shards-'));
  const { code, err } = await run('whole', []);
  expect(code, err).toBe(1);
}, 300_000);

afterAll(() => target?.close());

test.each(counts)(
  '%i shards in processes of their own find together what one process finds',
  async (count) => {
    const names = Array.from({ length: count }, (_, index) => `${index + 1}of${count}`);
    const shard = (name: string, part: string): Promise<Ended> =>
      run(name, ['--shard', part, '--run-id', `test-${count}`]);
    const ended = await Promise.all(names.map((name, index) => shard(name, `${index + 1}/${count}`)));
    ended.push(await shard(`last${count}`, 'last'));
    for (const { code, err, out } of ended) {
      expect([1, 3], err).toContain(code);
      if (count > 1) expect(out).toMatch(/(is|are) missing: /);
    }
    const out = join(folder, `merged${count}`);
    const folders = [...names, `last${count}`].map((name) => join(folder, name));
    const merged = await assay(['merge', ...folders, '--out', out]);
    expect(merged.code, merged.err).toBe(1);
    expect(merged.out).not.toMatch(/(is|are) missing: /);
    const whole = await cellsOf('whole');
    for (const [cell, verdict] of await cellsOf(`merged${count}`))
      if (!/^(THR|IDM-14)/.test(cell)) expect(verdict, cell).toBe(whole.get(cell));
    const { holds, problems } = await inspect(out, []);
    expect(problems).toEqual([]);
    expect(holds.join()).toContain('created.jsonl');
  },
  300_000,
);

const merged2 = (): string => join(folder, 'merged2');
const parts = ['1of2', '2of2', 'last2'];
const of = (...names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));

test('without a shard nothing is fully verified, and it is named', async () => {
  const missing = long ? ['2/2', 'last'] : ['2/2'];
  const { report } = await merge(of('1of2'), join(folder, 'without'));
  expect(report.run.shards).toEqual({ run: 'test-2', present: ['1/2'], missing });
  expect(report.verdict).toMatchObject({ certifiable: false, exitCodeOtherwise: 3 });
  expect(report.verdict.shortfalls).toContain(
    `${long ? 'shards are' : 'a shard is'} missing: ${missing.join(', ')} (assay merge)`,
  );
});

test('shards that do not belong together are refused, with what differs', async () => {
  const into = (name: string): string => join(folder, name, 'out');
  await expect(merge(of('1of2', '2of2', '1of2'), into('a'))).rejects.toThrow(
    /shard 1\/2 is in .*1of2 too; leave one of them out/,
  );
  await expect(merge(of('whole'), into('b'))).rejects.toThrow(/it is not a shard: it ran a whole plan/);
  await expect(merge(of('merged2'), into('c'))).rejects.toThrow(/it is merged already/);
  await expect(merge(of('1of2', 'nowhere'), into('d'))).rejects.toThrow(/nowhere.*there is no such log/);
  await expect(merge(of(...parts), merged2())).rejects.toThrow(/evidence already exists here/);
  const copy = async (name: string, change: (log: string) => string): Promise<string> => {
    await mkdir(join(folder, name));
    const log = await readFile(join(folder, '2of2/evidence.jsonl'), 'utf8');
    await writeFile(join(folder, name, 'evidence.jsonl'), change(log));
    return join(folder, name);
  };
  const altered = await copy('altered', (log) => log.replace('"seed":4', '"seed":5'));
  await expect(merge([...of('1of2'), altered], into('e'))).rejects.toThrow(
    /the digest of the lines before is .* an altered log cannot be merged/,
  );
  const killed = await copy('killed', (log) => log);
  await truncate(
    join(killed, 'evidence.jsonl'),
    (await readFile(join(killed, 'evidence.jsonl'))).length - 500,
  );
  await expect(merge([...of('1of2'), killed], into('f'))).rejects.toThrow(
    /shard 2\/2 did not end; continue it with `assay run --resume/,
  );
});

test('a merged log that was changed does not verify', async () => {
  const log = await readFile(join(merged2(), 'evidence.jsonl'), 'utf8');
  const problemsOf = async (name: string, text: string): Promise<string> => {
    const other = join(folder, name);
    await cp(merged2(), other, { recursive: true });
    await writeFile(join(other, 'evidence.jsonl'), text);
    const { report, problems } = await judged(join(other, 'evidence.jsonl'));
    return [...problems.map(({ problem }) => problem), ...(report.run.shards?.missing ?? [])].join('\n');
  };
  const shards = log.split(/(?<=\n)(?=\{"line":"header")/);
  expect(shards).toHaveLength(3);
  expect(await problemsOf('same', log)).toBe('');
  expect(await problemsOf('dropped', shards.slice(1).join(''))).toMatch(/^\d\/2$/);
  expect(await problemsOf('doubled', [...shards.slice(0, 2), ...shards.slice(0, 1)].join(''))).toMatch(
    /is there twice/,
  );
  const [first = '', second = ''] = shards;
  const seeded = (text: string, seed: number): string =>
    text.replace('"seed":4,"nonce"', `"seed":${seed},"nonce"`);
  expect(await problemsOf('other-seed', first + seeded(second, 6))).toMatch(
    /differs from the first one in seed/,
  );
  const lines = second.split('\n');
  const cut = [...lines.slice(0, 3), ...lines.slice(4)].join('\n');
  expect(await problemsOf('cut', first + cut)).toMatch(/the digest of the lines before is/);
  // The last is run when the others have ended.
  const header = parseJson(shards[2]?.split('\n')[0] ?? '');
  const early = (shards[2] ?? '').replace(
    String(Object(header).startedAt),
    String(Object(parseJson(first.split('\n')[0] ?? '')).startedAt),
  );
  expect(await problemsOf('early', [...shards.slice(0, 2), early].join(''))).toContain(
    'the last shard began before the others had ended',
  );
});

test('a finding of a merged run has a bundle of its own', async () => {
  const report = await readReport(merged2());
  const finding = report.violations.find(({ clause }) => clause === 'RID-3');
  expect(finding).toBeDefined();
  if (finding === undefined) return;
  const into = join(folder, 'dispute');
  expect(await writeDispute(merged2(), into, report, finding)).toContain('RID-3/createCase fail follows');
  expect((await inspect(into, [])).problems).toEqual([]);
});
