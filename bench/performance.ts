import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { optionsOf } from './options.ts';
import { growth, ratio } from './performance/cost.ts';
import { judged } from './performance/judged.ts';
import { rendering } from './performance/rendering.ts';
import { type Kept, page, plainText, type Section } from './performance/section.ts';
import { start } from './performance/start.ts';
import { targets } from './performance/targets.ts';
import { virtual } from './performance/virtual.ts';

/** `npm run bench` measures all parts and writes docs/performance.md; `--only start` one part; `--large` adds the largest. */
const values = optionsOf('bench', {
  only: { type: 'string', multiple: true },
  large: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
});
const parts: Readonly<Record<string, () => Promise<Section>>> = {
  start,
  virtual,
  targets: () => targets(values.quick ? ['quick'] : ['quick', 'standard']),
  ratio,
  growth: () => growth(values.quick ? [1, 29] : values.large ? [1, 29, 293, 2930] : [1, 29, 293]),
  judge: () => judged(values.quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]),
  rendering: () => rendering(100_000),
};
const order = Object.keys(parts);
const unknown = (values.only ?? []).filter((name) => !order.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `bench: there is no part '${unknown.join(', ')}'; the parts are ${order.join(', ')}\n`,
  );
  process.exit(2);
}

const data = 'docs/performance.json';
const text = await readFile(data, 'utf8').catch(() => '{}');
let kept: Readonly<Record<string, Kept>> = JSON.parse(text);
const [cpu] = cpus();
const machine = `${cpus().length} cores (${cpu?.model.trim() || 'unnamed'}), Node ${process.versions.node}`;
for (const [name, measure] of Object.entries(parts)) {
  if (values.only !== undefined && !values.only.includes(name)) continue;
  const section = await measure();
  process.stdout.write(`${plainText(section)}\n`);
  kept = { ...kept, [name]: { ...section, at: new Date().toISOString().slice(0, 10), machine } };
  // What was measured so far is worth keeping.
  await writeFile(data, `${JSON.stringify(kept, undefined, 2)}\n`);
  execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', data]);
  await writeFile('docs/performance.md', page(kept, order));
}
process.exit(0);
