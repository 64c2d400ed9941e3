import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

/** What each folder may import of the others. Dependencies point one way. */
const may: Readonly<Record<string, readonly string[]>> = {
  'src/model': [],
  'src/document': ['src/model'],
  'src/generate': ['src/model'],
  'src/contract': ['src/model', 'src/document'],
  'src/config': ['src/model', 'src/document', 'src/oracle'],
  'src/oracle': ['src/model', 'src/generate'],
  'src/clauses': ['src/model', 'src/oracle'],
  'src/judge.ts': ['src/model'],
  'src/suite-kit': ['src/model', 'src/generate', 'src/document'],
  'src/wire': ['src/model'],
  'src/evidence': ['src/model'],
  'src/engine': ['src/model', 'src/oracle', 'src/suite-kit', 'src/judge.ts'],
  'src/report': ['src/model', 'src/judge.ts', 'src/evidence', 'src/oracle'],
  'src/reference': ['src/model', 'src/contract', 'src/generate'],
  'src/run': [
    'src/model',
    'src/document',
    'src/contract',
    'src/config',
    'src/oracle',
    'src/clauses',
    'src/judge.ts',
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

const files = ['src', 'suites'].flatMap(sources).filter((file) => file !== 'src/index.ts');

function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
}

test.each(files)('%s imports only what its folder may', (file) => {
  const home = homeOf(file);
  for (const imported of importsOf(file)) {
    if (imported.startsWith('.')) {
      const other = homeOf(relative('.', normalize(join(dirname(file), imported))));
      if (other !== home && home !== 'src/cli')
        expect(may[home] ?? [], `${file} imports ${imported}`).toContain(other);
    } else
      for (const { module, to } of only)
        if (module.test(imported)) expect(to, `${file} imports ${imported}`).toContain(home);
  }
});

test('there is no dumping ground', () => {
  expect(
    files.filter((file) => /(^|\/)(utils?|helpers?|common|base|misc|shared)(\/|\.)/i.test(file)),
  ).toEqual([]);
});

test('time, randomness, the console and exits stay at the edges', () => {
  const inner = files.filter((file) => !/^src\/(cli|run|selftest|reference)\//.test(file));
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
