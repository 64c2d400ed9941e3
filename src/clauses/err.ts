import type { Context, WrittenClause } from '../model/clause.ts';
import { idText, isCount } from '../model/contract.ts';
import { isObject, type Json, type JsonSchema } from '../model/json.ts';
import { exactJsonOf } from '../model/response.ts';
import { provokesRefusal } from '../oracle/allowed.ts';
import { breaksKeyForm } from '../oracle/open-points/keys.ts';
import { sameState } from '../oracle/record-state.ts';
import { about } from './judging/about.ts';
import { deletedBefore } from './judging/after-deletion.ts';
import { mayBeAlike } from './judging/alike.ts';
import { lettersOf, membersOf } from './judging/changes.ts';
import { notForbidden } from './judging/command-before.ts';
import { asDeclared } from './judging/declared.ts';
import { leftBehind } from './judging/left-behind.ts';
import { nothingThere } from './judging/nothing-there.ts';
import { mayBeOwn } from './judging/own-record.ts';
import { mayBeCurrent } from './judging/own-version.ts';
import {
  type Answered,
  answered,
  controlOf,
  discloses,
  faultsOf,
  find,
  headerValues,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  isThrottled,
  jsonOf,
  notApplicable,
  only,
  pathValues,
  unattributed,
  violated,
} from './judging/reading.ts';
import { hasRecordForm, isSent, showsRecordWithin } from './judging/records-within.ts';
import { commands, eachAnswer, everywhere, tookForHead } from './judging/rules.ts';
import { unmoved } from './judging/unmoved-version.ts';

const classes = {
  where: 'Errors, rule 1',
  quote:
    'Clients treat authentication, permission, conflict, validation, throttling, and service failures as separate classes.',
};
const support = {
  where: 'Authentication, 4',
  quote: 'Clients must not send credentials, customer secrets, or raw payment data to support.',
};

/** Marks of a stack trace in the common languages: JavaScript, Python, those of the JVM, Go, C#, PHP, Ruby, Rust, Elixir. */
const stackTraces: readonly RegExp[] = [
  /\n[^\S\n]+at .+[a-z]:\d+:\d/,
  /Traceback \(most recent call last\)/,
  /\n[^\S\n]+at [\w.$<>/]+\(\w+\.(?:java|kt|scala|groovy):\d/,
  /goroutine \d+ \[/,
  /\.cs:line \d/,
  /(?:^|\n)#\d+ \S+\.php\(\d+\): |"file":\s?"[^"\n]+\.php",\s*"line":\s?\d/,
  /\.rb:\d+:in [`']/,
  /stack backtrace:\n|panicked at \S+\.rs:\d/i,
  /\n\s+(?:\([\w .-]+\) )?lib\/\S+\.exs?:\d+: /,
];

/** In JSON a line break is escaped. */
function showsStack(text: string): boolean {
  const lines = text
    .replaceAll(/\\r|\\n/g, '\n')
    .replaceAll('\\t', '\t')
    .replaceAll(/\\([/"])/g, '$1');
  return stackTraces.some((mark) => mark.test(lines));
}

/** The ID at the place of a result's. Results and failures alike may repeat the request ID there, which names no record. */
function recordIn({ answer, exchange, operation }: Answered): string | undefined {
  const id = idOf(operation, answer);
  return id !== undefined && exchange.requestIds.includes(id) ? undefined : id;
}

/** Whether an ID in a response has the form of a record's, where the contract gives records a form of their own. */
function showsRecord(one: Answered, context: Context): boolean {
  const id = recordIn(one);
  return (
    one.operation.success.schema !== undefined &&
    id !== undefined &&
    hasRecordForm(context, one.operation, id)
  );
}

/** Whether a refusal has a record ID and other members of the result, as the result has them, and nothing else is wrong. */
function isPartOfResult(one: Answered, context: Context): boolean {
  const { schema } = one.operation.success;
  const body = jsonOf(one.answer);
  if (schema === undefined || isFailed(one.answer) || !isObject(body) || !showsRecord(one, context))
    return false;
  const typed = Object.keys(body).filter((name) => isTyped(schema, name, body[name] ?? null, context));
  return (
    typed.length === Object.keys(body).length &&
    typed.length > 1 &&
    context.schemaErrors(schema, body).every(({ keyword }) => keyword === 'required')
  );
}

/** Whether the result declares a member and this is a value of it: no other text, no list and no number would do. */
function isTyped(schema: JsonSchema, name: string, value: Json, context: Context): boolean {
  const fits = (one: Json): boolean =>
    context.schemaErrors(schema, { [name]: one }).every(({ pointer }) => !pointer.startsWith(`/${name}`));
  return fits(value) && [[], {}, 0.5, 'assay'].some((other) => !fits(other));
}

/** Whether a read of another ID shows the very record that its control reads, or any other one under an ID of its own. */
function isShownFor(control: Answered, one: Answered): boolean {
  const id = pathValues(control.operation, control.exchange).at(-1);
  return (
    (control.step.controls === one.step.id || control.step.controls === '*') &&
    isAccepted(control.answer) &&
    id !== undefined &&
    ((discloses(one.exchange, id) && sameState(control, one)) || namesAnother(control, id, one))
  );
}

/** Whether a read shows another ID than it was asked for, in the member in which its control shows the ID of its record. */
function namesAnother(control: Answered, id: string, one: Answered): boolean {
  const asked = lettersOf(pathValues(one.operation, one.exchange).at(-1) ?? '');
  const shown = membersOf(exactJsonOf(one.answer));
  const names = [...membersOf(exactJsonOf(control.answer))].flatMap(([name, value]) =>
    idText(value) === id ? [name] : [],
  );
  return (
    names.length > 0 &&
    names.every((name) => {
      const other = idText(shown.get(name));
      // A short text may be a value to fall back on, such as a language.
      if (other === undefined || (other.length < 4 && !isCount(other))) return false;
      return !lettersOf(other).includes(asked) && !asked.includes(lettersOf(other));
    })
  );
}

/** Whether a key has not the form that the vendor declares (G17): then it must be refused. */
function hasWrongKey({ declared }: Context, { exchange, step }: Answered): boolean {
  const { G17 } = declared.written;
  return (
    G17 !== undefined &&
    only(step, 'key')?.how === 'odd' &&
    headerValues(exchange.request.headers, 'idempotency-key').some((key) => breaksKeyForm(key, G17))
  );
}

export const errorClauses: readonly WrittenClause[] = [
  {
    code: 'ERR-1',
    level: 'derived',
    text: 'A client error never returns 2xx or 5xx.',
    source: classes,
    test: 'Every invalid request of the run is checked. A 5xx counts only if the valid request was accepted.',
    violation:
      '200 with an error in the body, an unhandled exception, the change of a record that does not exist, or was deleted, or an effect of a request that is refused for a wrong reference or parameter.',
    fix: 'Return 4xx for client errors, in their class; catch what parsers and validators throw, and undo what was written.',
    applies: everywhere,
    judges: [
      eachAnswer((one, context, trace) => {
        if (one.step.role !== 'test' || isThrottled(one.answer)) return notApplicable;
        // A read of what is not there may show that there is nothing; a command may make it, or have nothing to remove.
        const absent = only(one.step, 'target') !== undefined;
        // A key is used only where the command that was to use it was accepted: it may have been throttled.
        const faulty = faultsOf(one.step).some(
          (fault) =>
            provokesRefusal(context, one.step, fault) &&
            // PRM-5 says what a caller of another scope reached.
            !(fault.kind === 'permission' && tookForHead(one)) &&
            !(fault.kind === 'scope' && mayBeOwn(context, trace, one.step)) &&
            !(
              fault.kind === 'version' &&
              (mayBeCurrent(context, trace, one.step) || unmoved(context, trace, one.step) !== undefined)
            ) &&
            !(fault.kind === 'conflict' && notForbidden(context, trace, one) !== undefined) &&
            (fault.kind !== 'key-reuse' ||
              (answered(context, trace).some(
                (first) => first.step.id === fault.of && isAccepted(first.answer),
              ) &&
                !mayBeAlike(context, trace, one.step))),
        );
        // What a service may refuse, or means nothing to it, is no reason to fail either.
        const noisy =
          find(one.step, 'header-noise') !== undefined ||
          only(one.step, 'unknown-member') !== undefined ||
          only(one.step, 'reference') !== undefined ||
          ['odd', 'unknown'].includes(only(one.step, 'query')?.keyword ?? '') ||
          (one.operation.kind === 'read' && only(one.step, 'media-type') !== undefined);
        const badKey = hasWrongKey(context, one);
        const expected = faulty || badKey ? '4xx' : 'no 5xx';
        if (absent && isAccepted(one.answer)) {
          const reads = nothingThere(context, trace, one);
          if (reads !== undefined)
            return violated([one, ...reads], {
              expected: '4xx',
              because:
                'The command was accepted for a record that does not exist, and there is none after it.',
            });
          const deleted = deletedBefore(context, trace, one);
          if (deleted !== undefined)
            return violated([one, ...deleted], {
              expected: '4xx',
              because:
                'The command was accepted for a record that was deleted before, and that no read finds.',
            });
          const other =
            one.operation.kind === 'read'
              ? answered(context, trace).find((each) => isShownFor(each, one))
              : undefined;
          return other === undefined
            ? notApplicable
            : violated([one, other], {
                expected,
                because: 'A read of a record that does not exist shows another record.',
              });
        }
        if (faulty && isAccepted(one.answer))
          return violated([one], {
            expected,
            because: 'A request with a client error was accepted.',
            conclusive: true,
          });
        if ((faulty || badKey || noisy) && isFailed(one.answer))
          switch (controlOf(context, trace, one.step.id)) {
            case 'accepted':
              return violated([one], {
                expected,
                because:
                  faulty || badKey
                    ? 'The service failed on a client error, but accepted the same request without the error.'
                    : `The service failed on ${find(one.step, 'header-noise') === undefined ? 'an unusual request' : 'a header without meaning'}, but accepted the same request without it.`,
              });
            case 'refused':
              return inconclusive([one], 'The service failed, and did not accept the control either.');
            case 'none':
              return inconclusive(
                [one],
                'The service failed, and there is no control: it may fail on any request.',
              );
          }
        if (!faulty) return notApplicable;
        return isControlled(context, trace, one)
          ? holds([one], { expected, because: 'The client error was refused.' })
          : inconclusive([one], unattributed);
      }),
      asDeclared('G7'),
      // Of 422 VAL-7 speaks.
      leftBehind((status) => status !== 422),
    ],
  },
  {
    code: 'ERR-2',
    level: 'derived',
    text: 'A failure does not carry a success result.',
    source: classes,
    test: 'The body of every refusal is compared with the success result. A 409 may refer to the existing record.',
    violation:
      'A refusal whose body has the shape of the result, with an ID that no accepted command returned.',
    fix: 'Return a failure body without a result.',
    applies: (_, { kind, success }) => kind === 'command' && success.schema !== undefined,
    judges: eachAnswer((one, context, trace) => {
      if (one.answer.status < 400 || one.operation.success.schema === undefined) return notApplicable;
      const body = jsonOf(one.answer);
      const id = recordIn(one);
      const looks =
        isObject(body) &&
        id !== undefined &&
        context.schemaErrors(one.operation.success.schema, body).length === 0;
      const expected = 'no success result';
      const known =
        id !== undefined &&
        (one.exchange.request.path.split(/[/?:]/).includes(encodeURIComponent(id)) ||
          answered(context, trace).some(
            (other) => isAccepted(other.answer) && idOf(other.operation, other.answer) === id,
          ));
      if (!looks && (known || !isPartOfResult(one, context)))
        return holds([one], { expected, because: 'The failure contains no result.' });
      if (one.answer.status === 409 && known)
        return holds([one], { expected, because: 'The conflict refers to the existing record.' });
      if (
        one.answer.status === 409 &&
        trace.exchanges.some(({ answer }) => answer === undefined || isFailed(answer))
      )
        return inconclusive(
          [one],
          `The conflict names the ID ${id}, which may be that of a command that was lost or failed.`,
        );
      return violated([one], {
        expected,
        because: `The failure has the ${looks ? 'shape' : 'members'} of a success, with the ID ${id}${known ? '' : ', which no accepted command returned'}.`,
      });
    }),
  },
  {
    code: 'ERR-3',
    level: 'advisory',
    text: 'Failures do not echo the token, and show no stack trace.',
    source: support,
    test: 'Bodies and headers of all refusals are searched.',
    violation: 'The response contains the token or a stack trace, which then ends up in the support request.',
    fix: 'Keep stack traces in your own logs, and never return a token.',
    applies: everywhere,
    judges: eachAnswer((one) => {
      if (one.answer.status < 400) return notApplicable;
      const text = `${one.answer.body}\n${one.answer.headers.map(([, value]) => value).join('\n')}`;
      const expected = 'neither token nor stack trace';
      // Tokens are redacted before anything is judged: their names are where they were.
      if (text.includes('$ASSAY_TOKEN_'))
        return violated([one], { expected, because: 'The failure echoes the token.' });
      if (showsStack(text)) return violated([one], { expected, because: 'The failure shows a stack trace.' });
      return holds([one], { expected, actual: 'neither', because: 'Nothing is disclosed.' });
    }),
  },
  {
    code: 'ERR-4',
    level: 'derived',
    text: 'A service failure carries X-Request-Id and discloses nothing.',
    source: { where: 'Errors table, 5xx', quote: 'Preserve IDs; retry only when the operation permits' },
    test: 'The hooks make the service fail, and the failure response is checked.',
    violation: 'No request ID, a stack trace, or data in the response.',
    fix: 'Render failures in one place that knows the request ID.',
    applies: commands,
    judges: about('fault').eachAnswer((one, context) => {
      const fault = find(one.step, 'fault');
      if (fault === undefined || fault.how === 'slow' || !isFailed(one.answer)) return notApplicable;
      const problems = [
        ...(one.exchange.requestIds.length === 0 ? ['there is no X-Request-Id'] : []),
        ...(showsStack(one.answer.body) ? ['there is a stack trace'] : []),
        ...(showsRecord(one, context) && !isSent(one, recordIn(one)) ? ['there is a record ID'] : []),
        ...(showsRecordWithin(context, one) ? ['there is a record'] : []),
      ];
      const expected = 'X-Request-Id, and no data';
      return problems.length === 0
        ? holds([one], { expected, because: 'The failure can be traced and discloses nothing.' })
        : violated([one], { expected, because: `In the failure response, ${problems.join(', ')}.` });
    }),
  },
];
