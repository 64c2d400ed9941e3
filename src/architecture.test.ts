import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** What each folder may import of the others. Dependencies point one way. */
const may: Readonly<Record<string, readonly string[]>> = {
  'src/model': [],
  'src/document': ['src/model'],
  'src/generate': [],
  'src/contract': ['src/model', 'src/document'],
  'src/config': ['src/model', 'src/generate', 'src/document', 'src/oracle'],
  'src/oracle': ['src/model', 'src/generate'],
  'src/clauses': ['src/model', 'src/oracle'],
  'src/judge-repeats.ts': ['src/model'],
  'src/judge-cells.ts': ['src/model', 'src/judge-repeats.ts'],
  'src/judge.ts': ['src/model', 'src/judge-cells.ts', 'src/judge-repeats.ts'],
  'src/run-verdict.ts': ['src/model'],
  'src/suite-kit': ['src/model', 'src/generate', 'src/document'],
  'src/wire': ['src/model'],
  'src/evidence': ['src/model', 'src/document'],
  'src/engine': ['src/model', 'src/oracle', 'src/suite-kit', 'src/judge.ts'],
  'src/report': ['src/model', 'src/document', 'src/judge.ts', 'src/evidence', 'src/oracle'],
  'src/reference': ['src/model', 'src/contract', 'src/generate'],
  'src/run': [
    'src/model',
    'src/document',
    'src/contract',
    'src/config',
    'src/oracle',
    'src/clauses',
    'src/judge.ts',
    'src/run-verdict.ts',
    'src/suite-kit',
    'src/wire',
    'src/evidence',
    'src/engine',
    'src/report',
    'src/reference',
  ],
  'src/selftest': [
    'src/model',
    'src/document',
    'src/contract',
    'src/config',
    'src/clauses',
    'src/judge.ts',
    'src/run-verdict.ts',
    'src/reference',
    'src/run',
  ],
  'src/vitest.ts': ['src/clauses', 'src/report', 'src/run'],
  suites: ['src/model', 'src/contract', 'src/generate', 'src/suite-kit', 'src/oracle'],
};

/** Packages and built-in modules that belong to some folders alone. */
const only: readonly { readonly module: RegExp; readonly to: readonly string[] }[] = [
  { module: /^undici$/, to: ['src/wire', 'src/run', 'src/cli'] },
  { module: /^yaml$/, to: ['src/document'] },
  { module: /^commander$/, to: ['src/cli'] },
  {
    module: /^node:fs/,
    to: [
      'src/config',
      'src/contract',
      'src/evidence',
      'src/report',
      'src/suite-kit',
      'src/run',
      'src/selftest',
      'src/testing',
      'src/cli',
    ],
  },
];

function sources(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) ? [path] : [];
  });
}

function homeOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? `src/${second}` : top;
}

const files = ['src', 'suites', 'bench', 'interop'].flatMap(sources);

/** The modules of the project that a file imports, types included. */
function importsOf(file: string): readonly string[] {
  return namesIn(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)));
}

function namesIn(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
}

/** What stands above all other folders: nobody imports it. */
const tops = ['src/cli', 'src/index.ts', 'src/testing', 'bench', 'interop'];

test.each(files)('%s imports only what its folder may', (file) => {
  const home = homeOf(file);
  for (const other of importsOf(file).map(homeOf))
    if (other !== home && !tops.includes(home)) expect(may[home] ?? []).toContain(other);
  for (const name of namesIn(file))
    for (const { module, to } of only)
      if (module.test(name) && home.startsWith('src')) expect(to).toContain(home);
});

test('of src/generate, others import its public module alone', () => {
  const inner = files
    .filter((file) => homeOf(file) !== 'src/generate')
    .flatMap((file) => importsOf(file).map((other) => `${file} -> ${other}`))
    .filter((line) => / -> src\/generate\/(?!index\.ts$)/.test(line));
  expect(inner).toEqual([]);
});

test('what the folders may import leads one way', () => {
  const folders = new Map(Object.entries(may));
  expect(circlesIn([...folders.keys()], (folder) => folders.get(folder) ?? [])).toEqual([]);
  expect([...folders.values()].flat().filter((folder) => tops.includes(folder))).toEqual([]);
});

test('no import leads in a circle', () => {
  expect(circlesIn(files, (file) => importsOf(file).filter((other) => files.includes(other)))).toEqual([]);
});

test('a circle is found', () => {
  const leads: Readonly<Record<string, readonly string[]>> = { a: ['b'], b: ['c'], c: ['b'], d: ['a'] };
  expect(circlesIn(Object.keys(leads), (name) => leads[name] ?? [])).toEqual(['b -> c -> b']);
});

/** Each circle once, as the way round: `a -> b -> a`. */
function circlesIn(names: readonly string[], next: (name: string) => readonly string[]): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) found.push([...way.slice(way.indexOf(name)), name].join(' -> '));
    if (done.has(name) || way.includes(name)) return;
    for (const other of next(name)) visit(other, [...way, name]);
    done.add(name);
  };
  for (const name of names) visit(name, []);
  return found;
}

test('there is no dumping ground', () => {
  expect(
    files.filter((file) => /(^|\/)(utils?|helpers?|common|base|misc|shared)(\/|\.)/i.test(file)),
  ).toEqual([]);
});

test('time, randomness, the console and exits stay at the edges', () => {
  const inner = files.filter((file) => !/^(bench|interop|src\/(cli|run|selftest|reference))\//.test(file));
  const guilty = inner.filter((file) =>
    /\bDate\.now\(|\bMath\.random\(|\bconsole\.|\bprocess\.exit\(|\bnew Date\(\)/.test(
      readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
    ),
  );
  expect(guilty).toEqual([]);
});

test('only the redaction gate marks what may be written', () => {
  const guilty = files.filter((file) => /\bas (?:unknown as )?Clean\b/.test(readFileSync(file, 'utf8')));
  expect(guilty).toEqual(['src/evidence/gate.ts']);
});
