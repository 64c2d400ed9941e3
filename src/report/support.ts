import { repeatWords } from './repeats.ts';
import type { Excerpt, Finding, Report } from './report.ts';

/** For the vendor's support (Errors, rule 3). Bodies, headers, keys and credentials stay out (Authentication, rule 4). */
export function supportRequest(report: Report, finding: Finding): string {
  const { baseline, subject, scope } = report;
  const operation = scope.operations.find(({ id }) => id === finding.operation);
  const pair = (name: string, value: string): string => `${`${name}:`.padEnd(18)}${value}`;
  return [
    `Support request: ${finding.text}`,
    '',
    pair('Contract version', `${baseline.contract.version} (${baseline.contract.title})`),
    pair('Environment', subject.asserted.environment),
    pair(
      'Operation',
      operation === undefined ? finding.operation : `${operation.method} ${operation.path} (${operation.id})`,
    ),
    pair('Timestamp', finding.exchanges[0]?.time ?? report.run.startedAt),
    pair('Correlation ID', finding.requestIds.join(', ') || 'the service sent no X-Request-Id'),
    pair('Clause', `${finding.clause}, "${finding.source.quote}" (${finding.source.where})`),
    pair('Finding', `${finding.id} of run ${report.run.id}, ${repeatWords(finding)}`),
    '',
    'Requests, in the order in which they were sent:',
    ...finding.exchanges.map((exchange, index) => `  ${index + 1}. ${requestLine(exchange, report)}`),
    '',
  ].join('\n');
}

/** Path templates instead of paths: ids of records and query values stay out. */
function requestLine(exchange: Excerpt, report: Report): string {
  const operation = report.scope.operations.find(({ id }) => id === exchange.operation);
  const what = operation === undefined ? exchange.operation : `${operation.method} ${operation.path}`;
  const outcome = exchange.status === undefined ? 'no response' : `returned ${exchange.status}`;
  return `${exchange.time}  ${what}  ${outcome}  ${exchange.requestIds.join(', ') || 'no X-Request-Id'}`;
}
