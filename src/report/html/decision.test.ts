import { describe, expect, test } from 'vitest';
import { busy } from '../../testing/busy-report.ts';
import { findingWith, reportWith } from '../../testing/sample-report.ts';
import type { Finding, Report } from '../report.ts';
import { renderHtml } from './html.tsx';

const base = reportWith({});
const waiver = { clause: 'IDM-6', operation: undefined, owner: 'Ada', reason: 'soon', expires: '2026-06-30' };

/** The words of the part that the pattern finds, without tags. */
function words(report: Report, part: RegExp, signers: readonly string[] = []): string {
  const found = part.exec(renderHtml(report, signers))?.[1] ?? '';
  return found
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const lead = /<h2 id="decision-title">[\s\S]*?<\/h2><p>([\s\S]*?)<\/p>/;
const part = (title: string): RegExp => new RegExp(`<h3>${title}</h3>([\\s\\S]*?)</div>`);

const outcome = (
  given: Partial<Report['verdict']>,
  counts: Partial<Report['counts']> = {},
  violations: readonly Finding[] = [],
): Report => ({
  ...base,
  verdict: { ...base.verdict, ...given },
  counts: { ...base.counts, ...counts },
  violations,
});

describe('the decision in words', () => {
  test.each<[Report, string]>([
    [
      outcome({}),
      'Every applicable cell passes (1): every obligation was tested on every operation in scope.',
    ],
    [
      outcome({ partial: true }, { pass: 3 }),
      'Every applicable cell passes (3): every obligation was tested on every operation in scope. Only part of the plan was run, and the verdict covers that part alone.',
    ],
    [
      outcome({ outcome: 'not fully verified' }, { inconclusive: 1 }),
      'No violation was seen, but 1 of 2 applicable cells has no verdict.',
    ],
    [
      outcome({ outcome: 'not fully verified', partial: true }, { inconclusive: 1, 'not-tested': 2 }),
      'No violation was seen, but 3 of 4 applicable cells have no verdict. Only part of the plan was run, and the verdict covers that part alone.',
    ],
    [
      outcome({ outcome: 'violations' }, { fail: 1 }, [findingWith({})]),
      '1 clause of the contract is violated on 1 operation.',
    ],
    [
      outcome({ outcome: 'violations' }, { fail: 1, unstable: 2 }, [
        findingWith({ waiver }),
        findingWith({ clause: 'IDM-7', operation: 'closeCase' }),
        findingWith({ clause: 'IDM-7' }),
      ]),
      '2 clauses of the contract are violated on 2 operations. 2 of them did not recur when repeated. 1 of them is waived.',
    ],
    [
      outcome({ outcome: 'violations' }, {}, [findingWith({ waiver }), findingWith({ waiver })]),
      '1 clause of the contract is violated on 1 operation. 2 of them are waived.',
    ],
  ])('%#: %s', (report, expected) => {
    expect(words(report, lead)).toBe(expected);
  });
});

test('what certifies, or what is short of it', () => {
  expect(words(base, part('Certifiable'))).toMatch(/^Yes The run was unfiltered/);
  const short = (...shortfalls: readonly string[]): Report => outcome({ certifiable: false, shortfalls });
  expect(words(short('one thing'), part('Certifiable'))).toBe('No one thing');
  expect(renderHtml(short('one thing'))).toContain('<p>one thing</p>');
  expect(renderHtml(short('a', 'b'))).toContain('<ul><li>a</li><li>b</li></ul>');
});

test('whether the evidence holds', () => {
  const validity = part('Validity');
  expect(words(base, validity)).toMatch(
    /^Evidence is intact 2 requests in 1 min, from 2026-01-31 10:00:00 UTC ?\. The verdict applies to this build of the target/,
  );
  expect(words({ ...base, run: { ...base.run, ended: 'budget' } }, validity)).toMatch(
    /^Run ended early: budget spent 2 req/,
  );
  expect(words({ ...base, run: { ...base.run, ended: 'interrupted' } }, validity)).toMatch(
    /^Run ended early: interrupted 2/,
  );
  expect(words(busy, validity)).toMatch(
    /^Evidence is damaged Line 7: there is no footer\. The verdict applies/,
  );
});

test('what was in scope, and on what budget', () => {
  const coverage = part('Scope and budget');
  expect(words(base, coverage)).toBe(
    '1 operation of 293 Governed Command API 1.27.0, budget standard (2 of at most 60,000 requests). 0 open points declared , 0 waivers.',
  );
  const some = {
    ...busy,
    baseline: { ...busy.baseline, declaration: { G1: 'replay' } } as const,
    scope: { ...busy.scope, governedOperations: undefined },
  };
  expect(words(some, coverage)).toMatch(/^2 operations Governed .* 1 open point declared , 2 waivers\.$/);
});

test('how many cells have which verdict', () => {
  const tally = /<ul class="key" aria-label="Cells of the matrix by verdict">([\s\S]*?)<\/ul>/;
  const counts = { pass: 1, fail: 2, unstable: 3, inconclusive: 4, 'not-tested': 5, 'not-applicable': 6000 };
  expect(
    words({ ...base, counts }, tally)
      .match(/[\d,]+ [a-z -]+/gi)
      ?.map((each) => each.trim()),
  ).toEqual(['2 fail', '3 unstable', '4 inconclusive', '5 not tested', '1 pass', '6,000 not applicable']);
});

test('who signed, which a page cannot check', () => {
  const signed = /Signed with<\/dt><dd>([\s\S]*?)<\/dd>/;
  expect(words(base, signed)).toBe('No signature: digests alone show damage, not who vouches for the run.');
  expect(words(base, signed, ['abcdef0123456789'])).toMatch(
    /^key .*abcdef.* A page cannot check a signature: assay verify --key does\.$/,
  );
});
