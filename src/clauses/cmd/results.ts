import type { Context, Ruling, WrittenClause } from '../../model/clause.ts';
import {
  type Contract,
  choosesLast,
  creates,
  declaresResult,
  isDeclared,
  isReadById,
  type Operation,
  type Success,
  successWords,
} from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, pointerTokens } from '../../model/json.ts';
import { listOfMade, listWithin } from '../../model/listed.ts';
import { idPointer, isIdInHeader } from '../../model/result-id.ts';
import { returnedSuccess } from '../../model/returned-form.ts';
import { fieldsOf } from '../../oracle/fields.ts';
import { anotherRecord } from '../judging/another-record.ts';
import { changed, changes } from '../judging/changes.ts';
import { lostByRetry } from '../judging/counted-effects.ts';
import { unfinishedRead } from '../judging/effects.ts';
import { formatNote } from '../judging/format-note.ts';
import { neverWritten } from '../judging/never-written.ts';
import { anothersRecord, isMadeByAnother, isShownToReader } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  holds,
  idOf,
  inconclusive,
  isQueued,
  jsonOf,
  markerOf,
  notApplicable,
  notTested,
  seen,
  violated,
} from '../judging/reading.ts';
import { refusedInVain } from '../judging/refused-in-vain.ts';
import { deleted, deletes } from '../judging/removal.ts';
import { errorText, isDeclaredBody, resultErrors } from '../judging/result-errors.ts';
import { headersOnly, mediaTypeProblem, miscoding, missingHeader } from '../judging/result-headers.ts';
import { hasMoreMembers, isLateResult, isResult, mayBeReplay, noIdIn } from '../judging/results.ts';
import { commands, eachAnswer } from '../judging/rules.ts';
import { writeOnlyShown } from '../judging/write-only.ts';
import { actionMembers } from './action-members.ts';
import { bulkItems } from './bulk-items.ts';
import { clearedByNull } from './cleared-by-null.ts';
import { deletedListed } from './deleted-listed.ts';
import { eachNamed } from './each-named.ts';
import { idsDiffer } from './ids-differ.ts';
import { idsWithin } from './ids-within.ts';
import { keptByPatch } from './kept-by-patch.ts';
import { keptByPut } from './kept-by-put.ts';
import { listedApart } from './listed-apart.ts';
import { listedAsOthers } from './listed-as-others.ts';
import { listedOtherwise } from './listed-otherwise.ts';
import { lostAtOnce } from './lost-together.ts';
import { missingWithin } from './missing-within.ts';
import { changesInList, neighbourHit } from './neighbours.ts';
import { elderHit } from './next-to-new.ts';
import { otherInResult } from './other-in-result.ts';
import { ownedTaken } from './owned-taken.ts';
import { putTwice } from './put-twice.ts';
import { queuedLost } from './queued-lost.ts';
import { someLost } from './several-records.ts';
import { shownAsMade } from './shown-as-made.ts';
import { shownById } from './shown-by-id.ts';
import { shownInRecord } from './shown-in-record.ts';
import { lostTogether, shownWithin } from './shown-within.ts';
import { staleInList } from './stale-in-list.ts';
import { staleResult } from './stale-result.ts';
import { staleVersion } from './stale-version.ts';
import { stateNotKept } from './state-not-kept.ts';
import { storedValues } from './stored-values.ts';
import { textOfAnother } from './text-of-another.ts';
import { zeroIgnored } from './zero-ignored.ts';

/** Whether the result has an ID as far as the contract says, and the body need not name it. */
function hasOwnId({ body, idHeader, success, ...operation }: Operation): boolean {
  if (idHeader !== undefined) return true;
  const at = idPointer({ ...operation, body, success });
  const required = isObject(body?.schema) ? body.schema['required'] : undefined;
  if (isArray(required) && required.includes(pointerTokens(at).at(-1) ?? '')) return false;
  const fields = fieldsOf(success.schema);
  const saysNothing = fields.length === 0 && !(isObject(success.schema) && 'properties' in success.schema);
  return saysNothing || fields.includes(at);
}

function successIn({ answer, operation }: Answered): Success {
  return returnedSuccess(operation, answer);
}

/** A result without a declared body has nothing to compare. */
function typed(_: Contract, operation: Operation): boolean {
  return operation.kind === 'command' && declaresResult(operation, 'schema');
}

function described(_: Contract, operation: Operation): boolean {
  return (
    operation.kind === 'command' &&
    (declaresResult(operation, 'mediaType') || declaresResult(operation, 'requiredHeaders'))
  );
}

export const resultClauses: readonly WrittenClause[] = [
  {
    code: 'CMD-1',
    level: 'stated',
    text: 'A valid command returns the declared success status (201 for POST /cases).',
    source: { where: 'POST /cases, table: success status', quote: 'Success status | `201`' },
    test: 'Every accepted valid command of the run is checked. If a generated body is refused with 422, a plain one is sent as well.',
    violation: '200 or 202 where 201 is declared.',
    fix: 'Return the status that the contract declares for the operation.',
    applies: commands,
    judges: eachAnswer((one, context, trace) => {
      if (!isResult(one)) return refusedInVain(context, trace, one);
      const expected = successWords(one.operation);
      if (isDeclared(one.operation, one.answer.status))
        return holds([one], { expected, because: 'The status is the declared one.' });
      if (mayBeReplay(context, trace, one)) return notApplicable;
      return violated([one], {
        expected,
        because: 'The contract declares another success status for the operation.',
      });
    }),
  },
  {
    code: 'CMD-2',
    level: 'stated',
    text: 'The result has an ID of the declared form (case_ plus an identifier for a case).',
    source: { where: 'Case, id', quote: 'Begins with the prefix `case_` followed by an identifier' },
    test: 'The ID of every accepted valid command is compared with its schema. Anything may follow the prefix.',
    violation: 'No ID, an ID that is not a string, or one without the prefix.',
    fix: 'Return the ID in the form of the contract.',
    applies: typed,
    judges: eachAnswer((one, context) => {
      if (!isResult(one) || successIn(one).schema === undefined) return notApplicable;
      const body = jsonOf(one.answer);
      if (body === undefined) return notApplicable;
      const expected = 'an ID of the declared form';
      if (!isObject(body) && !isDeclaredBody(context, one, body))
        return violated([one], { expected, because: 'The body is not an object, so it has no ID.' });
      const errors = resultErrors(context, one.operation, body, one.answer).id;
      return errors.length === 0
        ? holds([one], { expected, because: 'The ID has the declared form.' })
        : violated([one], { expected, because: errorText(errors) });
    }),
  },
  {
    code: 'CMD-3',
    level: 'stated',
    text: "The result has the declared values (status 'open' for a new case).",
    source: { where: 'Case, status', quote: 'Value `open` on creation' },
    test: 'Members whose value the contract fixes are compared with it; further members are allowed. A body that asks for another value may be refused. If it is accepted, the result must have the value of the contract. Two bodies ask for two values of what is readOnly.',
    violation:
      "The status is 'OPEN' or 'new', is missing, or is the one that the request asked for. What the contract marks as readOnly takes the value of the request.",
    fix: 'Return the exact value of the contract, in the same case. Use only those members of a body that its schema names.',
    applies: typed,
    judges: [
      eachAnswer((one, context) => {
        if (!(isResult(one) || hasMoreMembers(one)) || successIn(one).schema === undefined)
          return notApplicable;
        const body = jsonOf(one.answer);
        if (body === undefined) return notApplicable;
        const errors = resultErrors(context, one.operation, body, one.answer).fixed;
        // A result of another kind than the declared one is for CMD-4.
        if (!isObject(body) && errors.length === 0 && !isDeclaredBody(context, one, body))
          return notApplicable;
        const expected = 'the values that the contract declares';
        return errors.length === 0
          ? holds([one], { expected, because: 'The values are the declared ones.' })
          : violated([one], { expected, because: errorText(errors) });
      }),
      { over: 'run', start: ownedTaken },
    ],
  },
  {
    code: 'CMD-4',
    level: 'derived',
    text: 'The result is one JSON object under a JSON media type, of the declared shape.',
    source: { where: 'What the service does, 5', quote: "A command's result is typed" },
    test: 'Media type, encoding, required headers and body of the response to every accepted valid command are checked.',
    violation:
      'text/plain, an array, an empty body, a member of the wrong type, a value of the request that the contract marks as writeOnly, or a missing header that the contract requires.',
    fix: 'Return one JSON object as application/json (or another type ending in +json).',
    applies: described,
    judges: [
      eachAnswer((one, context) => {
        if (!isResult(one)) return notApplicable;
        const { mediaType, requiredHeaders } = successIn(one);
        if (mediaType === undefined)
          return requiredHeaders !== undefined && isDeclared(one.operation, one.answer.status)
            ? headersOnly(one)
            : notApplicable;
        const body = jsonOf(one.answer);
        const problem =
          one.answer.body === ''
            ? 'the body is empty'
            : (miscoding(one.answer) ??
              mediaTypeProblem(one) ??
              missingHeader(one) ??
              (body === undefined
                ? one.answer.truncated
                  ? undefined
                  : 'the body is not JSON'
                : isObject(body) || isDeclaredBody(context, one, body)
                  ? undefined
                  : 'the body is not a JSON object'));
        const errors = resultErrors(context, one.operation, body, one.answer).other;
        const expected = 'one JSON object of the declared shape, as application/json';
        if (problem !== undefined) return violated([one], { expected, because: problem });
        return errors.length === 0
          ? holds([one], {
              expected,
              because: 'The result is typed as declared.',
              advisory: formatNote(context, returnedSuccess(one.operation, one.answer).schema, one.answer),
            })
          : violated([one], { expected, because: errorText(errors) });
      }),
      { over: 'trace', rule: writeOnlyShown('command') },
    ],
  },
  {
    code: 'CMD-5',
    level: 'derived',
    text: 'Different commands return different IDs.',
    source: {
      where: 'What the service does, 4',
      quote: 'Write operations (commands) use a unique idempotency key.',
    },
    test: 'All IDs that the run got from commands that create records are compared. For records within another record, one ID for two commands counts only if the list of that record has two items, or if each result shows what its own command sent, and bodies with as much in common get IDs of their own elsewhere.',
    violation: 'One ID for two commands with different keys.',
    fix: 'Create one record for each command.',
    applies: (contract: Contract, operation: Operation) =>
      (creates(operation) && hasOwnId(operation)) ||
      (listWithin(contract, operation) !== undefined && !choosesLast(operation)),
    judges: [
      { over: 'run', start: idsDiffer },
      { over: 'run', start: idsWithin },
    ],
  },
  {
    code: 'CMD-6',
    level: 'derived',
    text: 'The declared read shows what accepted commands created or changed, and nothing that they deleted.',
    source: {
      where: 'What the service does, 6',
      quote: 'A client establishes what happened from the documented result and the resulting work record.',
    },
    test: 'After the settling time (open point G15) a list must show the record of every accepted command. Without a declared list the record is read by its ID. A record created within another one must be in the list of that record. A changed or deleted record is read before and after. A second PATCH with fewer members follows, and a third PUT. A record with all that it may have is deleted as well. All that a body may have is sent twice, with other values, to actions on a record as well; what no record shows of it is noted. What is queued (202) is read again later. What may be null is set, and then set to null. Four commands at once move a count or total of one record, between commands that move it alone. Above the quick budget numbers are set, and then set to zero, texts and lists are emptied, and flags are set to false. The list that showed a changed record shows it as changed. A new record with all that it may have is read before its list and after it. A deleted record must be gone from the list, and from every list that the run reads later; other records with the same body must remain. A command that makes, changes or deletes one record must leave another one of the same kind, where possible in the same parent, as it was. A read of the record by its ID, before any other command on it, must show the values that were sent and that the result shows; so must the list within a record, or the read of that record, where it alone shows what is made there.',
    violation:
      'An accepted command stored nothing, or no work record where others have one at once, or less than its result shows, or only some of several records, or one of them several times. A changed record stays as it was, shows a text or a time that was not sent, or lost what a merge patch did not name, or what its create alone sets, or keeps what a PUT left out and the contract gives a default, or a date that a PUT replaces. A record keeps a value that a merge patch, or the result, sets to null. A new record shows a default in place of false or 0, or another value than the default of what was left out. A record keeps a value that a command sets to zero or false, or empties, though it shows the rest of the command. A member never takes the value that a command sends, or a reference the record that it names, while the read shows it of other records. What an action is sent is nowhere in the record, which has a place for it. What the contract declares for body and record alike has no value in any record, or always the same one, or the time of the command. A number is cut to a smaller column, a text loses its end, a list loses one of its ends, shows one item in place of all, or keeps the items that it should replace, an amount loses its cents, or one kind is stored as another, while other values are stored as they were sent. Each date is stored as the day before, each instant some hours off, or each number as one less or a hundred times as much. A record refers to another record than the command named. A member shows what commands send for another one, or for the item before. A changed record stays as it was in its list. A deleted record stays as it was, or is still listed. The list has one ID twice, or a record with the text of another one, or with another value than the reads by ID around it show. The read by ID, or the result, shows another record. The result shows the record, or its version, as it was before the command. The result of an action shows another state than the record has. A deletion deleted another record as well. Commands at once moved a total by less than all of them. A command wrote what it sent to another record too. Of several records that the body names, it changed only some.',
    fix: 'Return success only when the record is committed.',
    applies: (contract: Contract, operation: Operation) =>
      (creates(operation) && operation.effect?.list !== undefined) ||
      isReadById(contract, operation) ||
      listWithin(contract, operation) !== undefined ||
      changes(operation) ||
      changesInList(contract, operation) ||
      deletes(operation),
    judges: [
      { over: 'trace', needs: ['after', 'list-after'], rule: deleted },
      { over: 'trace', needs: ['after'], rule: changed },
      { over: 'trace', needs: ['after'], rule: neverWritten },
      { over: 'trace', needs: ['later'], rule: lostByRetry },
      { over: 'trace', needs: ['later'], rule: keptByPatch },
      { over: 'trace', needs: ['later'], rule: keptByPut },
      { over: 'trace', rule: clearedByNull },
      { over: 'trace', needs: ['after'], rule: zeroIgnored },
      { over: 'trace', needs: ['after'], rule: staleResult },
      { over: 'trace', needs: ['after'], rule: stateNotKept },
      { over: 'trace', needs: ['after'], rule: staleVersion },
      { over: 'trace', rule: shownAsMade },
      { over: 'trace', needs: ['made'], rule: otherInResult },
      { over: 'trace', needs: ['made'], rule: shownById },
      { over: 'trace', needs: ['list-after'], rule: shownWithin },
      { over: 'trace', needs: ['list-after'], rule: lostTogether },
      { over: 'trace', needs: ['after', 'holder'], rule: shownInRecord },
      { over: 'trace', needs: ['holder'], rule: lostAtOnce },
      { over: 'trace', needs: ['item-again'], rule: staleInList },
      { over: 'trace', needs: ['neighbour'], rule: neighbourHit },
      { over: 'trace', needs: ['neighbour'], rule: elderHit },
      { over: 'trace', needs: ['neighbour'], rule: eachNamed },
      { over: 'trace', rule: bulkItems },
      { over: 'trace', rule: listedAsOthers },
      { over: 'trace', needs: ['item-read'], rule: listedApart },
      { over: 'run', needs: ['made'], start: missingWithin },
      { over: 'run', needs: ['made'], start: queuedLost },
      { over: 'run', start: deletedListed },
      { over: 'run', start: textOfAnother },
      { over: 'run', start: listedOtherwise },
      { over: 'run', start: putTwice },
      ...storedValues,
      { over: 'run', needs: ['after', 'neighbour'], start: actionMembers },
      { over: 'run', start: () => anotherRecord('command') },
      {
        over: 'effects',
        *rule(context, trace) {
          const effects = trace.effects;
          if (effects === undefined) return;
          const isShown = isShownToReader(context, trace);
          // A record that another command was run on may have lost its marker, or be gone.
          const touched = new Set(
            seen(context, trace).flatMap(({ operation, step }) =>
              operation.kind === 'command' && step.target !== undefined
                ? Object.values(step.target).flatMap((ref) => ('step' in ref ? [ref.step] : []))
                : [],
            ),
          );
          for (const one of answered(context, trace)) {
            if (!creates(one.operation) || touched.has(one.step.id)) continue;
            // A record whose list nobody reads has its marker, but not its ID, in the list of what another command was sent.
            if (listOfMade(context.contract, one.operation) === undefined) continue;
            if (!isResult(one) && !isLateResult(context, trace, one)) continue;
            const id = idOf(one.operation, one.answer);
            const marked = effects.byMarker[markerOf(trace, one) ?? ''];
            if (id === undefined) {
              yield withoutId(context, trace, one, marked);
              continue;
            }
            const records = effects.listed?.includes(id) === true ? [id] : marked;
            if (records === undefined || (records.length === 0 && isMadeByAnother(context, trace, one, id)))
              continue;
            const expected = `${id} in the declared list`;
            const seenIn = effects.seenIn.slice(0, 3);
            if (records.includes(id))
              yield (marked === undefined
                ? undefined
                : someLost(trace, answered(context, trace), one, marked, effects)) ??
                holds([one], {
                  expected,
                  actual: id,
                  because: 'The independent read shows the record.',
                  seenIn,
                });
            else if (!effects.complete) yield inconclusive([one], unfinishedRead);
            else if (records.length === 0 && effects.foreign?.includes(id) === true)
              yield inconclusive(
                [one],
                `The independent read shows ${id}, but as a record that another command has made or changed.`,
              );
            else if (isQueued(one.answer) && records.length === 0)
              yield inconclusive([one], 'The command was queued (202), and its record is not there yet.');
            else if (isIdInHeader(one.operation, one.answer) && records.length > 0)
              yield inconclusive(
                [one],
                `The independent read shows the record, but not under the ID ${id} of the response header.`,
              );
            else if (records.length === 0 && !isShown(one)) yield inconclusive([one], anothersRecord);
            else
              yield violated([one], {
                expected,
                actual: records.length === 0 ? 'no such record' : records.join(', '),
                because: 'The command was accepted, but the independent read shows no record with its ID.',
                seenIn,
              });
          }
        },
      },
    ],
  },
];

/** A result without an ID: the list shows the record by its marker, as it shows that of another command of the trace. */
function withoutId(
  context: Context,
  trace: Trace,
  one: Answered,
  records: readonly string[] | undefined,
): Ruling {
  const { byMarker = {}, complete = false, seenIn = [] } = trace.effects ?? {};
  const said = { expected: 'its record in the declared list', seenIn: seenIn.slice(0, 3) };
  const others = answered(context, trace).filter(
    (other) =>
      other.operation === one.operation &&
      other.step.as === one.step.as &&
      // A list may show the last records only.
      other.exchange.startedAt <= one.exchange.startedAt,
  );
  if (records === undefined) return notTested([one], noIdIn(one.operation));
  if (records.length > 0)
    return holds([one], { ...said, because: 'The independent read shows a record with its marker.' });
  return complete &&
    one.answer.status !== 202 &&
    others.some((other) => (byMarker[markerOf(trace, other) ?? ''] ?? []).length > 0)
    ? violated([one], {
        ...said,
        because:
          'The command was accepted, but the list shows the record of another command and none of this one.',
      })
    : notTested([one], noIdIn(one.operation));
}
