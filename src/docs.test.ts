import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { filled } from '../bench/pages/markdown.ts';
import { exitCodesOf, generatedParts } from '../bench/pages/pages.ts';
import { rowsOf } from '../bench/pages/schema-table.ts';
import type { CommandLine } from './cli/command-line.ts';
import { parseConfig } from './config/load.ts';
import { configSchema } from './config/schema.ts';
import {
  governedDocumentSchema,
  governedOperationSchema,
  governedQueryFieldSchema,
} from './contract/governed.ts';
import { loadContract } from './contract/load.ts';
import { isObject, type Json, type JsonObject } from './model/json.ts';
import { openSigner } from './run/signer.ts';
import { loadSuite } from './suite-kit/load.ts';
import { type Block, blocksOf, commandsOf } from './testing/blocks.ts';
import { usageProblem } from './testing/usage.ts';

const line: CommandLine = JSON.parse(
  execFileSync(process.execPath, [resolve('dist/src/cli/main.js'), 'completion', 'json'], {
    encoding: 'utf8',
  }),
);
const names = [
  'README.md',
  'CONTRIBUTING.md',
  ...(await readdir('docs'))
    .filter((name) => name.endsWith('.md') && name !== 'accuracy.md' && name !== 'peers.md')
    .map((name) => `docs/${name}`),
];
const pages = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')] as const)),
);
const blocks = [...pages].flatMap(([page, text]) => blocksOf(page, text));
const at = ({ page, line: number }: Block): string => `${page}:${number}`;
const of = (...languages: readonly string[]): readonly Block[] =>
  blocks.filter(({ language }) => languages.includes(language));
const blockMarked = (mark: string): string => blocks.find((block) => block.mark === mark)?.text ?? '';

describe('references', () => {
  test.each(Object.entries(generatedParts(line)))(
    '%s is what the code says (npm run docs)',
    (page, parts) => {
      const text = pages.get(page) ?? '';
      expect(text).toBe(filled(text, parts));
    },
  );

  test('every command says with which codes it ends', () => {
    const silent = line.commands.filter(({ notes }) => !exitCodesOf(notes).has('0'));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('every option and key says what it is for', () => {
    for (const { name, options } of line.commands)
      for (const { flags, description } of options) expect(description, `${name} ${flags}`).not.toBe('');
    const keys = [configSchema, governedOperationSchema, governedDocumentSchema, governedQueryFieldSchema];
    for (const { path, meaning } of keys.flatMap((schema) => rowsOf(schema)))
      expect(meaning, path).not.toBe('');
  });

  test('every link leads somewhere', async () => {
    const missing: string[] = [];
    for (const [page, text] of pages)
      for (const [, to = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g))
        if (
          !(await readFile(join(page, '..', to)).then(
            () => true,
            () => false,
          ))
        ) {
          const folder = await readdir(join(page, '..', to)).then(
            () => true,
            () => false,
          );
          if (!folder) missing.push(`${page}: ${to}`);
        }
    expect(missing).toEqual([]);
  });

  test('every page can be found from the README', () => {
    const linked = new Set<string>();
    const follow = (page: string): void => {
      if (linked.has(page)) return;
      linked.add(page);
      for (const [, to = ''] of (pages.get(page) ?? '').matchAll(/\]\(([^):#]+\.md)[^)]*\)/g))
        follow(join(page, '..', to));
    };
    follow('README.md');
    expect(names.filter((name) => !linked.has(name))).toEqual([]);
  });
});

/** Programs that pages may call in addition to ours. */
const others = [
  'openssl',
  'export',
  'source',
  'node',
  'npx',
  'npm',
  'cd',
  'mkdir',
  'git',
  'docker',
  'kubectl',
  'cat',
  'tar',
  '.ci/run',
];

function commandProblem(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words;
  if (program === 'assay') return usageProblem(line, rest);
  if (program === 'node' && rest[0] === 'dist/src/cli/main.js') return usageProblem(line, rest.slice(1));
  if (program === 'npx') {
    const [name, ...more] = rest.filter((word) => word !== '--no-install');
    return name === 'assay' ? usageProblem(line, more) : undefined;
  }
  if (program === 'npm' && rest[0] === 'run' && !scripts.has(rest[1] ?? ''))
    return `there is no script '${rest[1]}'`;
  return others.includes(program) ? undefined : `nobody knows '${program}'`;
}

let scripts = new Set<string>();
beforeAll(async () => {
  const { scripts: known } = JSON.parse(await readFile('package.json', 'utf8'));
  scripts = new Set(Object.keys(known));
});

describe('commands', () => {
  test.each(of('sh', 'bash').map((block) => [at(block), block] as const))('%s', (_, block) => {
    const commands = commandsOf(block.text);
    expect(commands.length).toBeGreaterThan(0);
    for (const words of commands) expect(commandProblem(words), words.join(' ')).toBeUndefined();
  });

  test('in the text are understood', () => {
    const problems = [...pages].flatMap(([page, text]) =>
      [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`((?:npx )?assay [a-z][^`]*)`/g)].flatMap(
        ([, call = '']) =>
          // `assay run --suite` names an option; `<command> [options]` is a pattern.
          commandsOf(call.replaceAll(/\[options\] ?/g, '')).flatMap((words) => {
            const problem = commandProblem(words);
            return problem === undefined || /needs a value|takes \d+ arguments|needs '--/.test(problem)
              ? []
              : [`${page}: ${call}: ${problem}`];
          }),
      ),
    );
    expect(problems).toEqual([]);
  });
});

// What a fragment of a configuration leaves out.
const rest = `
target: { baseUrl: "https://api.example.test", environment: test }
contract: ./contract.yaml
principals: { full: { token: { env: TOKEN }, permissions: [case.create] } }
`;
const withRest = (fragment: JsonObject): string =>
  JSON.stringify({ ...(parse(rest) as JsonObject), ...fragment });
const configKeys = Object.keys(configSchema['properties'] ?? {});
const governed = new Ajv2020({ strict: false });

async function yamlProblem(text: string): Promise<string | undefined> {
  const value: Json = parse(text);
  if (value === null) return undefined;
  const lists = Array.isArray(value) ? value : [value];
  // Steps of a workflow.
  const calls = JSON.stringify(lists).matchAll(/"(?:run|script)":"((?:[^"\\]|\\.)*)"/g);
  for (const [, call = ''] of calls)
    for (const words of commandsOf(JSON.parse(`"${call}"`))) {
      const problem = commandProblem(words);
      if (problem !== undefined) return `${words.join(' ')}: ${problem}`;
    }
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  const has = (key: string): boolean => keys.includes(key);
  if (has('openapi')) {
    const file = join(await mkdtemp(join(tmpdir(), 'assay-docs-')), 'contract.yaml');
    await writeFile(file, text);
    const contract = await loadContract(file);
    return contract.leftOut?.length || contract.warnings?.length
      ? JSON.stringify([contract.leftOut, contract.warnings])
      : undefined;
  }
  if (has('suite')) {
    const file = join(await mkdtemp(join(tmpdir(), 'assay-docs-')), 'suite.yaml');
    await writeFile(file, text);
    await loadSuite(file);
    return undefined;
  }
  if (has('x-governed') && keys.length === 1) {
    const schemas = [governedOperationSchema, governedDocumentSchema, governedQueryFieldSchema];
    return schemas.some((schema) => governed.compile(schema)(value['x-governed']))
      ? undefined
      : 'x-governed is refused by its schema';
  }
  if (keys.every((key) => configKeys.includes(key))) {
    parseConfig(withRest(value), 'harness.config.yaml');
    return undefined;
  }
  // Paths of a contract: the test of the worked examples puts them into one.
  if (keys.every((key) => key.startsWith('/'))) return undefined;
  return ['jobs', 'stages', 'include', 'conformance', 'apiVersion', 'services'].some(has)
    ? undefined
    : `nobody knows what this is: ${keys.join(', ')}`;
}

describe('YAML', () => {
  test.each(of('yaml', 'yml').map((block) => [at(block), block] as const))('%s', async (_, block) => {
    expect(await yamlProblem(block.text)).toBeUndefined();
  });

  test('the example of a configuration has every key', () => {
    const example: Json = parse(blockMarked('example: every key'));
    const missing = rowsOf(configSchema)
      .map(({ path }) => path)
      // `value` is for a target on this machine, a point has readings of its own, and one thing signs.
      .filter(
        (path) =>
          !path.startsWith('declares.') &&
          !/\.token\.value$|^target\.clientC.*\.(file|env)$|^target\.sign\.command$/.test(path),
      )
      .filter((path) => !reaches(example, path.replaceAll('[]', '.[]').split('.')));
    expect(missing).toEqual([]);
  });

  test('the example of a signer signs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-docs-'));
    await writeFile(join(folder, 'sign.mjs'), blockMarked('example: sign.js'));
    await writeFile(
      join(folder, 'h.yaml'),
      rest.replace('target: {', 'target: { sign: { module: ./sign.mjs },'),
    );
    process.env['CASES_SIGNING_KEY'] = 'a-key';
    const file = join(folder, 'h.yaml');
    const signer = await openSigner(parseConfig(await readFile(file, 'utf8'), file));
    const request = { method: 'GET', url: 'https://a.test/cases', headers: [], body: new Uint8Array() };
    expect(await signer?.sign(request, new AbortController().signal)).toEqual({
      headers: [
        ['X-Signature-Time', expect.stringMatching(/^\d{4}-/)],
        ['X-Signature', expect.stringMatching(/^[0-9a-f]{64}$/)],
      ],
    });
  });

  test('the defaults of the schema are those of a configuration that names none', () => {
    const { target, throttling, contractMegabytes, ...config } = parseConfig(rest, 'harness.config.yaml');
    const defaults = Object.fromEntries(
      rowsOf(configSchema).flatMap((row) => (row.default === undefined ? [] : [[row.path, row.default]])),
    );
    expect(contractMegabytes).toBeUndefined();
    expect(defaults).toEqual({
      'target.timeoutMs': String(target.timeoutMs),
      'target.returnSeconds': String(target.returnSeconds),
      'target.http2': String(target.http2),
      'target.sign.timeoutSeconds': String(
        parseConfig(
          withRest({ target: { baseUrl: 'https://a.test', environment: 'test', sign: { command: 'x' } } }),
          'h.yaml',
        ).target.sign?.timeoutSeconds,
      ),
      'target.exclusive': String(target.exclusive),
      contractMegabytes: '32',
      'principals.<name>.state': '"valid"',
      'principals.<name>.use': '"any"',
      'throttling.maxRequests': String(throttling.maxRequests),
      'throttling.maxSeconds': String(throttling.maxSeconds),
      'throttling.maxWaitSeconds': String(throttling.maxWaitSeconds),
      'hooks.<name>.http.method': '"POST"',
      'hooks.<name>.timeoutSeconds': '30',
      budget: `"${config.budget}"`,
      concurrency: String(config.concurrency),
      output: `"${config.output}"`,
    });
  });

  test('each key of x-governed has an example', () => {
    const examples = blocks
      .filter(({ page, language }) => page === 'docs/contract.md' && language === 'yaml')
      .map(({ text }): Json => parse(text))
      .flatMap((value) => (isObject(value) && !('openapi' in value) ? [value['x-governed'] ?? null] : []));
    const all = [governedOperationSchema, governedDocumentSchema, governedQueryFieldSchema];
    const missing = all
      .flatMap((schema) => rowsOf(schema).map(({ path }) => path))
      .filter((path) => !examples.some((example) => reaches(example, path.split('.'))));
    expect(missing).toEqual([]);
  });
});

/** Whether an example has a value at a path; `<name>` and `[]` stand for any. */
function reaches(value: Json, path: readonly string[]): boolean {
  const [first, ...more] = path;
  if (first === undefined) return true;
  if (value === null || typeof value !== 'object') return false;
  const inside: readonly (readonly [string, Json])[] = Object.entries(value);
  return inside
    .filter(([name]) => first === '<name>' || first === '[]' || name === first)
    .some(([, member]) => reaches(member, more));
}

test.each(of('json').map((block) => [at(block), block] as const))('JSON at %s', (_, block) => {
  expect(() => JSON.parse(block.text)).not.toThrow();
});

test('an error is shown as it is printed', () => {
  const shown = blockMarked('output: bad key')
    .trim()
    .replace(/^assay: /, '');
  const text = rest.replace('principals:', 'pricipals:').trim();
  expect(() => parseConfig(text, 'my.config.yaml')).toThrow(shown);
});

test('every output names what prints it', () => {
  expect(
    of('text', '')
      .filter(({ mark }) => mark?.startsWith('output: ') !== true)
      .map(at),
  ).toEqual([]);
});
