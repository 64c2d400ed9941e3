import type { Config, TokenSource } from '../config/config.ts';
import { tokenTextProblem } from '../config/tokens.ts';
import { reachText } from '../engine/out-of-reach.ts';
import { knock } from '../engine/presence.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { isAccepted, isFailed, isThrottled } from '../model/response.ts';
import type { Wire, WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { transportOf, wireTarget } from '../run/transport.ts';
import { openWire } from '../wire/wire.ts';

/** Whether the target of a new configuration responds, and whether it knows the tokens. Nothing that it sends creates a record. */
export async function targetChecks(config: Config, contract: Contract): Promise<readonly string[]> {
  const { baseUrl } = config.target;
  if (baseUrl === undefined) return ['target: the embedded reference service'];
  const { origin, pathname } = new URL(baseUrl);
  const wire = openWire(wireTarget(config, await transportOf(config, process.env), origin), machineClock);
  try {
    const { noAnswer } = await wire.send(knock(pathname));
    const there = noAnswer === undefined;
    const lines = [`target: ${there ? `${baseUrl} responds` : reachText(noAnswer, baseUrl)}`];
    for (const { name } of config.principals) {
      const source = config.tokens.get(name);
      if (source === undefined || !('env' in source)) continue;
      lines.push(`token: ${await tokenWords(source, there ? { wire, config, contract } : undefined)}`);
    }
    return lines;
  } finally {
    await wire.close();
  }
}

type At = { readonly wire: Wire; readonly config: Config; readonly contract: Contract };

async function tokenWords(
  source: Extract<TokenSource, { readonly env: string }>,
  at: At | undefined,
): Promise<string> {
  const token = process.env[source.env]?.trim() ?? '';
  const wrong = tokenTextProblem(token);
  if (token === '') return `${source.env} is not set yet`;
  if (wrong !== undefined) return `${source.env} ${wrong.problem}; ${wrong.remedy}`;
  const operation = at === undefined ? undefined : harmless(at.contract);
  if (at === undefined || operation === undefined) return `${source.env} is set; \`assay doctor\` tries it`;
  const bare = await statusOf(at, operation, undefined);
  const status = await statusOf(at, operation, token);
  const what = `${operation.method} ${operation.path}${operation.kind === 'command' ? ' without a key and a body' : ''} returned ${status ?? 'nothing'}`;
  return `${source.env} ${meaning(status, bare)}: ${what}${bare === undefined ? '' : ` (without a token ${bare})`}`;
}

/** What the status says of the token, next to that of the same request without one. */
function meaning(status: number | undefined, bare: number | undefined): string {
  if (status === 401) return 'is not accepted';
  if (status === 403) return 'lacks the permission, or is not accepted';
  if (status === undefined || isFailed({ status }) || isThrottled({ status }))
    return 'could not be tried; `assay doctor` says more';
  return (bare === 401 || isAccepted({ status })) && bare !== status
    ? 'is accepted'
    : 'makes no difference to this request; `assay doctor` says more';
}

/** What can be sent without effect: a read, or else a command, which must refuse to run without its key. */
function harmless({ operations }: Contract): Operation | undefined {
  const plain = operations.filter(({ path }) => !path.includes('{'));
  return (
    plain.find(({ kind, method }) => kind === 'read' && method === 'GET') ??
    plain.find(({ kind }) => kind === 'command')
  );
}

async function statusOf(
  { config, wire }: At,
  { method, path }: Operation,
  token: string | undefined,
): Promise<number | undefined> {
  const base = new URL(config.target.baseUrl ?? '').pathname.replace(/\/$/, '');
  const request: WireRequest = {
    method,
    path: `${base}${path}`,
    headers: [
      ...Object.entries(config.target.headers),
      ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
    ],
    body: undefined,
    transport: 'fresh',
  };
  return (await wire.send(request)).answer?.status;
}
