import type { Context, Judge, Ruling, WrittenClause } from '../../model/clause.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { type JsonPointer, parentOf, pointerTokens } from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { fieldPath, fold } from '../../oracle/claims-path.ts';
import { type Naming, type NamingOptions, namesField, structuredFields } from '../../oracle/field-naming.ts';
import { about } from '../judging/about.ts';
import { chooses } from '../judging/alterations.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  inconclusive,
  isControlled,
  notApplicable,
  only,
  unattributed,
  violated,
} from '../judging/reading.ts';
import { unreadable } from '../judging/result-headers.ts';
import { commands, reads } from '../judging/rules.ts';
import { unread } from '../judging/unread.ts';
import { type BodyFault, bodyFields, hasFields, memberFault, rule3 } from './body-faults.ts';
import { acceptedToo, areNested, shownFine } from './shown-fine.ts';
import { mayBeUnevaluated, mayBeUnknown, unevaluated, unknownInBranch } from './unknown-members.ts';

const namesNothing = (kind: 'command' | 'read'): Judge => ({
  over: 'run',
  start: unread({
    isOf: (status, { operation }) => status === 422 && operation.kind === kind,
    expected: 'a 422 that names the field',
  }),
});

export const fieldNameClauses: readonly WrittenClause[] = [
  {
    code: 'VAL-3',
    level: 'stated',
    text: '422 names the offending field.',
    source: rule3,
    test: 'The body and error headers are searched for the field: as a pointer or path, as a key, or quoted in a message. Text that also appears when another field is wrong does not count. An unquoted word is inconclusive. So is a word from the name of a wrong header or cookie.',
    violation:
      'A general message, an empty list of errors, or a body that is not what its Content-Encoding or its Content-Length says.',
    fix: 'Return the path of each offending member, for example errors[].pointer = "/subject".',
    applies: hasFields,
    judges: [
      about('body').eachAnswer((one, context, trace) => {
        const fault = memberFault(one.step);
        if (fault === undefined || one.step.role !== 'test' || one.answer.status !== 422)
          return notApplicable;
        return named(context, trace, one, fault.at);
      }),
      about('query').eachAnswer(namedParameter),
      namesNothing('command'),
    ],
  },
  {
    code: 'VAL-4',
    level: 'advisory',
    text: 'If several fields are wrong, all are named.',
    source: rule3,
    test: 'Two members are wrong in one request.',
    violation: 'Only the first is named.',
    fix: 'Collect all errors before you respond.',
    applies: severalFields,
    judges: about('body').eachAnswer((one, context, trace) => {
      const faults = one.step.deviations.filter(
        (deviation): deviation is BodyFault => deviation.kind === 'body' && deviation.at !== '',
      );
      if (faults.length < 2 || faults.length !== faultsOf(one.step).length || one.answer.status !== 422)
        return notApplicable;
      // In a choice of branches another member may be what is wrong.
      const wrong = wrongPlaces(context, one);
      if (wrong.size > 0 && faults.some(({ at }) => !wrong.has(at))) return notApplicable;
      if (!isControlled(context, trace, one)) return inconclusive([one], unattributed);
      const known = bodyFields(one.operation);
      const found = faults.map((fault) => ({
        at: fault.at,
        ...namesField(one.answer, one.exchange.request, fault.at, { exact: exactNaming(context), known }),
      }));
      const missing = found.filter(({ named }) => !named);
      const expected = `422 that names ${faults.map((fault) => fault.at).join(' and ')}`;
      if (missing.length === 0) return holds([one], { expected, because: 'All are named.' });
      if (faults.some(({ at }) => chooses(one.operation, at))) return notApplicable;
      if (missing.every(({ unclear }) => unclear === true))
        return inconclusive([one], missing.map(unclearly).join(' '));
      return violated([one], {
        expected,
        because: `Not named: ${missing.map(({ at }) => at).join(', ')}.`,
      });
    }),
  },
  {
    code: 'VAL-5',
    level: 'derived',
    text: 'Valid fields are not named.',
    source: rule3,
    test: 'One of several members is wrong. Fields that the error names in a structured form are compared with it; messages do not count.',
    violation: 'Every field of the schema is listed, whatever was wrong.',
    fix: 'List the members that failed, and no other.',
    applies: severalFields,
    judges: about('body').eachAnswer((one, context, trace) => {
      const fault = memberFault(one.step);
      if (fault === undefined || one.step.role !== 'test' || one.answer.status !== 422) return notApplicable;
      if (!isControlled(context, trace, one)) return inconclusive([one], unattributed);
      // A member that another branch of a choice needs is not fine.
      const places = wrongPlaces(context, one);
      const claims = structuredFields(one.answer, one.exchange.request).filter(
        ({ path }) => ![...places].some((place) => isSamePath(normal(place), path)),
      );
      const fields = bodyFields(one.operation).filter((field) => !places.has(field));
      const isFine = shownFine(context, trace, one);
      const doubtful = wronglyNamed(
        claims,
        fault.at,
        fields.filter((field) => !isFine(field)),
      );
      if (doubtful !== undefined) return inconclusive([one], notShownFine(doubtful));
      const wrong = wronglyNamed(claims, fault.at, fields);
      if (wrong !== undefined && mayBeUnknown(context, one.operation, wrong))
        return inconclusive([one], unknownInBranch(wrong));
      if (wrong !== undefined && mayBeUnevaluated(one.operation, fault.at, wrong))
        return inconclusive([one], unevaluated(wrong));
      const expected = `no field but ${fault.at} named as offending`;
      // Formats are annotations: what refuses the body then is a rule beyond the schema, which may be about any field.
      if (wrong !== undefined && fault.keyword === 'format') return inconclusive([one], beyondSchema(wrong));
      return wrong === undefined
        ? holds([one], { expected, because: 'No other field is named.' })
        : violated([one], { expected, because: `${wrong} was valid and is named as offending.` });
    }),
  },
  {
    code: 'VAL-11',
    level: 'derived',
    text: 'A nested member or a member of an array is named by its leaf or its full path.',
    source: rule3,
    test: 'A member below the first level is made wrong.',
    violation: 'Only its parent is named, or nothing.',
    fix: 'Return the full path of the offending member.',
    applies: (contract, operation) =>
      commands(contract, operation) && bodyFields(operation).some((field) => field.split('/').length > 2),
    judges: about('body').eachAnswer((one, context, trace) => {
      const fault = memberFault(one.step);
      if (
        fault === undefined ||
        one.step.role !== 'test' ||
        one.answer.status !== 422 ||
        fault.at.split('/').length <= 2
      )
        return notApplicable;
      return named(context, trace, one, fault.at);
    }),
  },
  {
    code: 'VAL-12',
    level: 'derived',
    text: 'An invalid query field or body member of a read returns 422 and is named.',
    source: {
      where: 'What the service does, 3',
      quote: 'Read operations (GET) state their permission, query fields, pagination and response shape.',
    },
    test: 'Each declared query field is sent with a value that its schema refuses. Reads with a body also get bodies that their schema refuses.',
    violation: '5xx, success that ignores the value, or a 422 that no client can read.',
    fix: 'Validate query fields, and bodies of reads, like those of commands.',
    applies: (contract, operation) =>
      reads(contract, operation) && (operation.queryFields.length > 0 || operation.body !== undefined),
    judges: [
      about('body').refusal((step) => memberFault(step) !== undefined),
      about('body').eachAnswer((one, context, trace) => {
        const fault = memberFault(one.step);
        return fault === undefined || one.step.role !== 'test' || one.answer.status !== 422
          ? notApplicable
          : named(context, trace, one, fault.at);
      }),
      about('query').refusal((step) => {
        const fault = only(step, 'query');
        return fault !== undefined && !isOpen(fault.keyword) && fault.in === undefined;
      }),
      about('query').eachAnswer(namedParameter),
      namesNothing('read'),
    ],
  },
];

/** Whether a response names a query field, header or cookie that is wrong. What a path names is no field. */
function namedParameter(one: Answered, context: Context, trace: Trace): Ruling | undefined {
  const fault = only(one.step, 'query');
  if (fault === undefined || isOpen(fault.keyword) || one.answer.status !== 422) return notApplicable;
  if (fault.in === 'path') return notApplicable;
  if (!isControlled(context, trace, one)) return inconclusive([one], unattributed);
  const { headerFields = [], queryFields } = one.operation;
  const named = (field: string): Naming =>
    namesField(one.answer, one.exchange.request, `/${field}`, {
      exact: false,
      known: [...queryFields, ...headerFields].map(({ name }) => `/${name}`),
    });
  const result = named(fault.field);
  // `filter` may be the field, and `status` a member of it.
  const [outer = ''] = fault.field.split('[');
  const whole = queryFields.find(({ name }) => name === fault.field)?.within ?? outer;
  if (!result.named && whole !== fault.field && named(whole).named)
    return inconclusive([one], unclearly({ at: fault.field, evidence: `it names '${whole}'` }));
  // Frameworks name a header or a cookie as the code calls it.
  return result.named || fault.in === undefined || !mayMean(one, fault.field)
    ? ruled(one, fault.field, result)
    : inconclusive([one], unclearly({ at: fault.field, evidence: 'it has a part of the name' }));
}

const generalWords: ReadonlySet<string> = new Set(
  'code cookie error field format header invalid key message missing name request required status title type value'.split(
    ' ',
  ),
);

/** Whether a response has a word of a name, or the name has none of its own. */
function mayMean({ answer }: Answered, name: string): boolean {
  const words = name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2 && !generalWords.has(word));
  return words.length === 0 || words.some((word) => answer.body.toLowerCase().includes(word));
}

/** Query fields that a service may take or refuse. */
function isOpen(keyword: string): boolean {
  return keyword === 'unknown' || keyword === 'odd';
}

/** Whether the vendor declares that fields are named by their full path, in exact case (G16). */
function exactNaming({ declared }: Context): boolean {
  return declared.G16 === 'exact';
}

function severalFields(contract: Contract, operation: Operation): boolean {
  return commands(contract, operation) && bodyFields(operation).length > 1;
}

/** Every place at which a body departs from its schema, those of all branches of a choice and of a discriminator included. */
function wrongPlaces(
  context: Context,
  { exchange, operation }: Pick<Answered, 'exchange' | 'operation'>,
): ReadonlySet<string> {
  const body = sentJson(exchange.request);
  const { chosenSchema, schema } = operation.body ?? {};
  if (body === undefined || schema === undefined) return new Set();
  const errors = [schema, chosenSchema].flatMap((one) =>
    one === undefined ? [] : context.schemaErrors(one, body),
  );
  return new Set(errors.flatMap(({ pointer }) => [pointer, indexless(pointer)]));
}

/** A pointer with the first index for every index, as the fields of a schema have it. */
function indexless(pointer: JsonPointer): JsonPointer {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0');
}

/**
 * A response to a request in which another field was wrong, and this one was not: what it says as well is boilerplate
 * (differential control). A value that no accepted request has may be wrong by a rule beyond the schema.
 */
function boilerplate(context: Context, trace: Trace, at: JsonPointer): Partial<NamingOptions> {
  for (const one of answered(context, trace)) {
    const fault = memberFault(one.step);
    const other = fault !== undefined && !areNested(fault.at, at) && one.answer.status === 422;
    if (other && !wrongPlaces(context, one).has(at) && acceptedToo(context, trace, one)(at))
      return { control: one.answer, controlRequest: one.exchange.request, controlPointer: fault.at };
  }
  return {};
}

function named(context: Context, trace: Trace, one: Answered, at: JsonPointer): Ruling {
  if (!isControlled(context, trace, one)) return inconclusive([one], unattributed);
  const naming = (place: JsonPointer): Naming =>
    namesField(one.answer, one.exchange.request, place, {
      exact: exactNaming(context),
      known: bodyFields(one.operation),
      ...boilerplate(context, trace, at),
    });
  const closed = CLOSING.has(memberFault(one.step)?.keyword ?? '');
  const map = closed ? undefined : mapOf(one.operation, at);
  const own = naming(at);
  const ofMap = own.named || map === undefined || exactNaming(context) ? own : naming(map);
  const result = ofMap.named ? ofMap : own;
  if (!result.named && result.unclear !== true) {
    const other = [...wrongPlaces(context, one)].find(
      (place) => place !== '' && place !== at && namesPlace(context, one, place),
    );
    if (other !== undefined)
      return inconclusive(
        [one],
        `The response names ${other}, not ${at}. The body also fails at ${other}, in another branch of anyOf or oneOf.`,
      );
    const parent = parentOf(at);
    if (parent !== '' && closed && namesPlace(context, one, parent))
      return inconclusive([one], `The response names ${parent}, whose schema does not allow this member.`);
    const isFine = shownFine(context, trace, one);
    const doubtful = bodyFields(one.operation).find(
      (field) => !areNested(field, at) && !isFine(field) && namesPlace(context, one, field),
    );
    if (doubtful !== undefined) return inconclusive([one], notShownFine(doubtful));
    const elsewhere = bodyFields(one.operation).find(
      (field) => field !== at && namesPlace(context, one, field),
    );
    if (elsewhere !== undefined && memberFault(one.step)?.keyword === 'format')
      return inconclusive([one], beyondSchema(elsewhere));
  }
  return ruled(one, at, result);
}

/** The object whose schema does not name the member: its key is data, as an index is, and the field is the object itself. */
function mapOf(operation: Operation, at: JsonPointer): JsonPointer | undefined {
  const fields = bodyFields(operation);
  const parent = parentOf(at);
  return fields.includes(indexless(parent)) && !fields.includes(indexless(at)) ? parent : undefined;
}

/** Keywords of an object that a member of it breaks: validators name the object (JSON Schema, core, 10.3.2.3 and 11.3). */
const CLOSING = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames']);

function notShownFine(field: JsonPointer): string {
  return `The response names ${field}. No accepted request has its value, so it may be wrong for another reason.`;
}

function beyondSchema(field: JsonPointer): string {
  return `The body only breaks a format, which JSON Schema allows. The response names ${field}, perhaps by a rule beyond the schema.`;
}

function namesPlace(context: Context, { answer, exchange, operation }: Answered, at: JsonPointer): boolean {
  const options = { exact: exactNaming(context), known: bodyFields(operation) };
  return namesField(answer, exchange.request, at, options).named;
}

function ruled(one: Answered, at: string, result: Naming): Ruling {
  const expected = `422 that names ${at}`;
  if (result.named)
    return unreadable(one, expected) ?? holds([one], { expected, because: `Named: ${result.evidence}.` });
  return result.unclear === true
    ? inconclusive([one], unclearly({ at, evidence: result.evidence }))
    : violated([one], { expected, because: `Nothing in the response names ${at}: ${result.evidence}.` });
}

function unclearly({ at, evidence }: { readonly at: string; readonly evidence: string }): string {
  return `It is unclear whether the response names ${at}: ${evidence}. Name it in a separate member, such as errors[].pointer.`;
}

/** The first known field that a structured claim names although it was fine. Ancestors and descendants of the offending one count as it. */
function wronglyNamed(
  claims: ReturnType<typeof structuredFields>,
  offending: string,
  known: readonly string[],
): string | undefined {
  const bad = normal(offending);
  const fine = known
    .filter((pointer) => !areNested(pointer, offending))
    .map((pointer) => ({ pointer, path: normal(pointer) }))
    .filter(({ path }) => !isPrefix(path, bad) && !isPrefix(bad, path));
  for (const claim of claims) {
    const path = claim.path;
    const whole = spelling(claim.raw);
    const isOffending =
      endsWith(bad, path) ||
      endsWith(path, bad) ||
      isPrefix(bad, path) ||
      isPrefix(path, bad) ||
      // `/data/attributes/size`, where `/data/attributes` is a member of the body and no wrapper.
      isPrefix(spelling(offending), whole);
    if (isOffending) continue;
    const match = fine.find((field) => endsWith(field.path, path) || endsWith(path, field.path));
    if (match !== undefined) return match.pointer;
  }
  return undefined;
}

/** All tokens of a path, folded. */
function spelling(path: string): readonly string[] {
  return fieldPath([path])?.spelt.map(fold) ?? [];
}

/** Tokens of a pointer as claims have them: without `data` in front. */
function normal(pointer: JsonPointer): readonly string[] {
  return fieldPath(pointerTokens(pointer))?.path ?? [];
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isPrefix(one, other);
}

function isPrefix(start: readonly string[], whole: readonly string[]): boolean {
  return start.every((token, index) => token === whole[index]);
}

function endsWith(whole: readonly string[], end: readonly string[]): boolean {
  return end.every((token, index) => token === whole[whole.length - end.length + index]);
}
