import { randomBytes, randomUUID } from 'node:crypto';
import { placeholder } from '../evidence/gate.ts';
import type { HeaderLine } from '../evidence/log.ts';
import { isSigned } from '../evidence/signed.ts';
import { type Exchange, headerOf, type Trace } from '../model/exchange.ts';
import { type Json, parseJson } from '../model/json.ts';
import { formedMarker, type MarkerForm } from '../model/marker.ts';
import { formOf } from '../model/scenario.ts';
import type { Finding, Report } from './report.ts';

/** A violation with all that its history was sent and returned. */
export type Shown = {
  readonly finding: Finding;
  readonly report: Report;
  readonly trace: Trace;
  readonly principals: HeaderLine['principals'];
  readonly baseUrl: string;
};

/** The exchanges of a finding, whole, in the order in which they were sent; its control last. */
function historyOf({ finding, trace }: Shown): readonly Exchange[] {
  const of = (id: string | undefined): readonly Exchange[] =>
    trace.exchanges.filter((exchange) => exchange.id === id);
  return [
    ...finding.exchanges.flatMap(({ id }) => of(id)),
    ...(finding.exchanges.some(({ id }) => id === finding.control?.id) ? [] : of(finding.control?.id)),
  ];
}

/** HTTP Archive 1.2: requests and responses as they were, tokens as names of variables. */
export function har(shown: Shown): string {
  const { finding, report, baseUrl } = shown;
  const headers = (list: Exchange['request']['headers']): Json =>
    list.map(([name, value]) => ({ name, value }));
  const entries = historyOf(shown).map((exchange): Json => {
    const { answer, noAnswer, request } = exchange;
    const url = new URL(request.path, new URL(baseUrl).origin);
    const type = headerOf(request.headers, 'content-type') ?? '';
    return {
      startedDateTime: exchange.time,
      time: Math.max(0, exchange.endedAt - exchange.startedAt),
      request: {
        method: request.method,
        url: `${url.origin}${request.path}`,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: headers(request.headers),
        queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
        ...(request.body === undefined ? {} : { postData: { mimeType: type, text: request.body } }),
        headersSize: -1,
        bodySize: request.body === undefined ? 0 : Buffer.byteLength(request.body),
      },
      response: {
        status: answer?.status ?? 0,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: headers(answer?.headers ?? []),
        content: {
          size: answer?.bodyBytes ?? 0,
          mimeType: headerOf(answer?.headers ?? [], 'content-type') ?? '',
          text: answer?.body ?? '',
        },
        redirectURL: '',
        headersSize: -1,
        bodySize: answer?.bodyBytes ?? -1,
        ...(noAnswer === undefined ? {} : { comment: `${noAnswer.reason}: ${noAnswer.detail}` }),
      },
      cache: {},
      timings: { send: 0, wait: Math.max(0, exchange.endedAt - exchange.startedAt), receive: 0 },
      comment: `${exchange.id} as ${exchange.principal}, request IDs: ${exchange.requestIds.join(', ') || 'none'}`,
    };
  });
  const { name, version } = report.baseline.harness;
  const comment = `${finding.id}: ${finding.text} Expected: ${finding.expected}. Actual: ${finding.actual}.`;
  return `${JSON.stringify({ log: { version: '1.2', creator: { name, version }, entries, comment } }, undefined, 2)}\n`;
}

/** A file for the HTTP clients of editors. Keys and markers are new: print another one for the next time. */
export function httpFile(shown: Shown): string {
  const { finding, trace, principals, baseUrl } = shown;
  const exchanges = historyOf(shown);
  const fresh = new Map<string, string>([
    ...Object.values(trace.bound.keys).map((value) => [value, drawn('key')] as const),
    ...Object.entries(trace.bound.markers).map(
      ([name, value]) => [value, drawn('marker', formOf(trace.scenario, name))] as const,
    ),
  ]);
  const tokens = principals.filter(({ name }) =>
    exchanges.some(({ request }) => JSON.stringify(request).includes(`$${placeholder(name)}`)),
  );
  const rewritten = (text: string): string => {
    let result = text;
    for (const [from, to] of fresh)
      result = result.replaceAll(from, to).replaceAll(from.toUpperCase(), to.toUpperCase());
    for (const { name } of tokens)
      result = result.replaceAll(`$${placeholder(name)}`, `{{${placeholder(name)}}}`);
    return result;
  };
  const { origin } = new URL(baseUrl);
  return [
    `# ${finding.id}: ${oneLine(finding.text)}`,
    `# Expected: ${oneLine(finding.expected)}`,
    `# Actual: ${oneLine(finding.actual)}`,
    ...tokens.map(({ name, from }) => {
      const variable = from !== undefined && 'env' in from ? from.env : placeholder(name);
      return `@${placeholder(name)} = {{$processEnv ${variable}}}`;
    }),
    ...(exchanges.some(({ request }) => request.headers.some(isSigned))
      ? ['# Each request needs a signature in place of $ASSAY_TOKEN_SIGNED_...; `assay reproduce` makes it.']
      : []),
    '',
    ...exchanges.flatMap(({ request, step, answer }) => [
      `### ${step}, returned ${answer?.status ?? 'no response'}`,
      `${request.method} ${origin}${rewritten(request.path)}`,
      ...request.headers
        .filter(([name]) => name.toLowerCase() !== 'content-length')
        .map(([name, value]) => `${name}: ${rewritten(value)}`),
      '',
      ...(request.body === undefined ? [] : [rewritten(request.body), '']),
    ]),
  ].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function drawn(what: 'key' | 'marker', form?: MarkerForm): string {
  if (what === 'key') return randomUUID();
  return formedMarker(form, randomBytes(32).toString('hex')) ?? `asy-${randomBytes(8).toString('hex')}`;
}

/** A test that sends the case again and fails while the violation is there; it needs the configuration alone. */
export function vitestFile(
  { finding }: Pick<Shown, 'finding'>,
  minimal: object,
  { config, baseUrl }: { readonly config: string; readonly baseUrl: string | undefined },
): string {
  const value = JSON.stringify(parseJson(JSON.stringify(minimal)) ?? null, undefined, 2);
  return [
    "import { reproduce } from '@governed-command/assay';",
    "import { expect, test } from 'vitest';",
    '',
    `test(${JSON.stringify(`${finding.id}: ${oneLine(finding.text)}`)}, async () => {`,
    '  const { outcome, because } = await reproduce({',
    `    config: ${JSON.stringify(config)},`,
    ...(baseUrl === undefined ? [] : [`    baseUrl: ${JSON.stringify(baseUrl)},`]),
    `    case: ${value.replaceAll('\n', '\n    ')},`,
    '  });',
    "  expect(outcome, because).toBe('not reproduced');",
    '}, 120_000);',
    '',
  ].join('\n');
}
