import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { operationOf } from '../model/contract.ts';
import { checkAgainstContract } from './against-contract.ts';
import { loadConfig, parseConfig } from './load.ts';
import { resolveTokens } from './tokens.ts';

const extended = await loadContract('fixtures/contracts/extended-catalogue.yaml');

function check(rest: string): void {
  const text = `target: { baseUrl: reference, environment: test }
contract: c.yaml
principals: { a: { token: { env: A }, permissions: [] } }
${rest}`;
  checkAgainstContract(parseConfig(text, 'a.yaml'), extended, ['VAL-4', 'IDM-8']);
}

describe('parameters that callers fill in for themselves', () => {
  const given = (parameters: string): void =>
    checkAgainstContract(
      parseConfig(
        `target: { baseUrl: reference, environment: test }
contract: c.yaml
principals: { a: { token: { env: A }, permissions: [], parameters: ${parameters} } }
operations: { getCase: { targets: [{ contactId: x }, { contactId: y }] } }
`,
        'a.yaml',
      ),
      extended,
      [],
    );

  test.each([
    ['{ casId: x }', "no operation has a parameter 'casId'; did you mean 'caseId'?"],
    ['{ caseId: x, limit: 0 }', "this is not a valid 'limit': it must be >= 1; write a value"],
  ])('refuses %s', (parameters, message) => {
    expect(() => given(parameters)).toThrow(message);
  });

  test('are no part of a record', () => {
    expect(() => given('{ caseId: case_1 }')).not.toThrow();
    expect(() => given('{ limit: 5 }')).toThrow("this record has no 'caseId'");
  });
});

describe('checkAgainstContract', () => {
  test.each([
    [
      'operations: { creatCase: { examples: [{ subject: a }] } }\n',
      "a.yaml:4:15: the contract has no operation 'creatCase'; did you mean 'createCase'?",
    ],
    [
      'operations: { createCase: { examples: [{ subject: a }, { subject: 5 }] } }\n',
      "a.yaml:4:56: this is not a valid body of 'createCase': /subject must be string; put it in quotes",
    ],
    ['operations: { getCase: { examples: [{}] } }\n', "'getCase' takes no body"],
    [
      'operations: { getCas: { targets: [{ caseId: a }] } }\n',
      "a.yaml:4:15: the contract has no operation 'getCas'; did you mean 'getCase'?",
    ],
    [
      'operations: { getCase: { targets: [{ caseId: a }, { id: b }] } }\n',
      "a.yaml:4:51: this record has no 'caseId'; add it: 'getCase' needs it",
    ],
    [
      'operations: { getCase: { targets: [{ caseId: a, caseID: a }] } }\n',
      "a.yaml:4:49: no operation has a path field 'caseID'; did you mean 'caseId'?",
    ],
    [
      'operations: { createCase: { targets: [{ ticket: a }] } }\n',
      "a.yaml:4:41: no operation has a path field 'ticket'; remove it: 'createCase' has no path fields",
    ],
    [
      'operations: { listCases: { parameters: { limt: 5 } } }\n',
      "a.yaml:4:42: 'listCases' has no parameter 'limt'; did you mean 'limit'?",
    ],
    [
      'operations: { listCases: { parameters: { limit: 500 } } }\n',
      "a.yaml:4:42: this is not a valid 'limit' of 'listCases': it must be <= 100; write a value",
    ],
    [
      'operations: { listCases: { exclude: true } }\n',
      "a.yaml:4:28: 'listCases' can be tested; remove this line",
    ],
    [
      'waivers: [{ clause: VAL-4, operation: closecase, owner: a, reason: b, expires: 2027-01-01 }]\n',
      "a.yaml:4:28: the contract has no operation 'closecase'; did you mean 'closeCase'?",
    ],
    [
      'waivers: [{ clause: VAL-44, owner: a, reason: b, expires: 2027-01-01 }]\n',
      "a.yaml:4:13: there is no clause 'VAL-44'; did you mean 'VAL-4'?",
    ],
    ['hooks: { slwo: { command: x } }\n', "a.yaml:4:10: there is no hook 'slwo'; did you mean 'slow'?"],
  ])('refuses %j', (text, message) => {
    expect(() => check(text)).toThrow(message);
  });

  test('takes what the contract has', () => {
    const text =
      'operations: { createCase: { examples: [{ subject: a }] } }\nhooks: { verify: { command: x } }\n';
    expect(() => check(text)).not.toThrow();
    // A record of another path, or a member of the body, may be what a read of the target needs.
    const targets = '[{ caseId: a, contactId: b }, { caseId: c, subject: d }]';
    expect(() => check(`operations: { updateCase: { targets: ${targets} } }\n`)).not.toThrow();
  });
});

describe('the configurations that come with the harness', () => {
  test.each(['harness.config.yaml', 'fixtures/contracts/extended.config.yaml'])(
    '%s fits its contract',
    async (file) => {
      const config = await loadConfig(file);
      const contract = await loadContract(config.contract);
      checkAgainstContract(config, contract, []);
      const tokens = await resolveTokens(config, {});
      expect(new Set(tokens.values()).size).toBe(config.principals.length);
      for (const token of tokens.values()) {
        expect(token.length).toBeGreaterThanOrEqual(20);
        expect(token).toMatch(/[a-z].*[A-Z]|[A-Z].*[a-z]/);
      }
    },
  );

  test('hold a principal for each near miss, each state, another scope and throttling', async () => {
    const { principals } = await loadConfig('harness.config.yaml');
    const only = principals.flatMap(({ permissions }) => (permissions.length === 1 ? permissions : []));
    for (const near of [
      'case',
      'case.creat',
      'case.create.x',
      'case.created',
      'CASE.CREATE',
      'xcase.create',
      'cases.create',
      'case-create',
      'case.read',
    ]) {
      expect(only).toContain(near);
    }
    expect(new Set(principals.map(({ state }) => state))).toEqual(new Set(['valid', 'expired', 'revoked']));
    expect(new Set(principals.map(({ scope }) => scope))).toEqual(new Set(['tenant-a', 'tenant-b']));
    expect(principals.filter(({ use }) => use === 'throttling')).toHaveLength(1);
    expect(principals.filter(({ permissions }) => permissions.length === 0)).toHaveLength(1);
  });

  test('the extended one holds, for each permission, exactly that one and all but that one', async () => {
    const config = await loadConfig('fixtures/contracts/extended.config.yaml');
    const needed = new Set(extended.operations.flatMap(({ permissions }) => permissions ?? []));
    expect(needed).toHaveLength(9);
    for (const permission of needed) {
      const held = config.principals.map(({ permissions }) => permissions);
      expect(held).toContainEqual([permission]);
      expect(held).toContainEqual([...needed].filter((other) => other !== permission));
    }
    expect([...config.hooks.keys()]).toContain(operationOf(extended, 'approveCase').verification?.hook);
  });
});
