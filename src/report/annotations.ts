import type { Finding, Report } from './report.ts';

/** GitHub shows ten errors of a step; the rest is in the report. */
const mostShown = 10;

/** Workflow commands of GitHub Actions: an error for each violation, at the line of the operation in the contract. */
export function annotations(report: Report, workspace: string | undefined): readonly string[] {
  return report.violations.slice(0, mostShown).map((finding) => {
    const place = report.scope.operations.find(({ id }) => id === finding.operation)?.position;
    const properties = [
      ...(place === undefined
        ? []
        : [
            `file=${property(relativeTo(workspace, report.baseline.contract.file))}`,
            `line=${place.line}`,
            `col=${place.column}`,
          ]),
      `title=${property(finding.id)}`,
    ];
    const level = finding.waiver === undefined ? 'error' : 'warning';
    return `::${level} ${properties.join(',')}::${message(textOf(finding))}`;
  });
}

function textOf(finding: Finding): string {
  const ids = finding.requestIds.length === 0 ? 'none was sent' : finding.requestIds.join(', ');
  return `${finding.text}\nExpected ${finding.expected}\nActual ${finding.actual}\n${finding.because}\nRequest IDs: ${ids}\nFix: ${finding.fix}`;
}

/** GitLab's code quality report: an issue for each violation, in the form of Code Climate. */
export function codeQuality(report: Report): readonly object[] {
  return report.violations.map((finding) => {
    const place = report.scope.operations.find(({ id }) => id === finding.operation)?.position;
    return {
      description: `${finding.text} Expected ${finding.expected}; got ${finding.actual}`,
      check_name: finding.clause,
      fingerprint: finding.id,
      severity: finding.waiver !== undefined ? 'info' : finding.level === 'stated' ? 'critical' : 'major',
      location: {
        path: relativeTo(undefined, report.baseline.contract.file),
        lines: { begin: place?.line ?? 1 },
      },
    };
  });
}

function relativeTo(workspace: string | undefined, file: string): string {
  const prefix = workspace === undefined ? '' : `${workspace.replace(/\/$/, '')}/`;
  return (prefix !== '' && file.startsWith(prefix) ? file.slice(prefix.length) : file).replace(/^\.\//, '');
}

function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
