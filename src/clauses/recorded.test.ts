import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { loadContract } from '../contract/load.ts';
import { rulingsOf } from '../judge.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Trace } from '../model/exchange.ts';
import { makeContext, type Validators } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { bothWays } from './cases/both-ways.ts';
import { clauseOf, clauses } from './catalogue.ts';

/** A trace of a conforming service, and one of a service that breaks the clause; both were recorded. */
type Recorded = {
  readonly clause: string;
  readonly declares: Declaration;
  readonly holds: Trace;
  readonly violates: Trace;
};

const folder = 'fixtures/traces';
const recorded = readdirSync(folder).map(
  (name): Recorded => JSON.parse(readFileSync(join(folder, name), 'utf8')),
);
const config = await loadConfig('fixtures/contracts/extended.config.yaml');
const contract = await loadContract(config.contract);
/** One contract is judged again and again here: its schemas are compiled once. */
const compiled: Validators = new WeakMap();
const contextWith = (declares: Declaration) =>
  makeContext(
    {
      contract,
      declared: parsedDeclaration({ ...config.declared.written, ...declares }),
      principals: config.principals,
      proven: new Set(config.principals.map((principal) => principal.name)),
    },
    compiled,
  );

describe('recorded traces', () => {
  test.each(recorded.map((each) => [each.clause, each] as const))(
    '%s',
    (code, { holds, violates, declares }) => {
      const clause = clauseOf(code);
      if (clause === undefined) throw new Error(`there is no clause ${code}`);
      const verdicts = (declared: Declaration, trace: Trace): readonly string[] =>
        rulingsOf(clause, contextWith(declared), trace).map((ruling) => ruling.verdict);
      expect(verdicts({}, holds)).toContain('holds');
      expect(verdicts({}, holds)).not.toContain('violated');
      expect(verdicts(declares, violates)).toContain('violated');
    },
  );

  test('every clause has traces of both kinds here, or among those written by hand', () => {
    const covered = new Set([...recorded.map((each) => each.clause), ...bothWays.map(([code]) => code)]);
    expect(clauses.map(({ code }) => code).filter((code) => !covered.has(code))).toEqual([]);
  });
});
