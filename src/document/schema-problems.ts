import type { ErrorObject } from 'ajv/dist/2020.js';
import type { InputProblem } from '../model/input-error.ts';
import type { JsonPointer } from '../model/json.ts';
import { isObject, pointerOf, pointerTokens } from '../model/json.ts';
import { problemAt, type SourceDocument } from './document.ts';
import { nearest, suggestion } from './nearest.ts';
import { unquoted } from './unquoted.ts';

type SchemaProblem = {
  readonly at: JsonPointer;
  readonly of: 'key' | 'value';
  readonly problem: string;
  readonly remedy: string;
};

/**
 * What ajv found (with `allErrors` and `verbose`) in words, each where it stands, in the order of the document.
 * The description of a schema is the remedy. Values are never quoted: one may be a secret in the wrong place.
 *
 * @param root where in the document the validated value stands
 */
export function schemaProblems(
  document: SourceDocument,
  errors: readonly ErrorObject[] | null | undefined,
  root: JsonPointer = '',
): readonly InputProblem[] {
  const found = alternativesJoined(relevantErrors(errors ?? [])).map((error) => ({
    error,
    finding: findingOf(error),
  }));
  const findings = found
    // A member counts as unevaluated as soon as anything in it is wrong.
    .filter(
      ({ error, finding }) =>
        error.keyword !== 'unevaluatedProperties' ||
        !found.some((other) => other.error !== error && isWithin(other.finding.at, finding.at)),
    )
    .map(({ finding }) =>
      problemAt(document, root + finding.at, namedIn(root, finding), finding.remedy, finding.of),
    );
  return findings.sort(byPosition).filter((finding, index) => {
    const before = findings[index - 1];
    return before === undefined || before.problem !== finding.problem || byPosition(before, finding) !== 0;
  });
}

/** What is validated may be a part of the document alone. */
function namedIn(root: JsonPointer, { at, problem }: SchemaProblem): string {
  return at === '' ? problem.replace(/^the document\b/, subject(root)) : problem;
}

function isWithin(inner: JsonPointer, outer: JsonPointer): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Leaves out what only says that something else failed. */
function relevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const described = choices.filter(({ parentSchema }) => descriptionOf(parentSchema) !== undefined);
  const isDeeper = (error: ErrorObject, choice: ErrorObject): boolean =>
    isWithin(error.instancePath, choice.instancePath) &&
    (error.instancePath !== choice.instancePath || unknownName(error) !== undefined);
  // Of a choice that is described, the description says more than what each of its branches lacks, unless a branch
  // was clearly meant: something within it is wrong.
  const summed = described.filter((choice) => !errors.some((error) => isDeeper(error, choice)));
  return errors.filter((error) => {
    if (summed.includes(error)) return true;
    const holder = described.find(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`));
    if (holder !== undefined && (summed.includes(holder) || !isDeeper(error, holder))) return false;
    if (error.keyword === 'if' || error.keyword === 'propertyNames') return false;
    if (error.keyword === 'not')
      return !errors.some((other) => other.keyword !== 'not' && other.instancePath === error.instancePath);
    if (error.keyword === 'required') return !errors.some((other) => isMisspelling(other, error));
    if (!choices.includes(error)) return !isOfOtherKind(error, errors, choices);
    return !errors.some(
      (other) => !choices.includes(other) && isWithin(other.instancePath, error.instancePath),
    );
  });
}

/** Whether an error only says that one alternative is for values of another kind, while another alternative says more. */
function isOfOtherKind(
  error: ErrorObject,
  errors: readonly ErrorObject[],
  choices: readonly ErrorObject[],
): boolean {
  if (!choices.some((choice) => choice.instancePath === error.instancePath)) return false;
  const isComposite = typeof error.data === 'object' && error.data !== null;
  const ofKind = (one: ErrorObject): boolean =>
    one.keyword === 'type' || (one.keyword === 'enum' && isComposite);
  return (
    ofKind(error) &&
    errors.some(
      (other) =>
        !choices.includes(other) &&
        isWithin(other.instancePath, error.instancePath) &&
        (other.instancePath !== error.instancePath || !ofKind(other)),
    )
  );
}

/** Of alternatives that each need one key, one error names them all. */
function alternativesJoined(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const needOf = (error: ErrorObject): string | undefined => {
    const holder = /^(.*\/(?:anyOf|oneOf))\/\d+\/required$/.exec(error.schemaPath)?.[1];
    return holder === undefined ? undefined : `${error.instancePath} ${holder}`;
  };
  const joined = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const need = needOf(error);
    if (need !== undefined) joined.set(need, [...(joined.get(need) ?? []), error]);
  }
  return errors.flatMap((error) => {
    const same = joined.get(needOf(error) ?? '') ?? [];
    const isOneEach = new Set(same.map(({ schemaPath }) => schemaPath)).size === same.length;
    if (same.length < 2 || !isOneEach) return [error];
    if (same[0] !== error) return [];
    const names = same.map((one) => paramOf(one, 'missingProperty')).join("' or '");
    return [{ ...error, params: { ...error.params, missingProperty: names, alternatives: true } }];
  });
}

/** Whether an unknown key is what is missing, or one way to provide it, misspelt. */
function isMisspelling(error: ErrorObject, missing: ErrorObject): boolean {
  const name = unknownName(error);
  if (name === undefined || error.instancePath !== missing.instancePath) return false;
  const meant = nearest(name, propertiesOf(error.parentSchema));
  if (/\/(anyOf|oneOf)\/\d+\/required$/.test(missing.schemaPath)) return meant !== undefined;
  // Any of these keys, rightly written, would do in its place.
  if (patternsOf(error.parentSchema).length > 0) return true;
  return meant === paramOf(missing, 'missingProperty');
}

function unknownName(error: ErrorObject): string | undefined {
  if (error.keyword === 'additionalProperties') return paramOf(error, 'additionalProperty');
  return error.keyword === 'unevaluatedProperties' ? paramOf(error, 'unevaluatedProperty') : undefined;
}

function paramOf({ params }: ErrorObject, name: string): string {
  return String(memberOf(params, name));
}

function findingOf(error: ErrorObject): SchemaProblem {
  const { instancePath: at, keyword, parentSchema } = error;
  const remedy = descriptionOf(parentSchema) ?? 'correct it';
  const finding = (problem: string, how = remedy): SchemaProblem => ({
    at,
    of: 'value',
    problem,
    remedy: how,
  });
  const param = (name: string): string => paramOf(error, name);

  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = unknownName(error) ?? '';
      return {
        at: at + pointerOf([name]),
        of: 'key',
        problem: `unknown key '${name}'`,
        remedy: spelling(name, parentSchema),
      };
    }
    case 'required': {
      const name = param('missingProperty');
      const described = descriptionOf(memberOf(memberOf(parentSchema, 'properties'), name));
      return finding(
        `'${name}' is missing${inWords(at)}`,
        memberOf(error.params, 'alternatives') === true
          ? 'add one of them'
          : described === undefined
            ? 'add it'
            : `add it: ${described}`,
      );
    }
    case 'type': {
      const type = memberOf(parentSchema, 'type');
      return finding(
        `${subject(at)} must be ${typeNames(type)}`,
        (type === 'string' ? unquoted(error.data) : undefined) ?? remedy,
      );
    }
    case 'const':
    case 'enum': {
      const allowed = memberOf(parentSchema, keyword);
      const values = (Array.isArray(allowed) ? allowed : [allowed]).map(String);
      const text = typeof error.data === 'string' ? error.data : '';
      const meant = text === '' ? remedy : suggestion(text, values);
      // A number that is quoted is a text.
      const quoted = values.includes(text) ? `write ${text} without quotes` : undefined;
      const how = quoted ?? (meant.startsWith('did you mean') ? meant : remedy);
      return finding(`${subject(at)} must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`, how);
    }
    case 'pattern':
      if (error.propertyName !== undefined) {
        const key = { at: at + pointerOf([error.propertyName]), of: 'key' as const };
        return { ...key, problem: `the key '${error.propertyName}' has a form that is not allowed`, remedy };
      }
      return finding(`${subject(at)} must match ${param('pattern')}`);
    case 'maxProperties':
      return finding(`${subject(at)} must have at most ${membersWords(param('limit'))}`);
    case 'minProperties':
      return finding(`${subject(at)} must have at least ${membersWords(param('limit'))}`);
    case 'format':
      return finding(`${subject(at)} is not a valid ${param('format')}`);
    case 'uniqueItems': {
      // The later of the two.
      const place = at + pointerOf([String(Math.max(Number(param('i')), Number(param('j'))))]);
      return { ...finding(`${subject(at)} has this item twice`, 'remove one of the two'), at: place };
    }
    case 'anyOf':
    case 'oneOf':
      return finding(`${subject(at)} has none of the forms that are allowed`);
    case 'not':
      return finding(`${subject(at)} has a form that is not allowed`);
    case 'false schema':
      return finding(`${subject(at)} is not allowed here`, 'remove it');
    default:
      return finding(`${subject(at)} ${inPlainWords(error.message ?? 'is not valid')}`);
  }
}

function inPlainWords(message: string): string {
  return message
    .replace('must NOT have fewer than', 'must have at least')
    .replace('must NOT have more than', 'must have at most')
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
    .replace('must be > ', 'must be above ')
    .replace(/\b1 (item|character)s\b/, '1 $1');
}

function membersWords(count: string): string {
  return count === '1' ? 'one member' : `${count} members`;
}

function subject(at: JsonPointer): string {
  const name = pointerTokens(at).at(-1);
  if (name === undefined) return 'the document';
  return /^\d+$/.test(name) ? 'this item' : `'${name}'`;
}

function inWords(at: JsonPointer): string {
  const name = pointerTokens(at).at(-1);
  return name === undefined || /^\d+$/.test(name) ? '' : ` in '${name}'`;
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

function typeNames(type: unknown): string {
  const names = Array.isArray(type) ? type : [type];
  return names.map((name) => typeWords[String(name)] ?? String(name)).join(' or ');
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function descriptionOf(schema: unknown): string | undefined {
  const description = memberOf(schema, 'description');
  return typeof description === 'string' ? description : undefined;
}

/** Patterns of keys that a schema knows, extensions aside. */
function patternsOf(schema: unknown): readonly string[] {
  const patterns = memberOf(schema, 'patternProperties');
  return isObject(patterns) ? Object.keys(patterns).filter((pattern) => !pattern.startsWith('^x-')) : [];
}

function spelling(name: string, schema: unknown): string {
  const patterns = patternsOf(schema);
  const upper = name.toUpperCase();
  if (patterns.some((pattern) => new RegExp(pattern, 'u').test(upper))) return `did you mean '${upper}'?`;
  const known = suggestion(name, propertiesOf(schema));
  return known.startsWith('did you mean') || patterns.length === 0
    ? known
    : `${known}, and keys that match ${patterns.join(' or ')}`;
}

function propertiesOf(schema: unknown): readonly string[] {
  const properties = memberOf(schema, 'properties');
  return isObject(properties) ? Object.keys(properties) : [];
}

function byPosition(a: InputProblem, b: InputProblem): number {
  const line = (a.position?.line ?? 0) - (b.position?.line ?? 0);
  return line !== 0 ? line : (a.position?.column ?? 0) - (b.position?.column ?? 0);
}
