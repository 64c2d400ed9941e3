import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { cellWith, excerptWith, findingWith, reportWith } from '../testing/sample-report.ts';
import type { Format } from './format.ts';
import { formatList } from './format-list.ts';
import { formats } from './formats.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Finding, Report } from './report.ts';
import { sarif } from './sarif.ts';

const render = async (format: Format, report: Report): Promise<string> =>
  format.render({ report, evidence: 'evidence.jsonl', signers: [] });

const violated = (given: Partial<Finding>): Report =>
  reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'fail' })], violations: [findingWith(given)] });

const waiver = {
  clause: 'IDM-6',
  operation: undefined,
  owner: 'Ada',
  reason: 'fixed in 2.0',
  expires: '2026-06-30',
};

describe('JUnit', () => {
  test('takes any text, control characters and broken surrogates too, and stays valid', async () => {
    using xsd = XmlDocument.fromString(await readFile('fixtures/schemas/junit.xsd', 'utf8'));
    using validator = XsdValidator.fromDoc(xsd);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (actual, because) => {
        using document = XmlDocument.fromString(await render(junit, violated({ actual, because })));
        validator.validate(document);
      }),
    );
    using document = XmlDocument.fromString(
      await render(junit, violated({ actual: ']]> \u0000\u001b\uD800 & <b>" &lt; \t\r\n.' })),
    );
    validator.validate(document);
    expect(document.get('//failure/@message')?.content).toBe(']]> \uFFFD\uFFFD\uFFFD & <b>" &lt; \t\r\n.');
  });

  test.each<[Parameters<typeof cellWith>[0]['verdict'], string | undefined]>([
    ['pass', undefined],
    ['fail', 'failure'],
    ['unstable', 'failure'],
    ['inconclusive', 'error'],
    ['not-tested', 'skipped'],
    ['not-applicable', 'skipped'],
  ])('%s becomes %s', async (verdict, element) => {
    const report = reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict })] });
    using document = XmlDocument.fromString(await render(junit, report));
    const found = ['failure', 'error', 'skipped'].filter(
      (name) => document.get(`//testsuite[@name="createCase"]/testcase/${name}`) !== null,
    );
    expect(found).toEqual(element === undefined ? [] : [element]);
  });

  test('an advisory clause is no case, and a waived violation no failure', async () => {
    using advisory = XmlDocument.fromString(
      await render(
        junit,
        reportWith({ cells: [cellWith({ clause: 'RID-5', level: 'advisory', verdict: 'fail' })] }),
      ),
    );
    expect(advisory.find('//testsuite[@name="createCase"]/testcase')).toEqual([]);
    using waived = XmlDocument.fromString(await render(junit, violated({ waiver })));
    expect(waived.get('/testsuites/@failures')?.content).toBe('0');
    expect(waived.get('//skipped')?.content).toContain('fail, waived by Ada until 2026-06-30: fixed in 2.0');
  });

  test('a run that was interrupted, or tested nothing, or whose evidence is damaged, is an error', async () => {
    const base = reportWith({});
    const report: Report = {
      ...base,
      run: { ...base.run, ended: 'interrupted' },
      verdict: { ...base.verdict, exitCodeOtherwise: 3 },
      evidence: { ...base.evidence, problems: [{ line: 7, problem: 'there is no footer' }] },
    };
    using document = XmlDocument.fromString(await render(junit, report));
    expect(document.find('//testcase[error]/@name').map((node) => node.content)).toEqual([
      'the run is complete',
      'the evidence is intact',
      'the run is fully verified',
    ]);
  });
});

describe('SARIF', () => {
  test('any text stays valid, and a waiver is a suppression', async () => {
    const file = 'node_modules/@microsoft/sarif-multitool-ts/assets/sarif-2.1.0.schema.json';
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(await readFile(file, 'utf8')),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const exchange = excerptWith({
          responseBody: text,
          requestBody: undefined,
          status: undefined,
          noAnswer: text,
        });
        const log = JSON.parse(
          await render(sarif, violated({ actual: text, exchanges: [exchange], waiver })),
        );
        validate(log);
        expect(validate.errors ?? []).toEqual([]);
        expect(log.runs[0].results[0].suppressions).toEqual([
          { kind: 'external', status: 'accepted', justification: 'fixed in 2.0 (Ada, until 2026-06-30)' },
        ]);
      }),
    );
  });
});

describe('Markdown', () => {
  test('a hostile answer cannot leave its place', async () => {
    const text = await render(
      markdown,
      violated({
        actual:
          'x | y\n# heading <script>alert(1)</script> [a](http://b) `code` **bold** @team #12 www.c.d \u001b[2J\u202e',
        curl: ['curl "```" | sh'],
      }),
    );
    expect(text).toContain(
      '| x \\| y #<!-- --> heading &lt;script>alert(1)&lt;/script> \\[a\\](http:<!-- -->//b) \\`code\\` \\*\\*bold\\*\\* @<!-- -->team #<!-- -->12 www<!-- -->.c.d \\\\x1b\\[2J\\\\u\\{202e\\} |',
    );
    expect(text).toContain('````sh\ncurl "```" | sh\n````');
    expect(text).not.toMatch(/^# heading/m);
  });

  test('fits on the page of a CI job however many violations there are', async () => {
    const violations = Array.from({ length: 3000 }, (_, index) =>
      findingWith({ id: `IDM-${index}/createCase` }),
    );
    const text = await render(markdown, reportWith({ violations }));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain('2975 more in report.json.');
  });
});

test('every format in the list of names is rendered, in its order', () => {
  expect(formats.map(({ name, file, describes }) => ({ name, file, describes }))).toEqual(
    Object.values(formatList),
  );
});
