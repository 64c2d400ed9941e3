import type { Clause, Context, Ruling } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { isObject } from '../model/json.ts';
import type { Deviation, Step } from '../model/scenario.ts';
import { fieldsOf } from '../oracle/fields.ts';
import { namesField, structuredFields } from '../oracle/names-field.ts';
import { noEffect } from './effects.ts';
import {
  type Answered,
  answered,
  controlOf,
  faultsOf,
  find,
  isAccepted,
  only,
  ruling,
  seen,
  summary,
} from './reading.ts';
import { eachAnswer, reads, refusal, withBody } from './rules.ts';

const rule3 = {
  where: 'POST /cases, rule 3',
  quote:
    'When the body does not match the published schema, the result is `422` and names the offending fields.',
};
const row422 = { where: 'Errors table, 422', quote: 'Request does not match the published schema' };

type BodyFault = Extract<Deviation, { kind: 'body' }>;

/** The one fault of the step, where it is a member of the body that departs from the schema. */
function memberFault(step: Step): BodyFault | undefined {
  const fault = only(step, 'body');
  return fault === undefined || fault.at === '' ? undefined : fault;
}

const bodyFault = (step: Step): boolean => only(step, 'body') !== undefined;

/** Whether the vendor declares that fields are named by their full path, in exact case (G16). */
function exactNaming({ declaration }: Context): boolean {
  const declared = declaration.G16;
  return isObject(declared) && declared['naming'] === 'exact';
}

function hasFields(contract: Contract, operation: Operation): boolean {
  return withBody(contract, operation) && fieldsOf(operation.body?.schema).length > 0;
}

function severalFields(contract: Contract, operation: Operation): boolean {
  return withBody(contract, operation) && fieldsOf(operation.body?.schema).length > 1;
}

/** An answer to a request in which another field was wrong: what it says as well is boilerplate (differential control). */
function otherFieldWrong(context: Context, trace: Trace, one: Answered): Answered | undefined {
  const fault = find(one.step, 'body');
  return answered(context, trace).find((other) => {
    const otherFault = memberFault(other.step);
    return (
      other !== one &&
      other.answer.status === 422 &&
      otherFault !== undefined &&
      fault !== undefined &&
      otherFault.at !== fault.at
    );
  });
}

function named(context: Context, trace: Trace, one: Answered, at: string): Ruling {
  const control = otherFieldWrong(context, trace, one);
  const result = namesField(one.answer, one.exchange.request, at, {
    exact: exactNaming(context),
    known: fieldsOf(one.operation.body?.schema),
    ...(control === undefined
      ? {}
      : {
          control: control.answer,
          controlRequest: control.exchange.request,
          controlPointer: memberFault(control.step)?.at ?? '',
        }),
  });
  return ruling([one], {
    verdict: result.named ? 'holds' : 'violated',
    expected: `422 that names ${at}`,
    actual: summary(one.exchange),
    because: result.named
      ? `Named: ${result.evidence}.`
      : `Nothing in the answer names ${at}: ${result.evidence}.`,
  });
}

export const validationClauses: readonly Clause[] = [
  {
    code: 'VAL-1',
    level: 'stated',
    text: 'A body without a required member is answered 422.',
    source: rule3,
    explain: {
      test: 'Each required member is left out of a valid body, one at a time; the whole body is sent beside it as a control.',
      violation: 'Another class (400 is the default of many validators), or success.',
      fix: "Set the validator's failure status to 422.",
    },
    applies: hasFields,
    judges: [refusal((step) => memberFault(step)?.keyword === 'required')],
  },
  {
    code: 'VAL-2',
    level: 'stated',
    text: 'A member of the wrong type, or against another keyword of the schema, is answered 422.',
    source: rule3,
    explain: {
      test: 'One member at a time is made wrong: an object first, which no coercion hides, then the other types and each further keyword.',
      violation: 'The value is coerced and accepted, or another class is answered, or the service fails.',
      fix: 'Validate without coercion, before anything is done with the value.',
    },
    applies: hasFields,
    judges: [refusal((step) => memberFault(step) !== undefined && memberFault(step)?.keyword !== 'required')],
  },
  {
    code: 'VAL-3',
    level: 'stated',
    text: '422 names the offending field.',
    source: rule3,
    explain: {
      test: 'The answer is searched for the field: a locator, a map key, or prose that quotes the name. What an answer about another field says as well does not count.',
      violation: 'A general message, or an empty list of errors.',
      fix: 'Return the path of each offending member, for example errors[].pointer = "/subject".',
    },
    applies: hasFields,
    judges: [
      eachAnswer((one, context, trace) => {
        const fault = memberFault(one.step);
        if (fault === undefined || one.step.role !== 'probe' || one.answer.status !== 422) return undefined;
        return named(context, trace, one, fault.at);
      }),
    ],
  },
  {
    code: 'VAL-4',
    level: 'advisory',
    text: 'Where several fields are wrong, all are named.',
    source: rule3,
    explain: {
      test: 'Two members are made wrong at once.',
      violation: 'Only the first is named.',
      fix: 'Collect all errors before answering.',
    },
    applies: severalFields,
    judges: [
      eachAnswer((one, context) => {
        const faults = one.step.deviations.filter(
          (deviation): deviation is BodyFault => deviation.kind === 'body' && deviation.at !== '',
        );
        if (faults.length < 2 || faults.length !== faultsOf(one.step).length || one.answer.status !== 422)
          return undefined;
        const known = fieldsOf(one.operation.body?.schema);
        const missing = faults.filter(
          (fault) =>
            !namesField(one.answer, one.exchange.request, fault.at, {
              exact: exactNaming(context),
              known,
            }).named,
        );
        return ruling([one], {
          verdict: missing.length === 0 ? 'holds' : 'violated',
          expected: `422 that names ${faults.map((fault) => fault.at).join(' and ')}`,
          actual: summary(one.exchange),
          because:
            missing.length === 0
              ? 'All are named.'
              : `Not named: ${missing.map((fault) => fault.at).join(', ')}.`,
        });
      }),
    ],
  },
  {
    code: 'VAL-5',
    level: 'derived',
    text: 'Fields that are fine are not named as offending.',
    source: rule3,
    explain: {
      test: 'One of several members is made wrong; fields named in structured position are compared with it. Prose is never held against the service.',
      violation: 'Every field of the schema is listed, whatever was wrong.',
      fix: 'List the members that failed, and no other.',
    },
    applies: severalFields,
    judges: [
      eachAnswer((one) => {
        const fault = memberFault(one.step);
        if (fault === undefined || one.step.role !== 'probe' || one.answer.status !== 422) return undefined;
        const claims = structuredFields(one.answer, one.exchange.request);
        const wrong = wronglyNamed(claims, fault.at, fieldsOf(one.operation.body?.schema));
        return ruling([one], {
          verdict: wrong === undefined ? 'holds' : 'violated',
          expected: `no field but ${fault.at} named as offending`,
          actual: summary(one.exchange),
          because:
            wrong === undefined ? 'No other field is named.' : `${wrong} was fine and is named as offending.`,
        });
      }),
    ],
  },
  {
    code: 'VAL-6',
    level: 'derived',
    text: 'A JSON body that is no object is answered 422.',
    source: rule3,
    explain: {
      test: 'An array, a string, a number, a boolean and null are sent as the whole body.',
      violation: 'Success, or another class (400 is let pass where G14 declares it).',
      fix: 'Validate the root like every other value.',
    },
    applies: hasFields,
    judges: [refusal((step) => only(step, 'body')?.at === '')],
  },
  {
    code: 'VAL-7',
    level: 'derived',
    text: '422 has no effect.',
    source: row422,
    explain: {
      test: 'An independent read looks for a record of the refused request.',
      violation: 'A record exists although the answer was 422.',
      fix: 'Validate before anything is written.',
    },
    applies: withBody,
    judges: [noEffect(bodyFault)],
  },
  {
    code: 'VAL-8',
    level: 'derived',
    text: 'The corrected body succeeds under a new key.',
    source: { where: 'Errors table, 422', quote: 'Correct the named fields; do not retry unchanged' },
    explain: {
      test: 'After each 422 the corrected body is sent under a fresh key.',
      violation: 'It is refused, and accepted a moment later under another key: the refusal stuck.',
      fix: 'Keep no state about refused requests.',
    },
    applies: withBody,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = seen(context, trace);
          for (const probe of all) {
            if (
              probe.step.role !== 'probe' ||
              !bodyFault(probe.step) ||
              probe.exchange.answer?.status !== 422
            )
              continue;
            const controls = all.filter(
              (one) =>
                one.step.controls === probe.step.id &&
                one.step.key.use === 'named' &&
                probe.step.key.use === 'named' &&
                one.step.key.name !== probe.step.key.name,
            );
            const [first, ...later] = controls;
            if (first === undefined) continue;
            const accepted = isAccepted(first.exchange.answer);
            const laterAccepted = later.some((one) => isAccepted(one.exchange.answer));
            const refusedByService =
              first.exchange.answer !== undefined &&
              ![429, 500, 502, 503, 504].includes(first.exchange.answer.status);
            yield ruling([first, probe], {
              verdict: accepted ? 'holds' : laterAccepted && refusedByService ? 'violated' : 'inconclusive',
              expected: '2xx to the corrected body under a new key',
              actual: summary(first.exchange),
              because: accepted
                ? 'The corrected body was accepted.'
                : laterAccepted
                  ? 'The corrected body was refused at first and accepted later, so the refusal stuck to it.'
                  : 'The corrected body was refused throughout, so nothing can be said.',
            });
          }
        },
      },
    ],
  },
  {
    code: 'VAL-9',
    level: 'derived',
    text: 'The corrected body under the key of a 422 gets 2xx or 409, never the old 422.',
    source: {
      where: 'POST /cases, rule 3; Limits, 2',
      quote: 'Correct the named fields; do not retry unchanged',
    },
    explain: {
      test: 'An invalid body is refused; then the corrected one is sent under the same key (open point G5).',
      violation: '422 again: the refusal was stored under the key and replayed to a valid body.',
      fix: 'Do not store 422 under the key, or answer 409 because the request is another.',
    },
    applies: withBody,
    judges: [
      eachAnswer((one, context, trace) => {
        const reuse = find(one.step, 'key-reuse');
        if (reuse?.difference !== 'correction' || one.step.role !== 'probe') return undefined;
        const first = answered(context, trace).find((other) => other.step.id === reuse.of);
        if (
          first === undefined ||
          !bodyFault(first.step) ||
          first.answer.status !== 422 ||
          find(one.step, 'body') !== undefined
        )
          return undefined;
        if (one.answer.status === 429) return undefined;
        const declared = context.declaration.G5;
        const fine = isAccepted(one.answer)
          ? declared !== 'conflict'
          : one.answer.status === 409 && declared !== 'accept';
        const known = controlOf(context, trace, one.step.id) !== 'refused';
        return ruling([one, first], {
          verdict: fine ? 'holds' : known ? 'violated' : 'inconclusive',
          expected:
            declared === 'accept'
              ? '2xx (declared, G5)'
              : declared === 'conflict'
                ? '409 (declared, G5)'
                : '2xx or 409 (G5)',
          actual: summary(one.exchange),
          because: fine
            ? 'The corrected body is not answered with the old refusal.'
            : 'A valid body is refused because of what was sent before under its key, in a class that tells the client to correct it.',
        });
      }),
    ],
  },
  {
    code: 'VAL-10',
    level: 'derived',
    text: 'The same invalid request sent again is 422 again (or 409).',
    source: row422,
    explain: {
      test: 'An invalid request is sent twice under one key.',
      violation: 'The second one succeeds, fails with 5xx, or changes its class.',
      fix: 'Validate every attempt, whatever its key.',
    },
    applies: withBody,
    judges: [
      eachAnswer((one, context, trace) => {
        const reuse = find(one.step, 'key-reuse');
        if (reuse?.difference !== 'none' || find(one.step, 'body') === undefined || one.answer.status === 429)
          return undefined;
        const first = answered(context, trace).find((other) => other.step.id === reuse.of);
        if (first === undefined || first.answer.status !== 422) return undefined;
        const fine = one.answer.status === 422 || one.answer.status === 409;
        return ruling([one, first], {
          verdict: fine ? 'holds' : 'violated',
          expected: '422 or 409',
          actual: summary(one.exchange),
          because: fine
            ? 'The class is that of the first refusal, or a conflict.'
            : 'The same invalid request is answered in another class the second time.',
          ...(isAccepted(one.answer) ? { conclusive: true } : {}),
        });
      }),
    ],
  },
  {
    code: 'VAL-11',
    level: 'derived',
    text: 'A nested member or a member of an array is named by its leaf or its full path.',
    source: rule3,
    explain: {
      test: 'A member below the first level is made wrong.',
      violation: 'Only its parent is named, or nothing.',
      fix: 'Return the full path of the offending member.',
    },
    applies: (contract, operation) =>
      withBody(contract, operation) &&
      fieldsOf(operation.body?.schema).some((field) => field.split('/').length > 2),
    judges: [
      eachAnswer((one, context, trace) => {
        const fault = memberFault(one.step);
        if (
          fault === undefined ||
          one.step.role !== 'probe' ||
          one.answer.status !== 422 ||
          fault.at.split('/').length <= 2
        )
          return undefined;
        return named(context, trace, one, fault.at);
      }),
    ],
  },
  {
    code: 'VAL-12',
    level: 'derived',
    text: 'An invalid query field of a read is answered 422 and named.',
    source: {
      where: 'What the service does, 3',
      quote: 'Read operations (GET) state their permission, query fields, pagination and response shape.',
    },
    explain: {
      test: 'Each declared query field is sent with a value that its schema refuses.',
      violation: '5xx, or success that ignores the value.',
      fix: 'Validate query fields like bodies.',
    },
    applies: (contract, operation) => reads(contract, operation) && operation.queryFields.length > 0,
    judges: [
      refusal((step) => {
        const fault = only(step, 'query');
        return fault !== undefined && fault.keyword !== 'unknown';
      }),
      eachAnswer((one) => {
        const fault = only(one.step, 'query');
        if (fault === undefined || fault.keyword === 'unknown' || one.answer.status !== 422) return undefined;
        const result = namesField(one.answer, one.exchange.request, `/${fault.field}`, {
          exact: false,
          known: one.operation.queryFields.map((field) => `/${field.name}`),
        });
        return ruling([one], {
          verdict: result.named ? 'holds' : 'violated',
          expected: `422 that names ${fault.field}`,
          actual: summary(one.exchange),
          because: result.named
            ? `Named: ${result.evidence}.`
            : `Nothing in the answer names the query field ${fault.field}: ${result.evidence}.`,
        });
      }),
    ],
  },
  {
    code: 'VAL-13',
    level: 'derived',
    text: 'Malformed JSON is refused with 4xx, without effect.',
    source: {
      where: 'POST /cases, table: Content-Type',
      quote: 'Request header `Content-Type` | `application/json`',
    },
    explain: {
      test: 'Bodies that are cut short, empty, or not JSON at all are sent as application/json.',
      violation: '5xx, or success.',
      fix: 'Catch the error of the parser and answer 400 or 422.',
    },
    applies: withBody,
    judges: [
      refusal((step) => only(step, 'body-syntax') !== undefined),
      noEffect((step) => only(step, 'body-syntax') !== undefined),
    ],
  },
  {
    code: 'VAL-14',
    level: 'derived',
    text: 'Another media type is refused with 4xx, or read as JSON; never 5xx.',
    source: {
      where: 'POST /cases, table: Content-Type',
      quote: 'Request header `Content-Type` | `application/json`',
    },
    explain: {
      test: 'A valid body is sent as text/plain, as a form, and without a media type.',
      violation: '5xx.',
      fix: 'Answer 415 where the media type is not supported.',
    },
    applies: withBody,
    judges: [refusal((step) => only(step, 'media-type') !== undefined)],
  },
  {
    code: 'VAL-15',
    level: 'derived',
    text: 'Free text may hold any characters: other scripts, emoji, quotes, markup, line breaks.',
    source: { where: 'Case, subject', quote: 'Free text supplied by the caller' },
    explain: {
      test: 'Legal texts of at most 200 characters are sent; a plain one beside each as a control. U+0000, lone surrogates and blank texts are left out.',
      violation: 'A refusal, or 5xx.',
      fix: 'Handle text as Unicode from end to end.',
    },
    applies: hasFields,
    judges: [
      eachAnswer((one, context, trace) => {
        const noise = find(one.step, 'text-noise');
        if (noise === undefined || one.step.role !== 'probe' || faultsOf(one.step).length > 0)
          return undefined;
        const say = (verdict: Ruling['verdict'], because: string): Ruling =>
          ruling([one], { verdict, expected: '2xx', actual: summary(one.exchange), because });
        if (isAccepted(one.answer)) return say('holds', 'The text was accepted.');
        if (one.answer.status === 429) return say('inconclusive', 'The request was throttled.');
        return controlOf(context, trace, one.step.id) === 'accepted'
          ? say(
              'violated',
              `The request was accepted with a plain text at ${noise.at} and refused with this one.`,
            )
          : say('inconclusive', 'The control with a plain text was refused as well.');
      }),
    ],
  },
];

/** The first known field that a structured claim names although it was fine. Ancestors and descendants of the offending one count as it. */
function wronglyNamed(
  claims: ReturnType<typeof structuredFields>,
  offending: string,
  known: readonly string[],
): string | undefined {
  const normal = (pointer: string): readonly string[] =>
    pointer
      .split('/')
      .filter((token) => token !== '' && !/^\d+$/.test(token))
      .map((token) => token.toLowerCase().replaceAll(/[_-]/g, ''));
  const bad = normal(offending);
  const fine = known
    .map((pointer) => ({ pointer, path: normal(pointer) }))
    .filter(({ path }) => !isPrefix(path, bad) && !isPrefix(bad, path));
  for (const claim of claims) {
    const path = claim.path;
    const isOffending =
      endsWith(bad, path) || endsWith(path, bad) || isPrefix(bad, path) || isPrefix(path, bad);
    if (isOffending) continue;
    const match = fine.find((field) => endsWith(field.path, path) || endsWith(path, field.path));
    if (match !== undefined) return match.pointer;
  }
  return undefined;
}

function isPrefix(start: readonly string[], whole: readonly string[]): boolean {
  return start.length <= whole.length && start.every((token, index) => token === whole[index]);
}

function endsWith(whole: readonly string[], end: readonly string[]): boolean {
  return (
    end.length > 0 &&
    end.length <= whole.length &&
    end.every((token, index) => token === whole[whole.length - end.length + index])
  );
}
