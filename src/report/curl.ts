import { dirname } from 'node:path';
import { placeholder } from '../evidence/gate.ts';
import { isSigned } from '../evidence/signed.ts';
import { type Contract, operationNamed } from '../model/contract.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import {
  isPermitted,
  ownPath,
  ownValue,
  type Principal,
  type SignerOrigin,
  scopeOf,
  type TokenOrigin,
} from '../model/principal.ts';
import { formOf, stepsOf, type Wave } from '../model/scenario.ts';
import { fitsWord, inCapitals, newMarker, printed, type Variables, word } from './shell.ts';

/** Where commands go, and who may read what they leave. */
export type Reproducing = {
  readonly baseUrl: string;
  readonly contract: Contract;
  readonly principals: readonly (Principal & { readonly from?: TokenOrigin })[];
  /** Path of the configuration, in whose folder commands for tokens run. */
  readonly configuration?: string;
  readonly signedBy?: SignerOrigin | undefined;
  /** How the harness was called: `npx --no-install assay` where a project has installed it. */
  readonly program?: string | undefined;
};

/** Shell commands with new keys and markers; tokens are variables. With `effects`, the last reads what the others left. */
export function reproduction(
  trace: Trace,
  named: readonly Exchange[],
  setting: Reproducing,
  effects: boolean,
): readonly string[] {
  const { baseUrl } = setting;
  const exchanges = withWaves(trace, named);
  const tokens = tokenVariables(setting);
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
  const lines = [...keys].map(([, name]) => `${name}=${newUuid}`);
  const markers = new Map<string, string>();
  for (const [body, value] of Object.entries(trace.bound.markers))
    if (exchanges.some(({ request }) => request.body?.includes(value) === true) && !markers.has(value)) {
      const name = `MARKER_${markers.size + 1}`;
      markers.set(value, name);
      lines.push(`${name}=${newMarker(formOf(trace.scenario, body))}`);
    }
  for (const [value, name] of markers) keys.set(value, name);
  const pace = burstBefore(trace, exchanges);
  const variables = new Map([...tokens, ...keys]);
  const sent = [
    ...(pace === undefined ? [] : hurry(pace.exchange, pace.count, baseUrl, variables)),
    ...inTurn(exchanges, (exchange) =>
      inOtherCase(trace, exchange, cutLike(trace, exchange, baseUrl, variables)),
    ),
  ];
  for (const name of keys.values())
    if (sent.some((line) => line.includes(`\${${inCapitals(name)}}`)))
      lines.push(`${inCapitals(name)}=$(printf %s "\${${name}}" | tr a-z A-Z)`);
  if (exchanges.some(isCut))
    lines.push(
      remark('The run cut connections: set -m to fewer seconds than the service takes for a response'),
    );
  lines.push(...pathRemark(trace, exchanges), ...sent);
  if (effects && markers.size > 0) lines.push(...readBack(exchanges, [...markers.values()], setting, tokens));
  return [...signingLines(setting, exchanges), ...tokenLines(setting, lines), ...lines];
}

/** In the log, a token in the other letter case has the placeholder of the token: what was sent was another one. */
function inOtherCase({ scenario }: Trace, { step }: Exchange, line: string): string {
  if (stepsOf(scenario.waves).find(({ id }) => id === step)?.token !== 'flip-case') return line;
  return line.replace(/(-H 'Authorization: Bearer ')"\$\{(\w+)\}"/, (_, before: string, name: string) => {
    const [end, start] = [`\${${name}##*.}`, `\${${name}%"\${${name}##*.}"}`];
    return `${before}"$(printf %s "${start}"; printf %s "${end}" | tr A-Za-z a-zA-Z)"`;
  });
}

/** Where requests need a signature: a shell cannot make it, `assay reproduce` can. */
function signingLines(
  { signedBy, program = 'assay' }: Reproducing,
  exchanges: readonly Exchange[],
): readonly string[] {
  const added = exchanges.flatMap(({ request }) => request.headers.filter(isSigned));
  if (signedBy === undefined || added.length === 0) return [];
  const by = 'module' in signedBy ? signedBy.module : signedBy.command;
  const variables = [...new Set(added.map(([, value]) => value.slice(1)))].join(', ');
  return [
    remark(
      `Each request needs a signature, which target.sign makes (${by.replaceAll("'", "'\\''")}). ${program} reproduce signs by itself; for these lines set ${variables} before each`,
    ),
  ];
}

/** A shell does not take the ID of a record from a response: the reader puts it in. */
function pathRemark({ scenario }: Trace, exchanges: readonly Exchange[]): readonly string[] {
  const sent = new Set(exchanges.map(({ step }) => step));
  const refs = stepsOf(scenario.waves).flatMap(({ id, target }) =>
    sent.has(id) ? Object.values(target ?? {}) : [],
  );
  return refs.some((ref) => 'step' in ref && sent.has(ref.step))
    ? [remark('Paths name records of the run: replace their IDs with those that these commands return')]
    : [];
}

/** The exchanges, and all others of the waves in which one of them was sent together with others: a race needs them. */
function withWaves(trace: Trace, named: readonly Exchange[]): readonly Exchange[] {
  const steps = new Set(named.map(({ step }) => step));
  const raced = new Set(
    wavesIn(trace.scenario.waves).flatMap((wave) => {
      const ids = 'steps' in wave && wave.steps.length > 1 ? wave.steps.map(({ id }) => id) : [];
      return ids.some((id) => steps.has(id)) ? ids : [];
    }),
  );
  const known = new Set(named.map(({ id }) => id));
  const others = trace.exchanges.filter(({ id, step }) => raced.has(step) && !known.has(id));
  return others.length === 0
    ? named
    : [...named, ...others].sort((one, other) => one.startedAt - other.startedAt);
}

function wavesIn(waves: readonly Wave[]): readonly Wave[] {
  return waves.flatMap((wave) => ('when' in wave ? wavesIn(wave.waves) : [wave]));
}

/** The variable of the configuration for the placeholder of each token that comes from one. */
function tokenVariables({ principals }: Reproducing): Variables {
  return new Map(
    principals.flatMap(({ from, name }) =>
      from !== undefined && 'env' in from ? [[`$${placeholder(name)}`, from.env] as const] : [],
    ),
  );
}

/** Lines that set the tokens which come from files and commands, where the others use them. */
function tokenLines({ configuration, principals }: Reproducing, lines: readonly string[]): readonly string[] {
  const plain = (text: string): string => word(text, new Map(), 'utf8');
  const folder = dirname(configuration ?? '.');
  return principals.flatMap(({ from, name }) => {
    const variable = placeholder(name);
    if (from === undefined || 'env' in from || !lines.some((line) => line.includes(`\${${variable}}`)))
      return [];
    // A command may print JSON, with the token in it.
    return 'file' in from
      ? [`${variable}=$(cat ${plain(from.file)})`]
      : [
          `${variable}=$(${folder === '.' ? '' : `cd ${plain(folder)} && `}{ ${from.command}; } | tr -d '\\n' | sed -e 's/.*"token" *: *"\\([^"]*\\)".*/\\1/' -e 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`,
        ];
  });
}

/** In lower case, which `uuidgen` of some systems does not write. */
const newUuid = '$( (uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid) | tr A-Z a-z)';

/** What is said in between: interactive zsh knows no comments. */
const remark = (text: string): string => `: '${text}'`;

/** One command after the other; those that were on their way at once in the background, and what came later after them. */
function inTurn(exchanges: readonly Exchange[], command: (exchange: Exchange) => string): readonly string[] {
  const lines: string[] = [];
  let together: string[] = [];
  const end = (): void => {
    if (together.length > 0) lines.push(...folded(together), 'wait');
    together = [];
  };
  for (const exchange of exchanges) {
    const overlaps = exchanges.some(
      (other) =>
        other !== exchange && other.startedAt < exchange.endedAt && exchange.startedAt < other.endedAt,
    );
    if (overlaps) together.push(command(exchange));
    else {
      end();
      lines.push(command(exchange));
    }
  }
  end();
  return lines;
}

/** Commands for the background; three and more of a kind as a loop. */
function folded(commands: readonly string[]): readonly string[] {
  return [...new Set(commands)].flatMap((one) => {
    const count = commands.filter((other) => other === one).length;
    return count < 3
      ? Array.from({ length: count }, () => `${one} &`)
      : [`for n in $(seq ${count}); do ${one} & done`];
  });
}

function burstBefore(
  trace: Trace,
  exchanges: readonly Exchange[],
): { readonly exchange: Exchange; readonly count: number } | undefined {
  const repeated = new Set(
    trace.scenario.waves.flatMap((wave) => ('repeat' in wave ? [wave.repeat.id] : [])),
  );
  const exchange = exchanges.find(({ step }) => repeated.has(step));
  if (exchange === undefined) return undefined;
  const count = trace.exchanges.filter(
    (other) => other.step === exchange.step && other.startedAt < exchange.startedAt,
  ).length;
  return count === 0 ? undefined : { exchange, count };
}

/** Sends so many as fast as a shell can, and half as many more, since a shell is slower; each command has a key of its own. */
function hurry(
  exchange: Exchange,
  count: number,
  baseUrl: string,
  keys: ReadonlyMap<string, string>,
): readonly string[] {
  const one = curl(
    exchange,
    baseUrl,
    keys,
    "curl -gsS --path-as-is -o /dev/null -w '%{http_code} '",
  ).replaceAll(/\$\{KEY_\d+\}/g, newUuid);
  return [
    remark(`The service was sent ${count} such requests before; as fast as they go, then one more:`),
    `for n in $(seq ${Math.ceil(count * 1.5)}); do ${one} & done; wait; echo`,
  ];
}

function readBack(
  exchanges: readonly Exchange[],
  markers: readonly string[],
  { baseUrl, contract, principals }: Reproducing,
  tokens: Variables,
): readonly string[] {
  const command = exchanges.find(({ request }) => request.body !== undefined);
  const operation = operationNamed(contract, command?.operation);
  const list = operationNamed(contract, operation?.effect?.list);
  if (list === undefined || list.pathFields.length > 0) return [];
  const scope = scopeOf(principals, command?.principal);
  const reader = principals.find(
    (one) => one.state === 'valid' && one.scope === scope && isPermitted(one, list),
  );
  if (reader === undefined) return [];
  const path = ownPath(list, (one) => ownValue(principals, reader.name, one));
  if (path === undefined) return [];
  const pages = list.pagination === undefined ? '' : `, on every page (${list.pagination.cursor})`;
  const { origin, pathname } = placeOf(baseUrl);
  return [
    remark(`Count the records that hold ${markers.map((name) => `$${name}`).join(' or ')}${pages}:`),
    [
      "curl -gisS -w '\\n'",
      word(`${origin}${pathname.replace(/\/$/, '')}${path}`, new Map(), 'utf8'),
      `-H ${word(`Authorization: Bearer $${placeholder(reader.name)}`, tokens, 'utf8')}`,
      "-H 'Accept: application/json'",
    ].join(' '),
  ];
}

const isCut = ({ noAnswer }: Exchange): boolean => noAnswer?.reason === 'cut';

/** A request whose connection is cut where the harness cut it, as nearly as curl can. */
function cutLike(trace: Trace, exchange: Exchange, baseUrl: string, variables: Variables): string {
  const { endedAt, request, startedAt, step } = exchange;
  if (!isCut(exchange)) return curl(exchange, baseUrl, variables);
  const transport = stepsOf(trace.scenario.waves).find(({ id }) => id === step)?.transport;
  if (transport === 'cut-on-answer') return `${curl(exchange, baseUrl, variables)} | head -c 1`;
  const { body = '', headers } = request;
  const half: Exchange = {
    ...exchange,
    request: {
      ...request,
      headers: [...headers, ['Content-Length', String(Buffer.byteLength(body))]],
      body: body.slice(0, body.length / 2),
    },
  };
  const seconds = Math.max(0.05, (endedAt - startedAt) / 1000).toFixed(2);
  return `${curl(transport === 'cut-mid-body' ? half : exchange, baseUrl, variables)} -m ${seconds}`;
}

function placeOf(baseUrl: string): URL {
  return new URL(baseUrl === 'reference' ? 'http://127.0.0.1:8787' : baseUrl);
}

export function curl(
  exchange: Exchange,
  baseUrl: string,
  keys: Variables,
  program = "curl -gisS --path-as-is -w '\\n'",
): string {
  const { request } = exchange;
  const { origin } = placeOf(baseUrl);
  const parts = [
    program,
    `-X ${word(request.method, new Map(), 'latin1')}`,
    word(`${origin}${request.path}`, keys, 'utf8'),
  ];
  // curl drops a header without a value unless it ends in a semicolon. The wire sends Latin-1 where it can.
  for (const [name, value] of request.headers) {
    const line = value === '' ? `${name};` : `${name}: ${value}`;
    parts.push(`-H ${word(line, keys, /[^\0-\xff]/.test(line) ? 'utf8' : 'latin1')}`);
  }
  const { body } = request;
  if (body === undefined) return parts.join(' ');
  if (!request.headers.some(([name]) => name.toLowerCase() === 'content-type'))
    parts.push("-H 'Content-Type:'");
  if (fitsWord(body)) return [...parts, `--data-raw ${word(body, keys, 'utf8')}`].join(' ');
  return `${printed(body, keys, 'utf8')} | ${[...parts, '--data-binary @-'].join(' ')}`;
}
