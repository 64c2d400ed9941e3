import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bombs, detonated, ordinarySeconds } from '../src/testing/attack/bombs.ts';
import { hostileTargets } from '../src/testing/attack/target.ts';
import { type Mode, type Played, played } from '../src/testing/attack/targets.ts';
import { type AttackResult, tryMutations } from './attack/mutations.ts';

/**
 * Attacks the harness: mutations of a signed bundle, contracts that are to hang it, hostile targets. Contracts and
 * targets meet the command line in a process of its own.
 *
 * node attack.js [--only mutations,targets,bombs] [--names name,name] [--mutations 1000] [--seed 1] [--at-once 4]
 */
const flag = (name: string, usual: string): string => {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
};
const names = flag('--names', '').split(',').filter(Boolean);
const atOnce = Number(flag('--at-once', '4'));

const parts: Readonly<Record<string, () => Promise<AttackResult>>> = {
  mutations: () => tryMutations(Number(flag('--mutations', '1000')), Number(flag('--seed', '1'))),
  bombs: async () => {
    const all = (await bombs()).filter(({ name }) => names.length === 0 || names.includes(name));
    const failures: string[] = [];
    const usual = await ordinarySeconds();
    for (const bomb of all)
      for (const problem of await detonated(bomb, usual)) failures.push(`${bomb.name}: ${problem}`);
    return {
      summary: `${all.length} contracts that are to hang the harness: ${failures.length} problems`,
      failures,
    };
  },
  targets: async () => {
    const waiting = hostileTargets()
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .flatMap((target) => (['all', 'some'] as const).map((mode: Mode) => ({ target, mode })))
      .filter(({ target, mode }) => mode === 'some' || target.to.status === undefined);
    const done: Played[] = [];
    const next = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const result = await played(one.target, one.mode, { maxSeconds: 10, suites: [] });
        done.push(result);
        console.log(lineOf(result));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    const most = (of: (one: Played) => number): string => Math.max(...done.map(of)).toFixed(0);
    return {
      summary: `${done.length} runs against hostile targets, longest ${most(({ seconds }) => seconds)} s, most memory ${most(({ megabytes }) => megabytes)} MB: ${done.filter(({ problems }) => problems.length > 0).length} failed`,
      failures: done.flatMap(({ target, mode, problems }) =>
        problems.map((problem) => `${target.name}, ${mode}: ${problem}`),
      ),
    };
  },
};

function lineOf({ target, mode, code, seconds, megabytes, accused, problems }: Played): string {
  const how = `exit ${code ?? '-'}, ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB, ${accused.length} accused`;
  return `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${target.name}, ${mode}: ${how}`;
}

// All that the attacks write, thousands of bundles, is below one folder.
const folder = await mkdtemp(join(tmpdir(), 'assay-attack-'));
process.env['TMPDIR'] = folder;
for (const name of flag('--only', Object.keys(parts).join(',')).split(',')) {
  const { summary, failures } = (await parts[name]?.()) ?? {
    summary: name,
    failures: ['there is no such part'],
  };
  for (const one of failures) console.log(`FAIL ${one}`);
  console.log(summary);
  if (failures.length > 0) process.exitCode = 1;
}
if (process.exitCode === undefined) await rm(folder, { recursive: true, force: true });
else console.log(`what the failures left: ${folder}`);
