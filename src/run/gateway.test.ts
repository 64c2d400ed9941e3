import { expect, test } from 'vitest';
import { parseConfig } from '../config/load.ts';
import { headerSecrets } from './gateway.ts';

function secretsOf(headers: string): readonly string[] {
  const text = `target:\n  baseUrl: https://api.example.test\n  environment: test\n  headers:\n${headers
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}contract: c.yaml\nprincipals:\n  full: { token: { env: T }, permissions: [] }\n`;
  return headerSecrets(parseConfig(text, 'a.yaml')).map(({ value }) => value);
}

const basic = Buffer.from('gateway:correct-horse').toString('base64');

test.each<[string, string, readonly string[]]>([
  ['a key', 'X-Api-Key: Gateway-Canary-4711', ['Gateway-Canary-4711']],
  ['no credential', 'X-Region: Gateway-Canary-4711', []],
  [
    'a pair of Basic and its password',
    `Proxy-Authorization: Basic ${basic}`,
    [basic, 'gateway:correct-horse', 'correct-horse'],
  ],
  [
    'each cookie',
    'Cookie: lang=en; session="s3cr3t%2Dvalue"; theme=dark',
    ['s3cr3t%2Dvalue', 's3cr3t-value'],
  ],
  [
    'parts of a structured value, and not what is public',
    `X-Auth: 'Digest username="gatewayuser", realm="the-realm", response="6629fae49393a053"'`,
    ['username="gatewayuser", realm="the-realm", response="6629fae49393a053"', '6629fae49393a053'],
  ],
  [
    'an ID and a secret',
    'X-Auth-Token: gateway-id:Secret-Part-99',
    ['gateway-id:Secret-Part-99', 'Secret-Part-99'],
  ],
])('of a header the gate learns %s', (_, headers, expected) => {
  expect(secretsOf(headers)).toEqual(expected);
});

test.each([
  ['X-Api-Key: short', "the credential in the header 'X-Api-Key'"],
  [`X-Auth: Basic ${Buffer.from('user:pass').toString('base64')}`, "the password in the header 'X-Auth'"],
  ['Cookie: a=b; session=1234', "the cookie 'session'"],
])('%s is refused, for it could not be redacted', (headers, what) => {
  expect(() => secretsOf(headers)).toThrow(
    `a.yaml:5:5: ${what} has fewer than 8 characters, and could not be redacted safely; use a longer one`,
  );
});
