import type { JsonObject } from '../model/json.ts';
import type { Format } from './format.ts';
import { formatList } from './format-list.ts';
import type { Excerpt, Finding, Report } from './report.ts';

/** SARIF 2.1.0 (OASIS): a rule for each clause, a result for each violation; waivers are suppressions. */
export const sarif: Format = {
  ...formatList.sarif,
  render: ({ report }) => `${JSON.stringify(sarifLog(report), undefined, 2)}\n`,
};

function sarifLog(report: Report): JsonObject {
  const { run, baseline, subject, evidence, verdict } = report;
  const indices = new Map(report.clauses.map(({ code }, index) => [code, index]));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Assay',
            fullName: `${baseline.judgedBy.name} ${baseline.judgedBy.version}`,
            version: baseline.judgedBy.version,
            rules: report.clauses.map((clause) => ({
              id: clause.code,
              shortDescription: { text: clause.text },
              fullDescription: { text: `${clause.text} "${clause.source.quote}" (${clause.source.where})` },
              defaultConfiguration: { level: clause.level === 'advisory' ? 'note' : 'error' },
              properties: { level: clause.level, tags: [clause.code.split('-')[0] ?? ''] },
            })),
          },
        },
        automationDetails: {
          id: `assay/${subject.asserted.product ?? 'target'}/${run.id}`,
          description: { text: `${baseline.contract.title} ${baseline.contract.version}` },
        },
        invocations: [
          {
            executionSuccessful: run.ended === 'complete',
            startTimeUtc: run.startedAt,
            ...(run.endedAt === undefined ? {} : { endTimeUtc: run.endedAt }),
            exitCode: verdict.exitCode,
            exitCodeDescription: verdict.outcome,
            toolExecutionNotifications: report.limits.open.map((group) => ({
              level: group.verdict === 'inconclusive' ? 'warning' : 'note',
              message: {
                text: `${group.verdict}: ${group.clauses.join(', ')} on ${group.operations.join(', ')}. ${group.because}`,
              },
            })),
          },
        ],
        artifacts: [
          {
            location: { uri: uriOf(baseline.contract.file) },
            hashes: { 'sha-256': baseline.contract.digest },
          },
          {
            location: { uri: evidence.file },
            length: evidence.bytes,
            hashes: { 'sha-256': evidence.sha256 },
          },
        ],
        results: [...report.violations, ...report.advisories].map((finding) =>
          resultOf(finding, report, indices.get(finding.clause) ?? -1),
        ),
        properties: {
          outcome: verdict.outcome,
          partial: verdict.partial,
          certifiable: verdict.certifiable,
          seed: baseline.seed,
        },
      },
    ],
  };
}

function resultOf(finding: Finding, report: Report, ruleIndex: number): JsonObject {
  const operation = report.scope.operations.find(({ id }) => id === finding.operation);
  const shown = finding.exchanges.at(-1);
  return {
    ruleId: finding.clause,
    ruleIndex,
    kind: 'fail',
    level: finding.level === 'advisory' ? 'note' : 'error',
    message: {
      text: `${finding.text} Expected ${finding.expected}; got ${finding.actual}. ${finding.because} Request IDs: ${finding.requestIds.join(', ') || 'none was sent'}.`,
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(report.baseline.contract.file), index: 0 },
          ...(operation?.position === undefined
            ? {}
            : { region: { startLine: operation.position.line, startColumn: operation.position.column } }),
        },
        logicalLocations: [
          {
            name: finding.operation,
            fullyQualifiedName: `${operation?.method ?? ''} ${operation?.path ?? finding.operation}`.trim(),
            kind: 'function',
          },
        ],
      },
    ],
    partialFingerprints: { 'assayFinding/v1': finding.id },
    ...(shown === undefined ? {} : web(shown)),
    ...(finding.waiver === undefined
      ? {}
      : {
          suppressions: [
            {
              kind: 'external',
              status: 'accepted',
              justification: `${finding.waiver.reason} (${finding.waiver.owner}, until ${finding.waiver.expires})${finding.waiver.link === undefined ? '' : ` ${finding.waiver.link}`}`,
            },
          ],
        }),
    properties: {
      verdict: finding.verdict,
      fix: finding.fix,
      reproduce: finding.reproduce,
      requestIds: finding.requestIds,
      exchanges: finding.exchanges.map(({ id }) => id),
    },
  };
}

function web(exchange: Excerpt): JsonObject {
  const [method = '', ...target] = exchange.request.split(' ');
  return {
    webRequest: {
      protocol: 'HTTP',
      version: '1.1',
      method,
      target: target.join(' '),
      headers: fields(exchange.requestHeaders),
      ...(exchange.requestBody === undefined ? {} : { body: { text: exchange.requestBody } }),
    },
    webResponse:
      exchange.status === undefined
        ? { noResponseReceived: true }
        : {
            protocol: 'HTTP',
            version: '1.1',
            statusCode: exchange.status,
            headers: fields(exchange.responseHeaders),
            ...(exchange.responseBody === undefined ? {} : { body: { text: exchange.responseBody } }),
          },
  };
}

/** SARIF has an object for headers: several lines of one name are joined. */
function fields(headers: Excerpt['requestHeaders']): JsonObject {
  const found = new Map<string, string>();
  for (const [name, value] of headers) {
    const known = found.get(name);
    found.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(found);
}

function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}
