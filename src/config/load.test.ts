import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../model/input-error.ts';
import type { Overrides } from './config.ts';
import { loadConfig, parseConfig } from './load.ts';
import { configSchema } from './schema.ts';

const SECRET = 'Sesame-Open-4711-Xyzzy';

const minimal = `target:
  baseUrl: http://127.0.0.1:8080/v1/
  environment: test
contract: ./contract.yaml
principals:
  full:
    token: { value: ${SECRET} }
    permissions: [case.create]
`;

function messageOf(text: string, overrides: Overrides = {}): string {
  try {
    parseConfig(text, 'some/harness.config.yaml', overrides);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'no error';
}

function edited(from: string, to: string): string {
  if (!minimal.includes(from)) throw new Error(`the text has no '${from}'`);
  return minimal.replace(from, () => to);
}

describe('a configuration', () => {
  test('has defaults, and paths seen from its folder', () => {
    const config = parseConfig(minimal, 'some/harness.config.yaml');
    expect(config).toMatchObject({
      file: 'some/harness.config.yaml',
      contract: 'some/contract.yaml',
      output: 'some/reports',
      target: {
        baseUrl: 'http://127.0.0.1:8080/v1',
        environment: 'test',
        headers: {},
        timeoutMs: 10_000,
        returnSeconds: 30,
        exclusive: false,
        ca: undefined,
      },
      principals: [
        {
          name: 'full',
          permissions: ['case.create'],
          scope: undefined,
          state: 'valid',
          identity: 'full',
          use: 'any',
        },
      ],
      throttling: { maxRequests: 300, maxSeconds: 30, maxWaitSeconds: 90, limit: undefined },
      declared: { written: {} },
      suites: [],
      waivers: [],
      seed: undefined,
      budget: 'standard',
      maxRequests: undefined,
      maxSeconds: undefined,
      concurrency: 8,
    });
    expect(config.tokens).toEqual(new Map([['full', { value: SECRET }]]));
    expect(config.positions.get('/principals/full/token')).toEqual({ line: 7, column: 5 });
  });

  test('says everything that it can say', () => {
    const text = `${minimal}operations: { createCase: { examples: [{ subject: a }] } }
declares: { G1: replay, G8: { maxBodyBytes: 1000 }, G15: { seconds: 2 }, G16: { naming: exact }, G17: uuid }
throttling: { maxRequests: 50, limit: { requests: 10, perSeconds: 1 } }
hooks:
  slow: { http: { url: https://hooks.example.test/slow, method: PUT, headers: { X-A: b } } }
  verify: { command: ./verify.sh, timeoutSeconds: 5 }
suites: [own/a.yaml, /abs/b.ts]
waivers: [{ clause: VAL-4, owner: me, reason: soon, expires: 2027-03-31 }]
seed: -7
budget: quick
maxRequests: 1000
maxSeconds: 60
concurrency: 4
ranBy: release pipeline
output: ../out
`.replace('environment: test', 'environment: test\n  approvedScope: "order 7, 14 operations"');
    const config = parseConfig(text, 'some/harness.config.yaml');
    expect(config).toMatchObject({
      declared: { G1: 'replay', G8: { unthrottled: false, rate: { requests: 10, perSeconds: 1 } }, G15: 2 },
      throttling: { maxRequests: 50, maxSeconds: 30, limit: { requests: 10, perSeconds: 1 } },
      suites: ['some/own/a.yaml', '/abs/b.ts'],
      waivers: [
        { clause: 'VAL-4', operation: undefined, owner: 'me', reason: 'soon', expires: '2027-03-31' },
      ],
      seed: -7,
      budget: 'quick',
      maxRequests: 1000,
      maxSeconds: 60,
      concurrency: 4,
      ranBy: 'release pipeline',
      output: 'out',
      target: { approvedScope: 'order 7, 14 operations' },
    });
    expect(config.examples.get('createCase')).toEqual([{ subject: 'a' }]);
    expect(config.hooks.get('slow')).toEqual({
      kind: 'http',
      url: 'https://hooks.example.test/slow',
      method: 'PUT',
      headers: { 'X-A': 'b' },
      timeoutSeconds: 30,
    });
    expect(config.hooks.get('verify')).toEqual({
      kind: 'command',
      command: './verify.sh',
      timeoutSeconds: 5,
    });
  });

  test('yields to the command line', () => {
    const config = parseConfig(minimal, 'harness.config.yaml', {
      baseUrl: 'reference',
      seed: 3,
      budget: 'thorough',
      maxRequests: 9,
      maxSeconds: 8,
      concurrency: 2,
      output: 'elsewhere',
    });
    expect(config.target.baseUrl).toBeUndefined();
    expect(config).toMatchObject({
      seed: 3,
      budget: 'thorough',
      maxRequests: 9,
      maxSeconds: 8,
      concurrency: 2,
      output: 'elsewhere',
    });
  });

  test('for production needs a flag', () => {
    const text = edited('environment: test', 'environment: production');
    expect(messageOf(text)).toMatch(
      /^some\/harness\.config\.yaml:3:16: .* production .*; .*--allow-production/,
    );
    expect(messageOf(text, { allowProduction: true })).toBe('no error');
  });
});

describe('errors say what, where and what to do', () => {
  const at = 'some/harness.config.yaml';
  test.each<[text: string, message: string]>([
    [edited('principals:', 'principels:'), `${at}:5:1: unknown key 'principels'; did you mean 'principals'?`],
    [
      edited('permissions:', 'permisions:'),
      `${at}:8:5: unknown key 'permisions'; did you mean 'permissions'?`,
    ],
    [
      edited('environment: test', 'environment: tset'),
      `${at}:3:16: 'environment' must be one of test, staging, production; did you mean 'test'?`,
    ],
    [
      edited('contract: ./contract.yaml\n', ''),
      `${at}:1:1: 'contract' is missing; add it: name the OpenAPI 3.1 document`,
    ],
    [
      edited('[case.create]', 'case.create'),
      `${at}:8:18: 'permissions' must be a list; list the exact permissions`,
    ],
    [edited('full:', '9full:'), `${at}:6:3: the key '9full' has a form that is not allowed; use letters`],
    [
      edited('{ value: ', '{ env: A, value: '),
      `${at}:7:12: 'token' must have at most one member; write one of { env: NAME }`,
    ],
    [edited(`{ value: ${SECRET} }`, SECRET), `${at}:7:12: 'token' must be a mapping; write one of`],
    [
      `${minimal}declares: { G1: maybe }\n`,
      `${at}:9:17: 'G1' must be one of replay, conflict; write replay if`,
    ],
    [
      `${minimal}declares: { G2: '400' }\n`,
      `${at}:9:17: 'G2' must be one of 422, 400, 409; write 400 without quotes`,
    ],
    [
      `${minimal}declares: { G8: often }\n`,
      `${at}:9:17: 'G8' has none of the forms that are allowed; write unthrottled, limits`,
    ],
    [
      `${minimal}declares: { G8: { maxBodyBites: 3 } }\n`,
      `${at}:9:19: unknown key 'maxBodyBites'; did you mean 'maxBodyBytes'?`,
    ],
    [`${minimal}declares: { G20: x }\n`, `${at}:9:13: unknown key 'G20'; did you mean 'G2'?`],
    [`${minimal}hooks: { slow: { http: { url: ftp://a } } }\n`, `${at}:9:31: 'url' must match`],
    [
      `${minimal}hooks: { slow: { timeoutSeconds: 3 } }\n`,
      `${at}:9:16: 'slow' has none of the forms that are allowed; write { http: { url: ... } } or`,
    ],
    [
      `${minimal}hooks: { slow: { http: { url: 'reference:/slow' } } }\n`,
      `${at}:9:31: the hook 'slow' is one of the embedded reference service, which is not the target; write the URL`,
    ],
    [
      `${minimal}waivers: [{ clause: VAL-4, owner: a, reason: b, expires: 2027-02-31 }]\n`,
      `${at}:9:58: 'expires' is not a valid date; write the last day`,
    ],
    [
      `${minimal}waivers: [{ clause: VAL-4, reason: b, expires: 2027-02-01 }]\n`,
      `${at}:9:11: 'owner' is missing; add it: name who is responsible for it`,
    ],
    [`${minimal}seed: 1.5\n`, `${at}:9:7: 'seed' must be a whole number; write a whole number of 32 bits`],
    [`${minimal}concurrency: 0\n`, `${at}:9:14: 'concurrency' must be at least 1`],
    [
      edited('environment: test', 'environment: test\n  headers: { authorization: x }'),
      `${at}:4:14: the harness itself sets 'authorization'; remove it: tokens belong under 'principals'`,
    ],
    [
      edited('environment: test', 'environment: test\n  headers: { X-A: 1 }'),
      `${at}:4:19: 'X-A' must be text; put it in quotes: without them it is read as a number`,
    ],
    [
      edited('environment: test', 'environment: test\n  version: 1.10'),
      `${at}:4:12: 'version' must be text; put it in quotes: without them it is read as a number`,
    ],
    [
      `${minimal}operations: { a: { targets: [{ id: x }, { id: 17 }] } }\n`,
      `${at}:9:47: 'id' must be text; put it in quotes: without them it is read as a number`,
    ],
    [
      `${minimal}operations: { a: { targets: [17] } }\n`,
      `${at}:9:30: this item must be a mapping; write a record by its path fields`,
    ],
    [
      `${minimal}operations: { a: { targets: [{ id: yes }, { id: true }] } }\n`,
      `${at}:9:49: 'id' must be text; put it in quotes: without them it is read as true or false`,
    ],
    ['', `${at}:1:1: the document must be a mapping`],
    ['a: [', `${at}:`],
  ])('%#', (text, message) => {
    expect(messageOf(text)).toContain(message);
    expect(messageOf(text)).not.toContain(SECRET);
  });

  test.each([
    ['api.example.test', 'the base URL is not an absolute URL'],
    ['ftp://api.example.test', 'the base URL is neither http nor https'],
    ['http://user:hunter2hunter2@localhost', 'the base URL holds credentials'],
    ['http://localhost/?a=b', 'the base URL has a query'],
    ['http://localhost/?', 'the base URL has a query'],
    ['http://localhost/#a', 'the base URL has a fragment'],
    ['http://localhost/{tenant}', 'the base URL has a placeholder in braces, which nothing fills in'],
    ['http://$' + '{HOST}/api', 'the base URL has a placeholder in braces, which nothing fills in'],
  ])('base URL %s', (url, message) => {
    const text = edited('http://127.0.0.1:8080/v1/', `'${url}'`);
    expect(messageOf(text)).toContain(`${at}:2:12: ${message}; write an absolute http or https URL`);
    expect(messageOf(text)).not.toContain('hunter2');
    expect(messageOf(minimal, { baseUrl: url })).toContain(`--base-url: ${message}; `);
  });

  test('a missing file', async () => {
    await expect(loadConfig('no/such.yaml')).rejects.toThrow(
      'no/such.yaml: there is no such file; name a configuration',
    );
  });

  test('a pipe, a device or a huge file is refused, and not read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-config-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await writeFile(join(folder, 'huge'), '');
    await truncate(join(folder, 'huge'), 33 * 1024 * 1024);
    for (const file of [join(folder, 'pipe'), '/dev/zero', folder])
      await expect(loadConfig(file)).rejects.toThrow(`${file}: this is not a regular file; name a file`);
    await expect(loadConfig(join(folder, 'huge'))).rejects.toThrow('the configuration is larger than 32 MB');
  });

  test('a file that is not UTF-8 is refused', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'assay-config-')), 'a.yaml');
    for (const bytes of [Buffer.from(`\ufeff${minimal}`, 'utf16le'), Buffer.from('ranBy: \xe4', 'latin1')]) {
      await writeFile(file, bytes);
      await expect(loadConfig(file)).rejects.toThrow(`${file}: the file is not UTF-8; save it as UTF-8`);
    }
    await writeFile(file, `\ufeff${minimal}`);
    expect((await loadConfig(file)).target.environment).toBe('test');
  });

  test('a timeout that no timer can hold is refused', () => {
    const timeout = (ms: string): string =>
      messageOf(edited('  environment: test', `  environment: test\n  timeoutMs: ${ms}`));
    expect(timeout('1000000000000')).toContain("4:14: 'timeoutMs' must be at most 3600000; write");
    expect(timeout('3600000')).toBe('no error');
  });

  test('several are printed, the first in the file first', () => {
    const text = edited('environment: test', 'environment: tset').replace('contract:', 'pact:');
    expect(messageOf(text)).toMatch(
      /^some\/harness\.config\.yaml:1:1: 'contract' is missing.*\n.*:3:16: 'environment' must be .*\n.*:4:1: unknown key 'pact'.*$/,
    );
  });
});

describe('tokens in the file', () => {
  test.each([
    'reference',
    'http://localhost:1',
    'http://127.8.9.10',
    'http://0x7f.1/',
    'https://[::1]:8443/a',
    'http://LOCALHOST',
  ])('are allowed for %s', (url) => {
    expect(messageOf(edited('http://127.0.0.1:8080/v1/', `'${url}'`))).toBe('no error');
  });

  test.each([
    'https://api.example.test',
    'http://127.0.0.1.example.test',
    'http://128.0.0.1',
    'http://[::2]',
  ])('are refused for %s', (url) => {
    const message = messageOf(minimal, { baseUrl: url });
    expect(message).toContain(
      "some/harness.config.yaml:7:12: the token of 'full' is in the file itself, but the target is another machine; " +
        'take it from the environment: { env: TOKEN_FULL }',
    );
    expect(message).not.toContain(SECRET);
  });

  test.each([
    ['Short-1', 'has fewer than 8 characters'],
    ['Bearer abcdefghij', 'holds blanks or characters that a header cannot carry'],
  ])('%j is refused', (token, problem) => {
    expect(messageOf(edited(SECRET, token))).toContain(`the token of 'full' ${problem}`);
  });

  test('are of one identity each', () => {
    const second = (identity: string): string =>
      `${minimal}  other:\n    token: { value: ${SECRET} }\n    permissions: []\n${identity}`;
    expect(messageOf(second(''))).toContain(":10:12: 'other' and 'full' have the same token; give each");
    expect(messageOf(second('    identity: full\n'))).toBe('no error');
  });
});

test('the published schema is the one that is used', () => {
  expect(JSON.parse(readFileSync('docs/harness.config.schema.json', 'utf8'))).toEqual(configSchema);
});

test('a damaged configuration is read, or refused with an InputError that shows no token', () => {
  const text = readFileSync('harness.config.yaml', 'utf8').replaceAll(
    'reference\n',
    'https://api.example.test\n',
  );
  const lines = text.split('\n');
  const line = fc.nat({ max: lines.length - 1 });
  fc.assert(
    fc.property(line, line, fc.constantFrom('drop', 'swap', 'indent', 'quote', 'dash'), (a, b, how) => {
      const damaged = [...lines];
      if (how === 'drop') damaged.splice(a, 1);
      if (how === 'swap') [damaged[a], damaged[b]] = [lines[b] ?? '', lines[a] ?? ''];
      if (how === 'indent') damaged[a] = `  ${lines[a]}`;
      if (how === 'quote') damaged[a] = `${lines[a]}"`;
      if (how === 'dash') damaged[a] = `- ${lines[a]}`;
      expect(messageOf(damaged.join('\n'))).not.toContain('Reference-Token');
    }),
    { numRuns: 150 },
  );
});
