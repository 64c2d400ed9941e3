import type { Exchange, Trace } from '../model/exchange.ts';

/**
 * Shell commands that send the given exchanges again: keys are drawn anew, since a used key means another thing,
 * and tokens stand as the environment variables whose names the log has in their place.
 */
export function reproduction(
  trace: Trace,
  exchanges: readonly Exchange[],
  baseUrl: string,
): readonly string[] {
  const keys = new Map<string, string>();
  const used = new Set(
    exchanges.flatMap((exchange) =>
      exchange.request.headers
        .filter(([name]) => name.toLowerCase() === 'idempotency-key')
        .map(([, value]) => value),
    ),
  );
  for (const value of Object.values(trace.bound.keys))
    if ([...used].some((one) => one.toLowerCase().includes(value)) && !keys.has(value))
      keys.set(value, `KEY_${keys.size + 1}`);
  const lines = [...keys].map(([, name]) => `${name}=$(uuidgen || cat /proc/sys/kernel/random/uuid)`);
  for (const exchange of exchanges) {
    const together = exchanges.some(
      (other) =>
        other !== exchange && other.startedAt < exchange.endedAt && exchange.startedAt < other.endedAt,
    );
    lines.push(`${curl(exchange, baseUrl, keys)}${together ? ' &' : ''}`);
  }
  if (lines.some((line) => line.endsWith(' &'))) lines.push('wait');
  return lines;
}

/** One exchange as a curl command. */
export function curl(exchange: Exchange, baseUrl: string, keys: ReadonlyMap<string, string>): string {
  const { request } = exchange;
  const origin = new URL(baseUrl === 'reference' ? 'http://127.0.0.1:8787' : baseUrl).origin;
  const parts = [
    "curl -isS --path-as-is -w '\\n'",
    `-X ${request.method}`,
    quoted(`${origin}${request.path}`, keys),
  ];
  // curl drops a header without a value unless it ends in a semicolon.
  for (const [name, value] of request.headers)
    parts.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`, keys)}`);
  if (!request.headers.some(([name]) => name.toLowerCase() === 'content-type') && request.body !== undefined)
    parts.push("-H 'Content-Type:'");
  if (request.body !== undefined) parts.push(`--data-binary ${quoted(request.body, keys)}`);
  return parts.join(' ');
}

/** A word for a POSIX shell: variables of ours are expanded, all else stands as it is. */
function quoted(text: string, keys: ReadonlyMap<string, string>): string {
  let result = text
    .replaceAll(/[\\"`$]/g, (letter) => `\\${letter}`)
    .replaceAll(/\\\$(ASSAY_TOKEN_[A-Z0-9_]+)/g, '$${$1}');
  for (const [value, name] of keys)
    result = result.replaceAll(value, `\${${name}}`).replaceAll(value.toUpperCase(), `\${${name}^^}`);
  return /^[\w@%+=:,./-]+$/.test(result) ? result : `"${result}"`;
}
