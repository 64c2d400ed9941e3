import type { Format } from './format.ts';

/** What each format is called, apart from how it is rendered: the help needs no more, and loads nothing. */
export const formatList = {
  html: {
    name: 'html',
    file: 'report.html',
    describes: 'the report as one self-contained page for people',
  },
  junit: {
    name: 'junit',
    file: 'junit.xml',
    describes: 'JUnit XML for CI: violation = failure, no conclusion = error, not tested = skipped',
  },
  sarif: {
    name: 'sarif',
    file: 'report.sarif',
    describes: 'SARIF 2.1.0 for code scanning: a rule for each clause, a result for each violation',
  },
  markdown: {
    name: 'markdown',
    file: 'summary.md',
    describes: 'Markdown summary for a pull request or a CI job',
  },
  earl: {
    name: 'earl',
    file: 'earl.jsonld',
    describes: 'W3C EARL 1.0 as JSON-LD: an assertion for each clause and operation',
  },
  codeQuality: {
    name: 'code-quality',
    file: 'code-quality.json',
    describes: 'code quality report for GitLab: an issue for each violation',
  },
} as const satisfies Readonly<Record<string, Omit<Format, 'render'>>>;
