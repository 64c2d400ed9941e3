import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../model/verdict.ts';
import { cellWith, excerptWith, findingWith, reportWith } from '../../testing/sample-report.ts';
import type { CellReport, Finding, Report } from '../report.ts';
import { renderHtml } from './html.tsx';
import { script } from './script.ts';
import { style } from './style.ts';

const hostile = '</script></style><img src=x onerror=alert(1)>"\'&\u202E\u0000';

const violated = (given: Partial<Finding>): Report =>
  reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'fail' })], violations: [findingWith(given)] });

/** Elements that the page has, by what its text looks like to a parser. */
function tags(html: string): readonly string[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)[\s/>]/gi)].map((match) => match[1] ?? '');
}

describe('what came from the target', () => {
  test('never becomes markup, wherever it stands', () => {
    const exchange = excerptWith({
      request: `POST ${hostile}`,
      requestIds: [hostile],
      principal: hostile,
      requestHeaders: [[hostile, hostile]],
      responseHeaders: [[hostile, hostile]],
      requestBody: hostile,
      responseBody: hostile,
    });
    const base = violated({
      actual: hostile,
      because: hostile,
      requestIds: [hostile],
      exchanges: [exchange, { ...exchange, id: 'x2', status: undefined, noAnswer: hostile }],
      control: { ...exchange, id: 'x3' },
      curl: [hostile],
      operation: hostile,
      id: `IDM-6/${hostile}`,
    });
    const html = renderHtml(
      {
        ...base,
        subject: {
          asserted: {
            vendor: hostile,
            product: hostile,
            version: hostile,
            baseUrl: hostile,
            environment: hostile,
          },
          observed: [{ header: 'server', value: hostile, count: 1 }],
        },
        throttling: {
          bucketMs: 100,
          timeline: [{ at: 0, requests: 1, succeeded: 0, throttled: 1, otherFailures: 0, noAnswer: 0 }],
          throttled: 1,
          episodes: [
            {
              exchange: 'x1',
              operation: hostile,
              principal: hostile,
              at: 1,
              guidance: [`Retry-After: ${hostile}`],
              guidedSeconds: 1,
              waitedSeconds: 2,
              honoured: true,
              nextStatus: 201,
            },
          ],
        },
      },
      [hostile],
    );
    expect(tags(html)).not.toContain('img');
    expect(tags(html).filter((tag) => tag === 'script' || tag === 'style')).toEqual(['style', 'script']);
    expect(html).toContain('&lt;img src=x onerror=alert(1)>');
    expect(html).not.toMatch(/[\u0000\u202E]/);
    expect(html).toContain('\\u202e\\u0000');
  });

  test('leaves the elements of the page as they are, whatever it is', () => {
    const plain = tags(renderHtml(violated({ actual: 'a', because: 'b' })));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const around = `<b>${text}</b><a href="javascript:alert(1)">`.replaceAll('`', '');
        expect(tags(renderHtml(violated({ actual: around, because: around })))).toEqual(plain);
      }),
      { numRuns: 50 },
    );
  });

  test('cannot become the target of a link', () => {
    const html = renderHtml(violated({ operation: 'javascript:alert(1)', id: 'IDM-6/javascript:alert(1)' }));
    const links = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !link.startsWith('#'))).toEqual(['data:,']);
  });
});

test('nothing is loaded, and nothing runs but the style and the script of the page itself', () => {
  const html = renderHtml(violated({}));
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const inside = (tag: string): string => new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? '';
  expect(inside('style')).toBe(style);
  expect(inside('script')).toBe(script);
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(html).not.toMatch(/\sstyle="|\son[a-z]+="|@import|url\(/);
});

test('every link of the page leads somewhere in it', () => {
  const html = renderHtml(bigReport(4, ['fail', 'pass', 'not-tested', 'inconclusive']));
  const places = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]));
  const links = [...html.matchAll(/href="#([^"]*)"/g)].map((match) => match[1]);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !places.has(link))).toEqual([]);
  expect([...html.matchAll(/\sid="([^"]*)"/g)]).toHaveLength(places.size);
});

describe('the decision', () => {
  test.each<[Report['verdict'], string]>([
    [
      {
        outcome: 'conformant',
        partial: false,
        certifiable: true,
        shortfalls: [],
        exitCode: 0,
        exitCodeOtherwise: 0,
      },
      'Conformant',
    ],
    [
      {
        outcome: 'violations',
        partial: true,
        certifiable: false,
        shortfalls: ['a part'],
        exitCode: 1,
        exitCodeOtherwise: 3,
      },
      'Violations found<span class="partial">PARTIAL</span>',
    ],
    [
      {
        outcome: 'not fully verified',
        partial: false,
        certifiable: false,
        shortfalls: ['one', 'two'],
        exitCode: 3,
        exitCodeOtherwise: 3,
      },
      'Not fully verified',
    ],
  ])('%o', (verdict, words) => {
    const html = renderHtml({ ...reportWith({}), verdict });
    expect(html).toContain(`<h2 id="decision-title">${words}</h2>`);
    for (const shortfall of verdict.shortfalls) expect(html).toContain(shortfall);
  });

  test('damaged evidence and an interrupted run come before everything else', () => {
    const base = reportWith({});
    const html = renderHtml({
      ...base,
      run: { ...base.run, ended: 'interrupted' },
      evidence: {
        ...base.evidence,
        footer: undefined,
        problems: [{ line: 7, problem: 'there is no footer' }],
      },
    });
    expect(html).toContain('Evidence is damaged');
    expect(html).toContain('Line 7: there is no footer.');
    expect(html).toContain('The run did not reach its end');
  });

  test('a page never says that a signature was checked', () => {
    expect(renderHtml(reportWith({}), ['ab'.repeat(32)])).toContain('A page cannot check a signature');
    expect(renderHtml(reportWith({}))).toContain('No signature');
  });
});

test.each<[string, readonly Verdict[], { readonly characters: number; readonly elements: number }]>([
  [
    'nothing violated',
    ['pass', 'pass', 'not-applicable', 'not-tested'],
    { characters: 600_000, elements: 9000 },
  ],
  [
    '6,739 violations',
    ['pass', 'pass', 'fail', 'not-tested', 'pass'],
    { characters: 8_000_000, elements: 100_000 },
  ],
])('293 operations on 115 clauses stay one light page: %s', (_, turns, most) => {
  const html = renderHtml(bigReport(293, turns));
  expect(html.length).toBeLessThan(most.characters);
  expect(tags(html).length).toBeLessThan(most.elements);
});

/** Many operations and 115 clauses, whose verdicts take turns. */
function bigReport(operations: number, turns: readonly Verdict[]): Report {
  const base = reportWith({});
  const [first] = base.scope.operations;
  const names = Array.from({ length: operations }, (_, index) => `operation${index}`);
  const codes = Array.from({ length: 115 }, (_, index) => `C${'ABCDE'[index % 5] ?? ''}-${index}`);
  const cells: CellReport[] = codes.flatMap((clause, row) =>
    names.map((operation, column) => ({
      ...cellWith({ clause, verdict: turns[(row + (column >> 3)) % turns.length] ?? 'pass' }),
      operation,
    })),
  );
  return {
    ...base,
    scope: {
      operations: names.map((id) => ({
        method: 'POST',
        path: '/x',
        kind: 'command',
        digest: first?.digest ?? '',
        id,
      })),
      governedOperations: 293,
    },
    cells,
    clauses: codes.map((code) => ({ code, level: 'stated', text: code, source: { where: 'w', quote: 'q' } })),
    violations: cells
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ clause, operation }) =>
        findingWith({
          id: `${clause}/${operation}`,
          clause,
          operation,
          exchanges: [excerptWith({ operation })],
        }),
      ),
  };
}
