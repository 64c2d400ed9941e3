import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  parseJson,
  pointerOf,
  pointerTokens,
} from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import { sentJson } from '../model/response.ts';
import { bareWords, isCommon } from './bare-words.ts';
import { type Claim, collectClaims, type RequestText, type ResponseText } from './claims.ts';
import { type FieldPath, fieldPath, fold, isWrapper, sharedTail } from './claims-path.ts';
import { printedValues } from './claims-printed.ts';
import { followsFault } from './follows-fault.ts';
import { keyedPath } from './keyed-path.ts';

export type { RequestText, ResponseText } from './claims.ts';

/** A field that a response names. The shape of error bodies is not shown in the contract (G16), so many are read. */
export type FieldClaim = {
  /** Folded tokens: no case, no `_` and `-`, no indices, no leading `body` or `data/attributes`. */
  readonly path: readonly string[];
  /** As the response spells it. */
  readonly raw: string;
  /** `structured`: in a place that frameworks keep for the field at fault; `prose`: in the words of a message. */
  readonly evidence: 'structured' | 'prose';
  /** Where in the response's body; below `(text)` in JSON inside a string. */
  readonly at: JsonPointer;
};

export type Naming = {
  readonly named: boolean;
  /** True where it is not named for certain, and not passed over for certain either. */
  readonly unclear?: true;
  /** The words or the place that name the field, or why nothing counts; one phrase for the report. */
  readonly evidence: string;
};

export type NamingOptions = {
  /** Demand the full path in exact case, as declared (G16). */
  readonly exact: boolean;
  /** A response to a request in which another field was wrong: what it says as well is boilerplate. */
  readonly control?: ResponseText;
  /** The field that is wrong in the control: what names that one is no boilerplate, though it may spell both alike (`name`). */
  readonly controlPointer?: JsonPointer;
  /** The request of the control, so that its echo is known; without it that of the test request is used. */
  readonly controlRequest?: RequestText;
  /** All fields of the body's schema: a claim that fits another of them better does not count. */
  readonly known: readonly JsonPointer[];
};

/** Every field that a response names, in structured position or in prose. Never throws. */
export function claimsOf(answer: ResponseText, request: RequestText): readonly FieldClaim[] {
  return collectClaims(answer, request).flatMap((one) => publicClaim(one) ?? []);
}

/** The fields that a response names as offending in structured position; prose never accuses. */
export function structuredFields(answer: ResponseText, request: RequestText): readonly FieldClaim[] {
  return claimsOf(answer, request).filter((one) => one.evidence === 'structured');
}

/** Whether a response names the field (POST /cases, rule 3); a header or query field is `/Idempotency-Key` or `/limit`. */
export function namesField(
  answer: ResponseText,
  request: RequestText,
  pointer: JsonPointer,
  options: NamingOptions,
): Naming {
  const target = fieldPath(pointerTokens(pointer));
  if (target === undefined) {
    return pointer === ''
      ? { named: false, evidence: 'the root of a body has no name' }
      : { named: false, unclear: true, evidence: 'a member of an array at the root has no name of its own' };
  }
  const others = paths(options.known);
  const fits = (claim: Claim): boolean =>
    options.exact ? isExactly(claim.field, target) : isMeant(claim, target, others);
  const claims = collectClaims(answer, request).filter(fits);
  const control = boilerplateOf(request, options, others).filter(fits);
  const left = withoutBoilerplate(claims, control);
  const about = collectClaims(answer, request).filter((claim) => isOfAnother(claim, target, others));
  // A member of the whole error may have the name of a field by chance: `schemas` of SCIM, or `resourceType` of FHIR.
  const located = about.some(
    ({ at, evidence }) => evidence === 'structured' || (evidence === 'weak' && pointerTokens(at).length > 1),
  );
  const sure = left.filter(
    (claim) => claim.evidence !== 'doubt' && !(located && isCommonWord(claim) && !isPathTo(claim, target)),
  );
  const best = sure.find((claim) => claim.evidence !== 'prose') ?? sure[0];
  if (best !== undefined) return { named: true, evidence: describe(best) };
  const sign = oddSign(answer, request, pointer);
  if (sign !== undefined) return sign;
  const moved = options.exact ? undefined : placeThatFollows(answer, pointer, options);
  if (moved !== undefined) return { named: true, evidence: moved };
  // What holds the field is named with it.
  const isAround = ({ field }: Claim): boolean =>
    field.path.every((token, index) => token === target.path[index]);
  const open = openMention(about.length > 0, about.every(isAround) ? left : [], {
    answer,
    request,
    target,
    options,
  });
  if (open !== undefined) return { named: false, unclear: true, evidence: open };
  const reworded = claims.find(
    (claim) => claim.evidence === 'prose' && !left.includes(claim) && !control.some(isSaidBy(claim)),
  );
  if (reworded !== undefined && !options.exact)
    return {
      named: false,
      unclear: true,
      evidence: `${describe(reworded)}, and the response to a request in which another field is wrong mentions it too`,
    };
  const keyed = (said: ResponseText, to: RequestText): string | undefined =>
    keyedPath(said, to, pointer, options.known);
  const key = keyed(answer, request);
  if (
    key !== undefined &&
    (options.control === undefined || keyed(options.control, options.controlRequest ?? request) === undefined)
  )
    return { named: false, unclear: true, evidence: `the body has a value under ${key}` };
  const [name = ''] = target.path;
  if (
    isWrapper(target) &&
    fold(answer.body).includes(name) &&
    !fold(options.control?.body ?? '').includes(name)
  )
    return {
      named: false,
      unclear: true,
      evidence: `the response says '${name}', which may mean the whole request`,
    };
  const boilerplate = claims[0];
  return {
    named: false,
    evidence:
      boilerplate === undefined
        ? 'the response names no such field'
        : `${describe(boilerplate)}, but ${options.control === undefined ? 'the response is about another field' : 'so does the response to a request in which another field is wrong'}`,
  };
}

function placeThatFollows(
  { body }: ResponseText,
  pointer: JsonPointer,
  { control, controlPointer, known }: NamingOptions,
): string | undefined {
  if (control === undefined || controlPointer === undefined) return undefined;
  const at = followsFault(body, pointer, control.body, controlPointer, known);
  return at === undefined ? undefined : `${at} names it, and names the other field if that one is wrong`;
}

/** A name that messages do not have as a word, such as `!` or `size (in cm)`: only its path, quotes or the whole name tell. */
function oddSign({ body }: ResponseText, request: RequestText, pointer: JsonPointer): Naming | undefined {
  const tokens = pointerTokens(pointer);
  // An item of a list has no name but that of the list.
  const last = tokens.findLastIndex((token) => !/^\d+$/.test(token));
  const leaf = tokens[last] ?? '';
  const isWordless = !/[\p{L}\p{N}]/u.test(leaf);
  const isOdd = isWordless || /[^\p{L}\p{N}_$.\s-]/u.test(leaf) || leaf.trim().split(/\s+/).length > 4;
  if (leaf === '')
    return {
      named: false,
      unclear: true,
      evidence: 'the name of the member is empty, so only its path could tell',
    };
  if (!isOdd) return undefined;
  const written = (text: string): readonly string[] => [text, JSON.stringify(text).slice(1, -1)];
  // A body that is sent back names all of its members, and none as the one at fault.
  const said = written(request.body ?? '').reduce(
    (text, echo) => (echo === '' ? text : text.replaceAll(echo, '')),
    body,
  );
  const upToName = tokens.slice(0, last + 1);
  const paths =
    tokens.length > 1 || !isWordless
      ? [pointer, tokens.join('.'), pointerOf(upToName), upToName.join('.')]
      : [];
  const names = [`"${leaf}"`, `'${leaf}'`, `\`${leaf}\``, `[${leaf}]`];
  // The path of another member may begin with that of this one.
  const end = /\s/.test(leaf) ? /^(?:$|["'`\\,;:.)\]}\n])/ : /^(?:$|["'`\\,;:.)\]}\s])/;
  const isWhole = (form: string): boolean =>
    said
      .split(form)
      .some(
        (after, index, pieces) =>
          index > 0 &&
          end.test(after) &&
          (form.startsWith('/') || !/[\p{L}\p{N}]$/u.test(pieces[index - 1] ?? '')),
      );
  const found =
    paths.find((form) => written(form).some(isWhole)) ??
    names.find((form) => written(form).some((one) => said.includes(one)));
  if (found !== undefined) return { named: true, evidence: `the body has ${found}` };
  return isWordless
    ? { named: false, unclear: true, evidence: 'its name has no letter and no digit' }
    : undefined;
}

type Asked = {
  readonly answer: ResponseText;
  readonly request: RequestText;
  readonly target: FieldPath;
  readonly options: NamingOptions;
};

/** A path written as one word, as codes do: `AMOUNT_VALUE` for `/amount/value`. */
function joinedNames({ spelt }: FieldPath): readonly string[] {
  const tokens = spelt.map(fold);
  return tokens.slice(0, -1).map((_, from) => tokens.slice(from).join(''));
}

/** "Invalid type" in an error about another field. */
function isCommonWord({ evidence, field, raw, words }: Claim): boolean {
  if (evidence !== 'prose' || !isCommon(field.path.at(-1) ?? '')) return false;
  const before = words.slice(0, words.indexOf(raw));
  // "The member type is required", said of the object that lacks it, means no other type.
  if (/\b(?:attribute|field|key|member|property)\s*$/i.test(before)) return false;
  return !/[^\p{L}\p{N}\s.,:;!?/-]\s*$/u.test(before);
}

/** `body.reason` is a path, and means no reason of the error's own; `validation.reason` may be a code. */
function isPathTo({ field: { path, spelt } }: Claim, target: FieldPath): boolean {
  return spelt.length > 1 && sharedTail(path, target.path) === path.length;
}

/** Why it is open whether a field is named: an ambiguous place, a bare word, or a body that was cut. */
function openMention(
  elsewhere: boolean,
  [doubt]: readonly Claim[],
  { answer, request, target, options }: Asked,
): string | undefined {
  if (options.exact) return answer.truncated === true ? 'the body is longer than what was kept' : undefined;
  if (doubt !== undefined) return `${describe(doubt)}, which may be a member of the error body itself`;
  const leaf = target.inner.at(-1) ?? '';
  const others = options.known.map((pointer) => pointerTokens(pointer).at(-1) ?? '');
  const control = isWithin(target, options.controlPointer) ? undefined : options.control;
  const how = control !== undefined ? 'compared' : elsewhere ? 'elsewhere' : 'alone';
  for (const name of [leaf, ...joinedNames(target)]) {
    const words = bareWords(answer, request, { how, name, others, path: target.path });
    const usual =
      control === undefined
        ? 0
        : bareWords(control, options.controlRequest ?? request, { how, name, others, path: target.path })
            .length;
    if (words.length > usual) return `the response mentions it in '${words[0] ?? ''}'`;
  }
  if (isShownAlone(answer, request, leaf))
    return 'the response shows this member, as sent, in an object of its own';
  return answer.truncated === true ? 'the body is longer than what was kept' : undefined;
}

/** A response about a member of the target has the name of the target too, in the path of that member. */
function isWithin({ path }: FieldPath, pointer: JsonPointer | undefined): boolean {
  const inner = pointer === undefined ? [] : (fieldPath(pointerTokens(pointer))?.path ?? []);
  return inner.length > path.length && path.every((token, index) => token === inner[index]);
}

/** Whether a text has an object with this member as it was sent and no other one: `unknown: {'extra': 1}`. */
function isShownAlone({ body }: ResponseText, request: RequestText, leaf: string): boolean {
  const sent = sentJson(request);
  if (leaf === '' || !isObject(sent) || Object.keys(sent).length < 2 || !body.includes(leaf)) return false;
  const values = membersCalled(sent, leaf, 0);
  const isIt = (value: Json, depth: number): boolean => {
    if (typeof value === 'string')
      return depth < 4 && printedValues(value).some((inner) => isIt(inner, depth + 1));
    if (isObject(value) && Object.keys(value).length === 1 && values.includes(value[leaf] ?? null))
      return true;
    const members = isArray(value) || isObject(value) ? Object.values(value) : [];
    return depth < 4 && members.some((member) => isIt(member, depth + 1));
  };
  return isIt(parseJson(body) ?? body, 0);
}

/** Texts and numbers that were sent under a name, wherever. */
function membersCalled(value: Json, name: string, depth: number): readonly Json[] {
  if (depth > 10 || !(isArray(value) || isObject(value))) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name && (typeof member === 'string' || typeof member === 'number')
      ? [member]
      : membersCalled(member, name, depth + 1),
  );
}

/** True where a claim is about another field for certain: what else may mean the target is then the error's own. */
function isOfAnother(claim: Claim, target: FieldPath, others: readonly FieldPath[]): boolean {
  if (claim.evidence === 'doubt' || isCommonWord(claim) || affinity(claim, target) > 0) return false;
  const fits = others.some((other) => affinity(claim, other) > 0);
  // `{"erreur": "..."}` is an envelope in another language, and so is the `faultstring` of `{"fault": {"faultstring": "..."}}`.
  const isKey = claim.at === pointerOf(claim.field.spelt) && claim.raw === claim.field.spelt.join('.');
  return fits || (claim.evidence === 'structured' && !isKey && !isCommon(claim.field.path.at(-1) ?? ''));
}

/** By lists of pointers, of which a contract has one for each schema. */
const paths = remembered((pointers: readonly JsonPointer[]): readonly FieldPath[] =>
  pointers.flatMap((pointer) => fieldPath(pointerTokens(pointer)) ?? []),
);

/** Whether a claim means the target by its leaf, and no other known field better. */
function isMeant(claim: Claim, target: FieldPath, others: readonly FieldPath[]): boolean {
  const shared = affinity(claim, target);
  return shared > 0 && others.every((other) => affinity(claim, other) <= shared);
}

/** How many tokens of the field's path a claim names; `Contact name` names both of `contact.name`. */
function affinity({ evidence, field }: Claim, target: FieldPath): number {
  const { path } = target;
  const claim = field.path;
  // `data.type` names both of a `type` in `data`, though `data` may also be a wrapper.
  const shared = sharedTail(claim, path) > 0 ? sharedTail(folded(field), folded(target)) : 0;
  if (shared > 0) return shared;
  // `contact.non_field_errors` is about the contact, where no other field fits better.
  if (evidence !== 'prose' && isStart(path, claim)) return path.length;
  const last = claim.at(-1) ?? '';
  const joined = path.findIndex((_, from) => from < path.length - 1 && path.slice(from).join('') === last);
  return joined < 0 ? 0 : path.length - joined;
}

function folded({ spelt }: FieldPath): readonly string[] {
  return spelt.map(fold);
}

function isStart(start: readonly string[], whole: readonly string[]): boolean {
  return whole.length > start.length && start.every((token, at) => token === whole[at]);
}

function isExactly(field: FieldPath, target: FieldPath): boolean {
  return equal(field.spelt, target.spelt) || equal(field.inner, target.spelt);
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((token, at) => token === other[at]);
}

/** What the control says apart from the field that is wrong in it. */
function boilerplateOf(
  request: RequestText,
  options: NamingOptions,
  others: readonly FieldPath[],
): readonly Claim[] {
  const { control, controlRequest, controlPointer } = options;
  if (control === undefined) return [];
  const wrong = controlPointer === undefined ? undefined : fieldPath(pointerTokens(controlPointer));
  return collectClaims(control, controlRequest ?? request).filter(
    (claim) => wrong === undefined || !isMeant(claim, wrong, others),
  );
}

/** What the control says as often as the response is no statement about this request. */
function withoutBoilerplate(claims: readonly Claim[], control: readonly Claim[]): readonly Claim[] {
  const said = new Map<string, number>();
  for (const one of control) said.set(identity(one), (said.get(identity(one)) ?? 0) + 1);
  return claims.filter((one) => {
    const times = said.get(identity(one)) ?? 0;
    said.set(identity(one), times - 1);
    return times <= 0;
  });
}

/**
 * Whether another claim says the same in the same words, numbers aside. "holder is required when card is present" names the
 * card as well, and makes no boilerplate of "card must be a string".
 */
function isSaidBy(claim: Claim): (other: Claim) => boolean {
  const said = ({ words }: Claim): string => words.toLowerCase().replaceAll(/\d+/g, '0');
  return (other) => identity(other) === identity(claim) && said(other) === said(claim);
}

function identity(claim: Claim): string {
  return `${claim.evidence} ${claim.field.path.join('/')}`;
}

function publicClaim(claim: Claim): FieldClaim | undefined {
  const { evidence } = claim;
  return evidence === 'weak' || evidence === 'doubt'
    ? undefined
    : { path: claim.field.path, raw: claim.raw, evidence, at: claim.at };
}

function describe(claim: Claim): string {
  const where = claim.at === '' ? 'the body' : claim.at.replace(/^\/header /, 'header ');
  return claim.evidence === 'prose' ? `${where} says "${claim.words}"` : `${where} names '${claim.raw}'`;
}
