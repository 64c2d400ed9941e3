import type { Context } from '../model/clause.ts';
import { choosesRecord, isPlaced, operationNamed, type VersionRule } from '../model/contract.ts';
import type { Declared } from '../model/declaration.ts';
import { asksInBody, namedTarget } from '../model/named-records.ts';
import { isAccepted } from '../model/response.ts';
import type { Deviation, How, Step } from '../model/scenario.ts';
import { refusedByServers } from '../model/token-variants.ts';
import { declaredStatus, keyRule, reuseRule } from './key-rules.ts';
import type { Rule } from './rule.ts';

/** Which responses the contract allows for one step; 429 is always allowed as well (Errors table). */
export type Allowed = {
  /** Whether the step may be accepted (2xx). */
  readonly success: boolean;
  /** A success is let pass with an advisory. */
  readonly toleratesSuccess?: true;
  readonly refusals: readonly number[] | 'any 4xx';
  /** Refusals that are let pass with an advisory. */
  readonly tolerated: readonly number[];
  /** The rule in words: "401 (credential missing, expired or invalid)". */
  readonly words: string;
};

/** The one place that knows which outcomes the contract allows for a step (Errors table; open points G1 to G19). */
export function allowed(context: Context, step: Step): Allowed {
  const deviations = step.deviations;
  const rules = deviations.map((deviation) => ruleOf(context, deviation, step));
  const cut = cutOf(context, step);
  if (cut !== undefined) return inWords(cut, parserFirst(deviations));
  const success = rules.every((rule) => rule.success);
  return inWords(
    {
      success,
      ...(rules.some((rule) => rule.toleratesSuccess) ? { toleratesSuccess: true } : {}),
      // A deviation that may also be accepted adds nothing to what a plain fault provokes but its own refusals.
      refusals: refusalsOf(rules),
      tolerated: rules.flatMap((rule) => rule.tolerated ?? []),
      why: [...new Set(rules.map((rule) => rule.why))].join('; '),
    },
    [],
  );
}

function refusalsOf(rules: readonly Rule[]): Allowed['refusals'] {
  const all = new Set<number>();
  for (const { refusals } of rules) {
    if (refusals === 'any 4xx') return refusals;
    for (const status of refusals) all.add(status);
  }
  return [...all].sort();
}

/** True where the status is one that the contract allows; `tolerated` ones are allowed with an advisory. */
export function permits(rule: Allowed, status: number): 'yes' | 'tolerated' | 'no' {
  if (isAccepted({ status })) return !rule.success ? 'no' : rule.toleratesSuccess ? 'tolerated' : 'yes';
  if (rule.refusals === 'any 4xx' ? status >= 400 && status < 500 : rule.refusals.includes(status))
    return 'yes';
  return rule.tolerated.includes(status) ? 'tolerated' : 'no';
}

/** True where a deviation makes the request one that must not succeed. */
export function provokesRefusal(context: Context, step: Step, deviation: Deviation): boolean {
  return (
    !(deviation.kind === 'scope' && mayMakeOwn(context, step)) && !ruleOf(context, deviation, step).success
  );
}

/** Whether a caller of another scope makes a record of its own under the ID that it chooses. */
export function mayMakeOwn({ contract }: Context, { operation, within }: Step): boolean {
  const sent = operationNamed(contract, operation);
  // The path of the other scope holds none of its own.
  return sent !== undefined && choosesRecord(sent) && !(within !== undefined && isPlaced(sent));
}

/** Credential before permission before all else (Errors, rule 1: separate classes). */
function cutOf(context: Context, step: Step): Rule | undefined {
  const { deviations } = step;
  const kinds = new Set(deviations.map((deviation) => deviation.kind));
  const sent = operationNamed(context.contract, step.operation);
  if (kinds.has('credential')) return credentialRule(step);
  const permission = deviations.find((deviation) => deviation.kind === 'permission');
  if (permission !== undefined)
    return { ...ruleOf(context, permission, step), ...permissionRefusals(context, step) };
  if (kinds.has('scope') && mayMakeOwn(context, step))
    return {
      success: true,
      // The records that its body names may be of the other scope: there are none such in its own.
      refusals: [...scopeRefusals(context, step), 409, ...(sent?.named === undefined ? [] : [422])],
      why: 'a record of its own, or the ID is taken',
    };
  if (kinds.has('scope'))
    return {
      success: false,
      refusals: scopeRefusals(context, step),
      why: 'identity lacks the scope of the target record',
    };
  return undefined;
}

function credentialRule({ token }: Step): Rule {
  return {
    success: false,
    refusals: [401],
    tolerated: (token && refusedByServers.get(token)) ?? [],
    why: 'credential missing, expired or invalid',
  };
}

/** Whether a request shows by itself, to whom never looks at a record or a key, that it does not match the schema. */
function isInput(deviation: Deviation): boolean {
  switch (deviation.kind) {
    case 'body':
    case 'unknown-member':
    case 'query':
      return true;
    case 'key':
      return isMissing(deviation);
    case 'version':
      return deviation.how === 'absent' || deviation.how === 'garbage';
    case 'verification':
      return deviation.how === 'absent';
    default:
      return false;
  }
}

/** What needs no record, such as body, query or key, may be checked before the permission (G11). */
function permissionRefusals(context: Context, step: Step): Pick<Rule, 'refusals' | 'tolerated'> {
  const declared = context.declared.G11;
  const others = step.deviations.filter(({ kind }) => kind !== 'permission');
  if (!others.some(isInput) || declared === 403) return { refusals: [403] };
  // What is declared of bodies need not be so of the query, or of the headers.
  const inBody = others.every(({ kind }) => kind === 'body' || kind === 'unknown-member');
  if (declared === 422 && inBody) return { refusals: [422] };
  // A missing key may have another status than 422 (G2).
  const key = others.find((one) => one.kind === 'key' && isMissing(one));
  const { refusals = [], tolerated = [] } = key === undefined ? {} : ruleOf(context, key, step);
  const early = [...new Set([422, ...(refusals === 'any 4xx' ? [] : refusals)])];
  return declared === undefined
    ? { refusals: [403], tolerated: [...early, ...tolerated] }
    : { refusals: [403, ...early], tolerated };
}

/** A key of blanks alone is as good as none. */
function isMissing({ how }: Extract<Deviation, { kind: 'key' }>): boolean {
  return how === 'absent' || how === 'blank';
}

/** Parsers may run before authentication: a body that cannot be read may be refused as such (G14), with an advisory. */
function parserFirst(deviations: readonly Deviation[]): readonly number[] {
  return deviations.some((deviation) => deviation.kind === 'body-syntax' || deviation.kind === 'media-type')
    ? [400, 415, 422]
    : [];
}

/** A path through what is the caller's own leads to no record: 404, whatever is declared of foreign ones. */
function scopeRefusals(
  { contract, declared }: Context,
  { deviations, operation, within }: Step,
): readonly number[] {
  const sent = operationNamed(contract, operation);
  const foreign = declaredStatus(declared.G9, [403, 404]);
  // What a body names may be refused as what is not there, or as a wrong value.
  if (sent !== undefined && (namedTarget(sent) !== undefined || asksInBody(sent)))
    return [...new Set([...foreign, 403, 404, 409, 422])].sort();
  const inOwn =
    deviations.some((deviation) => deviation.kind === 'scope' && deviation.through === 'own') ||
    (sent !== undefined && isPlaced(sent) && within === undefined);
  return inOwn ? [...new Set([...foreign, 404])] : foreign;
}

function ruleOf({ contract, declared }: Context, deviation: Deviation, step: Step): Rule {
  const { malformed } = declared.G14;
  switch (deviation.kind) {
    case 'credential':
      return credentialRule(step);
    case 'permission':
      return {
        // A read has no stored result.
        success: deviation.how === 'withdrawn' && declared.G10 === 'replay' && step.key.use !== 'none',
        refusals: [403],
        why: 'identity lacks the exact permission',
      };
    case 'scope':
      return {
        success: false,
        refusals: declaredStatus(declared.G9, [403, 404]),
        why: 'identity lacks the scope of the target record',
      };
    case 'reference':
      return { success: true, refusals: 'any 4xx', why: 'a reference to a record of another scope' };
    case 'key':
      return keyRule(deviation.how, declared.G2);
    case 'key-reuse':
      return reuseRule(deviation.difference);
    case 'body':
      if (deviation.keyword === 'format') return formatRule(deviation.at);
      if (isVersion(contract, step, deviation.at))
        return {
          success: false,
          refusals: [409, 422],
          why: 'body does not match the published schema, and has no current version',
        };
      // A root that is not an object is refused by many parsers; G14 says whether the vendor declares so.
      return deviation.at === '' && deviation.keyword === 'type'
        ? {
            success: false,
            refusals: [422, ...(malformed === undefined ? [] : [malformed])],
            why: 'body does not match the published schema',
          }
        : {
            success: false,
            refusals: [422],
            why: `the body breaks '${deviation.keyword}' at ${deviation.at || 'its root'}`,
          };
    case 'unknown-member':
      return unknownRule(deviation.free ? undefined : declared.G7, 'unknown member of the body (G7)');
    case 'body-syntax':
      if (deviation.how === 'open')
        return { success: true, refusals: 'any 4xx', why: 'RFC 8259 leaves it to the parser' };
      if (deviation.how === 'extension')
        return {
          success: true,
          toleratesSuccess: true,
          refusals: 'any 4xx',
          why: 'not JSON, though some parsers read it',
        };
      return {
        success: false,
        refusals: malformed === undefined ? 'any 4xx' : [malformed],
        why: 'body is not JSON (G14)',
      };
    case 'media-type':
      if (deviation.how === 'parameter')
        return {
          success: true,
          refusals: [],
          tolerated: [400, 406, 415, 422],
          why: 'charset=utf-8 adds nothing: JSON is UTF-8',
        };
      return { success: true, refusals: 'any 4xx', why: 'other media type: refused, or read as JSON (G14)' };
    case 'query':
      if (deviation.keyword === 'format') return formatRule(deviation.field);
      if (deviation.keyword === 'odd')
        return { success: true, refusals: 'any 4xx', why: 'an unusual query: served or refused' };
      return deviation.keyword === 'unknown'
        ? unknownRule(declared.G7, 'unknown query field (G7)')
        : {
            success: false,
            // No such path may be known.
            refusals: deviation.in === 'path' ? 'any 4xx' : [422],
            why: `${deviation.in === undefined ? 'query field' : deviation.in} does not match its schema`,
          };
    case 'cursor':
      return { success: true, refusals: 'any 4xx', why: 'cursor refused, or own data' };
    case 'version':
      return versionRule(deviation.how, step, operationNamed(contract, step.operation)?.version);
    case 'verification':
      if (deviation.how === 'shared')
        return { success: true, refusals: 'any 4xx', why: 'a verification that two commands share' };
      return {
        success: false,
        refusals: [
          ...declaredStatus(declared.G4, [401, 403, 409, 422]),
          // What nobody issued may not have the form that the contract asks for.
          ...(deviation.how === 'wrong' || deviation.how === 'altered' ? [422] : []),
        ],
        why: 'stronger verification missing or wrong (G4)',
      };
    case 'conflict':
      return { success: false, refusals: [409], why: 'conflict of state' };
    case 'target':
      return { success: false, refusals: [403, 404, 409, 410, 422], why: 'no such target record' };
    case 'path-noise':
      return { success: true, refusals: 'any 4xx', tolerated: [301, 302, 307, 308], why: 'another path' };
    case 'fault':
      return deviation.how === 'slow'
        ? { success: true, refusals: [], why: 'a valid command' }
        : { success: true, refusals: [500, 502, 503, 504], why: 'a service failure was caused' };
    case 'pace':
    case 'header-noise':
    case 'parameter':
    case 'text-noise':
    case 'lost-response':
      return { success: true, refusals: [], why: 'a valid request' };
    case 'scheme-case':
      return {
        success: true,
        refusals: [401],
        why: 'the scheme is compared case-insensitively (advisory)',
      };
  }
}

/** Whether the member of the body is the one that carries the version: what is no version may be a conflict as well. */
function isVersion(contract: Context['contract'], { operation }: Step, at: string): boolean {
  const carrier = operationNamed(contract, operation)?.version?.carrier;
  return carrier?.in === 'body' && carrier.at === at;
}

/**
 * In JSON Schema 2020-12 `format` is an annotation, which a validator may assert (validation, section 7.2). Where none does, what
 * is no UUID is the ID of a record that does not exist.
 */
function formatRule(name: string): Rule {
  return {
    success: true,
    toleratesSuccess: true,
    refusals: [422],
    ...(isReference.test(name) ? { tolerated: [404, 409] } : {}),
    why: 'format, which JSON Schema leaves to the validator',
  };
}

/** The end of a name that may mean another record: `orderId`, `order_id`, `/lines/0/itemRef`. */
const isReference = /(?:^|[a-z\d])(?:I[dD]|U(?:uid|UID)|Ref)$|(?:^|[/_-])(?:id|uuid|ref)$/;

function unknownRule(declared: Declared['G7'], why: string): Rule {
  return { success: declared !== 'refuse', refusals: declared === 'ignore' ? [] : [422], why };
}

/** What services take for any version, some without its quotes. */
const anyVersion: ReadonlySet<string> = new Set(['*', '"*"', '-1']);

function versionRule(how: How<'version'>, { version }: Step, rule: VersionRule | undefined): Rule {
  if (how === 'stale' || how === 'foreign')
    return { success: false, refusals: [409], why: 'not the current version' };
  const why = how === 'garbage' ? 'no version of the target record' : 'the current version is missing';
  // Zero, or an empty tag, may be taken for none.
  const isNone = how === 'absent' || (version?.use === 'of' && version.like === 'nothing');
  // `If-Match: *` asks only that there is a record (RFC 9110, section 13.1.1): enough where no version is required.
  const isAny = rule?.carrier.in === 'header' && version?.use === 'literal' && anyVersion.has(version.value);
  return {
    success: rule?.optional === true && (isNone || isAny),
    refusals: [409, 422],
    ...(isNone ? { tolerated: [428] } : {}),
    why,
  };
}

function inWords(rule: Rule, alsoTolerated: readonly number[]): Allowed {
  const parts = [
    ...(rule.success && rule.toleratesSuccess !== true ? ['2xx'] : []),
    ...(rule.refusals === 'any 4xx' ? ['4xx'] : rule.refusals.map(String)),
  ];
  return {
    success: rule.success,
    ...(rule.success && rule.toleratesSuccess === true ? { toleratesSuccess: true } : {}),
    refusals: rule.refusals,
    tolerated: [...(rule.tolerated ?? []), ...alsoTolerated],
    words: `${parts.join(' or ')}${rule.why === '' ? '' : ` (${rule.why})`}`,
  };
}
