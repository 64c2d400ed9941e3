import type { Context, Ruling, WrittenClause } from '../../model/clause.ts';
import { isDeclared, successWords } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { scopeOf } from '../../model/principal.ts';
import { essence, returnedSuccess } from '../../model/returned-form.ts';
import { isMadeToFail, stepsOf } from '../../model/scenario.ts';
import { about } from '../judging/about.ts';
import { anotherRecord } from '../judging/another-record.ts';
import { formatNote } from '../judging/format-note.ts';
import {
  foreignSigns,
  isFiltered,
  isLastPage,
  isRead,
  itemsOf,
  queryOf,
  shape,
  showsAny,
} from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  find,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  isThrottled,
  jsonOf,
  keyName,
  notApplicable,
  only,
  summary,
  unattributed,
  violated,
} from '../judging/reading.ts';
import { mediaTypeProblem, miscoding, missingHeader } from '../judging/result-headers.ts';
import { eachAnswer, guarded, reads } from '../judging/rules.ts';
import { shownInRefusal, shownInVain } from '../judging/shown-in-refusal.ts';
import { writeOnlyShown } from '../judging/write-only.ts';
import { countedItems } from './counted-items.ts';
import { emptyRefused, emptyWithin } from './empty-lists.ts';
import { keptVersion, risingVersion } from './kept-version.ts';
import { leaks, shownBy, shows } from './leaks.ts';
import { movedByList } from './moved-by-list.ts';
import { namedAfar } from './named-afar.ts';

const scope = {
  where: 'Authentication, 2',
  quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
};

export const readClauses: readonly WrittenClause[] = [
  {
    code: 'RDS-1',
    level: 'stated',
    text: 'A read with its permission succeeds in the declared shape.',
    source: shape,
    test: 'Each read is sent by a holder of its permission; status, media type, required headers and body are compared with the contract document. A numbered page beyond the end is read as well, and a page of the largest allowed size.',
    violation:
      'Another status, 5xx each time, 404 for an empty list, or a refusal of an allowed page size. Or an undeclared media type, a missing required header, a body that does not match the schema, a value that a command sent for a member that is writeOnly, or a record other than the one in the path.',
    fix: 'Return the status, media type, headers and body that the contract document declares.',
    applies: reads,
    judges: [
      eachAnswer((one, context, trace) => {
        if (isFailed(one.answer) && isServed(context, trace, one))
          return violated([one], {
            expected: successWords(one.operation),
            because: 'The service failed on a valid read.',
          });
        const smaller = refusedSize(context, trace, one);
        if (smaller !== undefined)
          return violated([one, smaller], {
            expected: successWords(one.operation),
            because:
              'The contract allows this page size, but the service refuses it. Without it, the list can be read.',
          });
        // What shows that there is no record is a result as well, where it is a success.
        const absent = only(one.step, 'target') !== undefined && isDeclared(one.operation, one.answer.status);
        if ((faultsOf(one.step).length > 0 && !absent) || !isAccepted(one.answer)) return notApplicable;
        // It may ask for another form, such as some members alone.
        if (find(one.step, 'parameter') !== undefined) return notApplicable;
        const body = jsonOf(one.answer);
        const { schema } = returnedSuccess(one.operation, one.answer);
        const form = otherForm(one);
        const [error] =
          schema === undefined || one.answer.truncated || form !== undefined
            ? []
            : body === undefined
              ? [{ pointer: '', message: 'is not JSON' }]
              : context.shapeErrors(schema, body);
        const expected = `${successWords(one.operation)} in the declared shape`;
        if (!isDeclared(one.operation, one.answer.status))
          return violated([one], { expected, because: 'The contract declares another status.' });
        const coding = miscoding(one.answer);
        if (coding !== undefined) return violated([one], { expected, because: `${coding}.` });
        const otherType = error === undefined ? otherMediaType(one) : undefined;
        if (otherType !== undefined) return violated([one], { expected, because: otherType });
        const header = error === undefined ? missingHeader(one) : undefined;
        if (header !== undefined) return violated([one], { expected, because: `${header}.` });
        if (error === undefined && absent) return notApplicable;
        if (error !== undefined && mayAskOtherwise(one)) return inconclusive([one], otherwiseAsked);
        return error === undefined
          ? holds([one], {
              expected,
              because: 'Status and shape are the declared ones.',
              advisory:
                form !== undefined
                  ? `returned ${form}, which is declared as well, although JSON was requested; its shape is not checked`
                  : formatNote(context, schema, one.answer),
            })
          : violated([one], {
              expected,
              because: `${error.pointer === '' ? 'the body' : error.pointer} ${error.message}.`,
            });
      }),
      { over: 'run', start: () => anotherRecord('read') },
      { over: 'run', start: emptyRefused },
      { over: 'trace', rule: emptyWithin },
      { over: 'trace', rule: writeOnlyShown('read') },
    ],
  },
  {
    code: 'RDS-2',
    level: 'stated',
    text: 'A read without its permission returns 403.',
    source: { where: 'What the service does, 3; Authentication, 2', quote: scope.quote },
    test: 'Each read is sent by a principal without its permission.',
    violation: 'It is served, refused in another class, or refused with the record in the response.',
    fix: 'Guard reads in the same way as commands.',
    applies: (contract, operation) => reads(contract, operation) && guarded(contract, operation),
    judges: [
      about('permission').refusal((step) => only(step, 'permission') !== undefined),
      shownInVain('permission', ['read']),
    ],
  },
  {
    code: 'RDS-7',
    level: 'derived',
    text: 'Records of another scope are never visible.',
    source: scope,
    test: 'A record is created in one scope. A principal of another scope then lists, reads and searches.',
    violation: 'The record is shown, even if only in a refusal.',
    fix: 'Apply the scope to every query. If every scope may see these records, mark the read with x-governed: { shared: true }.',
    applies: (contract, operation) =>
      reads(contract, operation) && guarded(contract, operation) && operation.shared !== true,
    judges: [
      eachAnswer((one, context, trace) => {
        if (one.step.role !== 'test' || one.operation.kind !== 'read') return notApplicable;
        if (one.step.observes === 'unrelated') return notApplicable;
        const expected = 'no record of another scope';
        if (!isAccepted(one.answer)) {
          if (only(one.step, 'scope') === undefined || ![403, 404].includes(one.answer.status))
            return notApplicable;
          return isControlled(context, trace, one)
            ? holds([one], { expected, because: 'The record of the other scope is refused.' })
            : inconclusive([one], unattributed);
        }
        const foreign = foreignSigns(context, trace, one.step.as);
        if (foreign.length === 0) return notApplicable;
        const leaked = foreign.find((sign) => shows(one, sign))?.replaceAll('"', '');
        // One page says nothing about the others: all that were read are judged together.
        if (leaked === undefined && one.operation.pagination !== undefined && !isSearch(one))
          return notApplicable;
        if (leaked === undefined && isGivenAlike(context, trace, one))
          return inconclusive(
            [one],
            'The record is from the configuration, not created by a command of the other scope, and both scopes read the same.',
          );
        if (leaked === undefined && !isFound(context, trace, one, foreign))
          return inconclusive([one], 'The read does not show the record in its own scope either.');
        return leaked === undefined
          ? holds([one], { expected, actual: 'none', because: 'Nothing of the other scope is shown.' })
          : violated([one], {
              expected,
              actual: leaked,
              because: 'The response shows a record of another scope.',
              conclusive: true,
            });
      }),
      { over: 'trace', rule: readFromAfar },
      { over: 'trace', needs: ['unrelated'], rule: namedAfar },
      { over: 'trace', rule: countedItems },
      { over: 'trace', needs: ['scope'], rule: shownInRefusal('read') },
      { over: 'run', start: () => leaks('none') },
    ],
  },
  {
    code: 'RDS-8',
    level: 'derived',
    text: 'Reads have no effect and do not use up keys.',
    source: shape,
    test: 'A read is sent with a key, then a command with the same key. A record is read three times, and a command is sent with the version that the first read showed; or the versions that the reads show are compared, with reads of the list of the record in between.',
    violation:
      'The command is refused as a conflict: the read used up its key, or changed the version of the record.',
    fix: 'Make reads free of effects, and exclude them from the deduplication of commands.',
    applies: reads,
    judges: [
      { over: 'trace', rule: keptVersion },
      { over: 'trace', rule: risingVersion },
      { over: 'trace', needs: ['item'], rule: movedByList },
      {
        over: 'trace',
        *rule(context, trace) {
          const all = answered(context, trace);
          for (const read of all) {
            const name = keyName(read.step);
            if (name === undefined || read.step.role !== 'test') continue;
            const command = all.find((one) => one.operation.kind === 'command' && keyName(one.step) === name);
            if (command === undefined || isThrottled(command.answer)) continue;
            const expected = '2xx to a command under the key of a read';
            const control = all.find(
              (one) => one.step.controls === command.step.id && isAccepted(one.answer),
            );
            if (isAccepted(command.answer) && !isAccepted(read.answer))
              yield inconclusive([read, command], 'The read was not accepted, so nothing was read.');
            else if (isAccepted(command.answer))
              yield holds([read, command], {
                expected,
                actual: summary(command.exchange),
                because: 'The command was accepted, so the read left the key free.',
              });
            else if (control !== undefined)
              yield violated([read, command], {
                expected,
                actual: summary(command.exchange),
                because:
                  'The command was not accepted under the key of a read, but was accepted under another key.',
              });
            else
              yield inconclusive([read, command], 'The command was not accepted under another key either.');
          }
        },
      },
    ],
  },
];

/** Whether nothing about a read, nor about what is sent with it, may make a service fail: no error, no haste, no hook, nothing deleted. */
function isServed(context: Context, trace: Trace, { operation, step }: Answered): boolean {
  return (
    operation.kind === 'read' &&
    faultsOf(step).length === 0 &&
    answered(context, trace).every((one) => one.operation.method !== 'DELETE') &&
    stepsOf(trace.scenario.waves).every(
      (each) => !isMadeToFail(each) && each.deviations.every(({ kind }) => kind !== 'pace'),
    )
  );
}

/** A read without the size of a page that was refused though the schema of its field allows it, where nothing else differs. */
function refusedSize(context: Context, trace: Trace, one: Answered): Answered | undefined {
  const { operation, step } = one;
  const [field, ...others] = step.query ?? [];
  const schema = operation.queryFields.find(({ name }) => name === field?.[0])?.schema;
  if (field?.[0] !== operation.pagination?.limit || others.length > 0 || schema === undefined)
    return undefined;
  if (![400, 422].includes(one.answer.status) || faultsOf(step).length > 0) return undefined;
  if (context.shapeErrors(schema, Number(field?.[1])).length > 0) return undefined;
  return answered(context, trace).find(
    (other) =>
      other.step.controls === step.id &&
      other.step.as === step.as &&
      isAccepted(other.answer) &&
      other.exchange.request.path === one.exchange.request.path.split('?')[0],
  );
}

/** A list by POST has its limit and its cursor in its body, and shows all there is. */
const isSearch = ({ operation: { body, queryFields } }: Answered): boolean =>
  body !== undefined && !queryFields.some(({ at }) => at !== undefined);

/** Whether a read shows in one scope what it does not show in another: a search may ask for nothing that is there. */
function isFound(context: Context, trace: Trace, one: Answered, signs: readonly string[]): boolean {
  return answered(context, trace).some(
    (other) =>
      other.step.controls === one.step.id &&
      isAccepted(other.answer) &&
      (isSearch(one)
        ? // Both may repeat what they were asked for.
          signs.some((sign) => shownBy(other).split(sign).length > shownBy(one).split(sign).length)
        : shownBy(other) !== shownBy(one)),
  );
}

/** Whether a read is of a record that the vendor gave, which no read of another scope shows to be another one there. */
function isGivenAlike(context: Context, trace: Trace, one: Answered): boolean {
  const refs = Object.values(one.step.target ?? {});
  if (refs.length === 0 || !refs.every((ref) => 'literal' in ref)) return false;
  const scope = (name: string): string | undefined => scopeOf(context.principals, name);
  return !answered(context, trace).some(
    (other) =>
      other.operation === one.operation &&
      isAccepted(other.answer) &&
      scope(other.step.as) !== scope(one.step.as) &&
      other.exchange.request.path === one.exchange.request.path &&
      other.answer.body !== one.answer.body,
  );
}

/** A result under a media type that is neither JSON nor among those that the contract declares. */
function otherMediaType(one: Answered): string | undefined {
  const { mediaType, otherMediaTypes = [] } = returnedSuccess(one.operation, one.answer);
  const problem = mediaType === undefined || one.answer.body === '' ? undefined : mediaTypeProblem(one);
  if (mediaType === undefined || problem === undefined) return undefined;
  const declared = [mediaType, ...otherMediaTypes];
  return isOneOf(declared, one) ? undefined : `${problem}; the contract declares ${declared.join(' or ')}.`;
}

/** The media type of a result in another declared form than JSON: a service may send it whatever it was asked for (RFC 9110, 12.5.1). */
function otherForm(one: Answered): string | undefined {
  const { otherMediaTypes = [], schema } = returnedSuccess(one.operation, one.answer);
  return schema !== undefined && mediaTypeProblem(one) !== undefined && isOneOf(otherMediaTypes, one)
    ? returnedType(one)
    : undefined;
}

function isOneOf(types: readonly string[], one: Answered): boolean {
  const returned = returnedType(one);
  return types.map(essence).some((type) => {
    if (type === '*/*') return true;
    return type.endsWith('/*') ? returned.startsWith(type.slice(0, -1)) : type === returned;
  });
}

function returnedType({ answer }: Answered): string {
  return essence(headerValues(answer.headers, 'content-type')[0] ?? '');
}

const otherwiseAsked =
  'A query field that neither filters nor pages may ask for another form of the result, such as some members alone.';

function mayAskOtherwise(one: Answered): boolean {
  const { pagination, queryFields } = one.operation;
  const others = queryFields.filter(({ filters, required }) => !required && filters === undefined);
  return [...queryOf(one).keys()].some(
    (asked) =>
      asked !== pagination?.limit &&
      asked !== pagination?.cursor &&
      others.some(({ name }) => asked === name || asked.startsWith(`${name}[`)),
  );
}

/** A list shows nothing of another scope where it was read to its end, not where some of its pages do. */
function* readFromAfar(context: Context, trace: Trace): Iterable<Ruling> {
  const pages = answered(context, trace).filter(
    (one) =>
      one.step.role === 'test' &&
      one.operation.pagination !== undefined &&
      one.step.observes !== 'unrelated' &&
      // What a search shows to its end is what it was asked for.
      !isSearch(one) &&
      faultsOf(one.step).length === 0 &&
      // One page with a claimed scope is no walk.
      find(one.step, 'header-noise') === undefined &&
      isRead(one) &&
      foreignSigns(context, trace, one.step.as).length > 0,
  );
  const leaks = pages.some((one) =>
    foreignSigns(context, trace, one.step.as).some((sign) => shownBy(one).includes(sign)),
  );
  const [first] = pages;
  if (first === undefined || leaks) return;
  if (!showsAny(context, trace, first)) {
    yield inconclusive(pages.slice(0, 12), 'The list shows no record in any scope.');
    return;
  }
  const unfiltered = pages.filter((one) => !isFiltered(one));
  const whole = [...new Set(unfiltered.map(walkOf))].map((walk) =>
    unfiltered.filter((one) => walkOf(one) === walk),
  );
  const expected = 'no record of another scope';
  const ended = whole.find((walk) => walk.some(isLastPage));
  const [longest = pages] = whole.toSorted((a, b) => b.length - a.length);
  const share = (walk: readonly Answered[]): string =>
    `${walk.flatMap(itemsOf).length} records on ${walk.length} pages`;
  yield ended !== undefined
    ? holds(ended.slice(0, 12), {
        expected,
        actual: `none, among ${share(ended)}`,
        because: 'The list was read to its end, and shows nothing of the other scope.',
      })
    : inconclusive(
        longest.slice(0, 12),
        `The end of the list was not reached: ${share(longest)} were read, and none of them is of the other scope.`,
      );
}

/** Pages of one walk have the same caller and query, but for what leads to each. */
function walkOf(one: Answered): string {
  const query = new URLSearchParams([...queryOf(one)]);
  query.delete(one.operation.pagination?.cursor ?? '');
  return `${one.operation.id} ${one.step.as} ${query}`;
}
