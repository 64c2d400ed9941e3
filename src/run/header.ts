import type { Signing, TokenSource } from '../config/config.ts';
import type { Limits } from '../engine/budget.ts';
import type { Selection } from '../engine/plan.ts';
import { type Gate, placeholder } from '../evidence/gate.ts';
import type { HeaderLine, ShardOf } from '../evidence/log.ts';
import { evidenceFormat } from '../evidence/schema.ts';
import type { SignerOrigin, TokenOrigin } from '../model/principal.ts';
import { harness, isInstalledLocally } from './package.ts';
import type { Session } from './session.ts';

export type NarrowedRun = Selection & {
  /** The filters as on the command line. */
  readonly narrowing?: readonly string[] | undefined;
};

/** How a run was narrowed, as on the command line. */
export function narrowingOf({ narrowing, operations, suites }: NarrowedRun): readonly string[] {
  return (
    narrowing ?? [
      ...(suites === undefined ? [] : [`--suite ${suites.join(',')}`]),
      ...(operations === undefined ? [] : [`--operation ${operations.join(',')}`]),
    ]
  );
}

/** The first line of the evidence: what was tested, with what, and how. */
export async function headerOf(
  { config, contract, loaded, seed, suiteNames, suitesDigest }: Session,
  of: NarrowedRun & { readonly challenge?: string | undefined; readonly selfTest?: string | undefined },
  made: {
    readonly startedAt: Date;
    readonly nonce: string;
    readonly shard: ShardOf | undefined;
    readonly gate: Gate;
    readonly limits: Limits;
    readonly reference: boolean;
    readonly certificate: string | undefined;
  },
): Promise<HeaderLine> {
  const { environment, product, vendor, version, approvedScope } = config.target;
  const [document, ...referenced] = loaded.files;
  return {
    line: 'header',
    format: evidenceFormat,
    harness: harness(),
    contract: {
      title: contract.title,
      version: contract.version,
      digest: contract.digest,
      file: config.contract,
      text: document.text,
      ...(referenced.length === 0 ? {} : { beside: referenced }),
    },
    configuration: { file: config.file, digest: config.digest },
    suites: { digest: suitesDigest, names: suiteNames },
    declaration: config.declared.written,
    principals: config.principals.map((principal) => ({
      ...principal,
      ...originOf(config.tokens.get(principal.name)),
      token: `$${placeholder(principal.name)} ${made.gate.digestOf(principal.name) ?? ''}`.trim(),
    })),
    seed,
    nonce: made.nonce,
    ...(of.challenge === undefined ? {} : { challenge: of.challenge }),
    ...(made.shard === undefined ? {} : { shard: made.shard }),
    budget: config.budget,
    limits: made.limits,
    partial: narrowingOf(of).length > 0,
    ...(narrowingOf(of).length === 0 ? {} : { narrowing: narrowingOf(of) }),
    ...(of.operations === undefined ? {} : { operations: of.operations }),
    ...(of.clauses === undefined ? {} : { clauses: of.clauses }),
    target: {
      baseUrl: made.reference ? 'reference' : (config.target.baseUrl ?? ''),
      environment,
      product,
      vendor,
      version,
      ...(approvedScope === undefined ? {} : { approvedScope }),
      ...(made.certificate === undefined ? {} : { certificate: made.certificate }),
      ...(config.target.sign === undefined ? {} : { signedBy: signerOrigin(config.target.sign) }),
    },
    ...(config.ranBy === undefined ? {} : { ranBy: config.ranBy }),
    startedAt: made.startedAt.toISOString(),
    throttling: {
      maxRequests: config.throttling.maxRequests,
      maxSeconds: config.throttling.maxSeconds,
      maxWaitSeconds: config.throttling.maxWaitSeconds,
    },
    hooks: [...config.hooks.keys()],
    ...(config.excluded.length === 0 ? {} : { excluded: config.excluded }),
    ...(config.parameters.size === 0 ? {} : { parameters: Object.fromEntries(config.parameters) }),
    waivers: config.waivers,
    environment: {
      node: process.version,
      platform: process.platform,
      ...(isInstalledLocally(process.cwd()) ? { program: 'npx --no-install assay' } : {}),
    },
    selfTest: of.selfTest,
  };
}

function signerOrigin(sign: Signing): SignerOrigin {
  return 'module' in sign ? { module: sign.module } : { command: sign.command };
}

function originOf(source: TokenSource | undefined): { readonly from?: TokenOrigin } {
  return source === undefined || 'value' in source ? {} : { from: source };
}
