import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { optionsOf } from '../bench/options.ts';
import { assay } from './assay.ts';
import { type Comparison, compare, readDefects } from './compare.ts';
import { install, lacks, type Service, start } from './services.ts';
import type { Stack } from './stack.ts';
import { stacks } from './stacks.ts';

/** Anything that a run finds beyond the expected findings of a stack, or short of them, is an error. */
const values = optionsOf('interop', {
  seeds: { type: 'string', default: '1' },
  only: { type: 'string', multiple: true },
  budget: { type: 'string', default: 'standard' },
});
const source = resolve('interop');
const cache = resolve('node_modules/.cache/interop');
mkdirSync(cache, { recursive: true });

const names = values.only?.flatMap((list) => list.split(','));
const unknown = names?.filter((name) => !stacks.some((stack) => matches(stack, name))) ?? [];
if (unknown.length > 0) {
  console.error(`unknown stack '${unknown[0]}'; there are ${stacks.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = stacks.filter((stack) => names?.some((name) => matches(stack, name)) ?? true);
const seeds = values.seeds.split(',').map(Number);

let wrong = 0;
let tried = 0;
for (const stack of chosen) {
  const reason = ready(stack);
  if (reason !== undefined) {
    console.log(`${stack.name}: skipped, ${reason}`);
    continue;
  }
  for (const seed of seeds) {
    tried += 1;
    wrong += (await attempt(stack, seed)) ? 0 : 1;
  }
}
console.log(`${tried} runs, ${wrong} with missing or unexpected findings`);
process.exitCode = wrong > 0 || tried === 0 ? 1 : 0;

function matches({ name }: Stack, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}

function upstreamOf(stack: Stack): Stack | undefined {
  return stacks.find(({ name }) => name === stack.upstream);
}

function ready(stack: Stack): string | undefined {
  const upstream = upstreamOf(stack);
  return (
    lacks(stack) ?? install(stack, source, cache) ?? (upstream === undefined ? undefined : ready(upstream))
  );
}

async function started(stack: Stack, folder: string): Promise<Service> {
  const upstream = upstreamOf(stack);
  const behind = upstream === undefined ? undefined : await started(upstream, `${folder}-upstream`);
  return start(stack, source, cache, folder, behind);
}

async function attempt(stack: Stack, seed: number): Promise<boolean> {
  const [family = '', configuration = ''] = stack.name.split('/');
  const folder = join(cache, 'runs', `${family}-${configuration}-${seed}`);
  const file = join('interop', family, 'expected.yaml');
  const defects = readDefects(parse(readFileSync(file, 'utf8')), configuration, file);
  let service: Service | undefined;
  try {
    service = await started(stack, folder);
    const contract = await contractOf(stack, service, folder);
    const { declares, name } = stack;
    const outcome = assay(service, {
      contract,
      product: name,
      declares,
      seed,
      budget: values.budget,
      folder,
    });
    const result = compare(outcome.findings, defects);
    const { requests, seconds, counts } = outcome;
    console.log(
      `${name}  seed ${seed}  ${requests} requests, ${seconds.toFixed(0)} s  ${counts['pass']} pass, ` +
        `${counts['inconclusive']} inconclusive, ${counts['not-tested']} not tested  ${verdict(result)}`,
    );
    if (result.found.length > 0) console.log(`  found       ${result.found.join(' ')}`);
    for (const finding of result.missing) console.log(`  missing     ${finding}`);
    for (const finding of result.unexpected) console.log(`  unexpected  ${finding}`);
    if (result.missing.length + result.unexpected.length > 0) console.log(`  see         ${outcome.folder}`);
    return result.missing.length + result.unexpected.length === 0;
  } catch (error) {
    console.log(`${stack.name}  seed ${seed}  ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await service?.stop();
  }
}

function verdict({ found, missing, unexpected }: Comparison): string {
  return `${found.length} findings, ${missing.length} missing, ${unexpected.length} unexpected`;
}

/** The contract document of a stack: its file, or what the service publishes. */
async function contractOf({ contract }: Stack, { origin }: Service, folder: string): Promise<string> {
  if ('file' in contract) return join(source, contract.file);
  const file = join(folder, 'contract.json');
  writeFileSync(file, await (await fetch(`${origin}${contract.path}`)).text());
  return file;
}
