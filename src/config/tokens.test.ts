import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from './load.ts';
import { resolveTokens } from './tokens.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-tokens-'));
  await writeFile(join(folder, 'token.txt'), 'From-The-File-1\n');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

function resolved(tokens: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const principals = Object.entries(tokens).map(
    ([name, token]) => `  ${name}: { token: ${token}, permissions: [] }\n`,
  );
  const text = `target: { baseUrl: reference, environment: test }\ncontract: c.yaml\nprincipals:\n${principals.join('')}`;
  return resolveTokens(parseConfig(text, join(folder, 'a.yaml')), env);
}

const node = JSON.stringify(process.execPath);

describe('resolveTokens', () => {
  test('looks in the environment, files, commands and the configuration', async () => {
    const tokens = await resolved(
      {
        a: '{ env: TOKEN_A }',
        b: '{ file: token.txt }',
        c: `{ command: '${node} -p "process.env.PART + process.cwd().length"' }`,
        d: '{ value: From-The-Text-1 }',
      },
      { TOKEN_A: ' From-The-Env-1\n', PART: 'From-A-Command-' },
    );
    expect([...tokens]).toEqual([
      ['a', 'From-The-Env-1'],
      ['b', 'From-The-File-1'],
      ['c', expect.stringMatching(/^From-A-Command-\d+$/)],
      ['d', 'From-The-Text-1'],
    ]);
  });

  test('a token is not read from what may never end', async () => {
    await expect(resolved({ a: '{ file: . }' })).rejects.toThrow(
      /the token of 'a' cannot be read: .+ is not a regular file; name a file, or write the token/,
    );
  });

  test.each([
    [
      '{ env: TOKEN_A }',
      {},
      "the token of 'a' is missing: the environment variable TOKEN_A is not set; set TOKEN_A",
    ],
    ['{ env: TOKEN_A }', { TOKEN_A: '  ' }, 'the environment variable TOKEN_A is empty; set TOKEN_A'],
    [
      '{ env: TOKEN_A }',
      { TOKEN_A: 'Sec-7' },
      'has fewer than 8 characters, and could not be redacted safely; issue',
    ],
    [
      '{ env: TOKEN_A }',
      { TOKEN_A: 'Bearer Secret-77' },
      'holds blanks or characters that a header cannot carry',
    ],
    ['{ file: none.txt }', {}, 'cannot be read from'],
    [
      `{ command: '${node} -e "console.log(123456789 + 1); process.exit(3)"' }`,
      {},
      'its command failed with exit code 3; run',
    ],
    [`{ command: '${node} -e ""' }`, {}, 'is empty; give it a value'],
    [
      `{ command: 'echo "{\\"tokn\\": \\"0123456789abcdef\\"}"' }`,
      {},
      'its command printed JSON without a text in \'token\' or \'access_token\'; print { "token": "..." }',
    ],
    [`{ command: 'yes' }`, {}, 'its command printed more than a token; run'],
    [`{ command: 'kill -9 $$' }`, {}, 'its command was ended by a signal; run'],
  ])('%s with %j is refused', async (token, env, message) => {
    const outcome = resolved({ a: token }, env);
    await expect(outcome).rejects.toThrow(message);
    await expect(outcome).rejects.toThrow(/a\.yaml:4:8: /);
    await expect(outcome).rejects.not.toThrow(/Sec-7|Secret-77|123456790/);
  });

  test('one token is not that of two callers', async () => {
    const env = { A: 'The-Same-Token', B: 'The-Same-Token' };
    const outcome = resolved({ a: '{ env: A }', b: '{ env: B }' }, env);
    await expect(outcome).rejects.toThrow("a.yaml:5:8: the token of 'b' is also that of 'a'; give each");
    await expect(outcome).rejects.not.toThrow(/The-Same/);
  });
});
