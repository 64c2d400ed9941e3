import type { JsonObject } from '../model/json.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Format } from './format.ts';
import { formatList } from './format-list.ts';
import type { Report } from './report.ts';

/** W3C EARL 1.0 as JSON-LD: an assertion for each cell of a stated or derived clause. */
export const earl: Format = {
  ...formatList.earl,
  render: ({ report }) => `${JSON.stringify(earlGraph(report), undefined, 2)}\n`,
};

/** It is in the document itself, so that no processor needs the network. */
const context: JsonObject = {
  earl: 'http://www.w3.org/ns/earl#',
  dct: 'http://purl.org/dc/terms/',
  doap: 'http://usefulinc.com/ns/doap#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  assertedBy: { '@id': 'earl:assertedBy', '@type': '@id' },
  subject: { '@id': 'earl:subject', '@type': '@id' },
  test: { '@id': 'earl:test', '@type': '@id' },
  mode: { '@id': 'earl:mode', '@type': '@id' },
  outcome: { '@id': 'earl:outcome', '@type': '@id' },
  result: 'earl:result',
  info: 'earl:info',
  pointer: 'earl:pointer',
  title: 'dct:title',
  description: 'dct:description',
  identifier: 'dct:identifier',
  source: 'dct:source',
  hasPart: { '@id': 'dct:hasPart', '@type': '@id' },
  isPartOf: { '@id': 'dct:isPartOf', '@type': '@id' },
  date: { '@id': 'dct:date', '@type': 'xsd:dateTime' },
  hasVersion: 'dct:hasVersion',
  revision: 'doap:revision',
};

const outcomes: Readonly<Record<Verdict, string>> = {
  pass: 'earl:passed',
  fail: 'earl:failed',
  unstable: 'earl:failed',
  inconclusive: 'earl:cantTell',
  'not-tested': 'earl:untested',
  'not-applicable': 'earl:inapplicable',
};

function earlGraph(report: Report): JsonObject {
  const { run, baseline, subject, scope } = report;
  const base = `urn:assay:run:${run.id}`;
  const harness = `${base}:assertor`;
  const target = `${base}:subject`;
  const clauseId = (code: string): string => `urn:assay:clause:${code}`;
  const operationId = (id: string): string => `${target}:operation:${encodeURIComponent(id)}`;
  const binding = report.clauses.filter(({ level }) => level !== 'advisory');
  return {
    '@context': context,
    '@graph': [
      {
        '@id': harness,
        '@type': ['earl:Assertor', 'earl:Software'],
        title: baseline.judgedBy.name,
        revision: baseline.judgedBy.version,
      },
      {
        '@id': target,
        '@type': 'earl:TestSubject',
        title: subject.asserted.product ?? subject.asserted.baseUrl,
        description: `${subject.asserted.baseUrl} (${subject.asserted.environment})`,
        date: run.startedAt,
        ...(subject.asserted.version === undefined ? {} : { hasVersion: subject.asserted.version }),
        hasPart: scope.operations.map(({ id }) => operationId(id)),
      },
      ...scope.operations.map((operation) => ({
        '@id': operationId(operation.id),
        '@type': 'earl:TestSubject',
        title: `${operation.method} ${operation.path}`,
        identifier: operation.id,
        isPartOf: target,
      })),
      ...binding.map((clause) => ({
        '@id': clauseId(clause.code),
        '@type': ['earl:TestCriterion', 'earl:TestRequirement'],
        identifier: clause.code,
        title: clause.text,
        description: `"${clause.source.quote}"`,
        source: `${baseline.contract.title} ${baseline.contract.version}, ${clause.source.where}`,
      })),
      ...report.cells
        .filter(({ level }) => level !== 'advisory')
        .map((cell) => ({
          '@type': 'earl:Assertion',
          assertedBy: harness,
          subject: operationId(cell.operation),
          test: clauseId(cell.clause),
          mode: 'earl:automatic',
          result: {
            '@type': 'earl:TestResult',
            outcome: outcomes[cell.verdict],
            date: run.endedAt ?? run.startedAt,
            ...(cell.because === '' ? {} : { info: cell.because }),
          },
        })),
    ],
  };
}
