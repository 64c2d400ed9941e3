import type { Context, Ruling, WrittenClause } from '../model/clause.ts';
import { operationOf } from '../model/contract.ts';
import type { HttpResponse } from '../model/exchange.ts';
import { type Json, textsIn } from '../model/json.ts';
import { refusedByServers } from '../model/token-variants.ts';
import { allowed } from '../oracle/allowed.ts';
import { about } from './judging/about.ts';
import {
  type Answered,
  answered,
  find,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  jsonOf,
  keyName,
  notApplicable,
  type Seen,
  summary,
  violated,
} from './judging/reading.ts';
import { clientSentId, idsOf, unfolded, uniqueOverRun } from './judging/request-ids.ts';
import { commands, eachAnswer, everywhere, reads } from './judging/rules.ts';

const form = /^req_\S+$/;
const failureStatuses = new Set([401, 403, 409, 422, 429]);

/** A gateway's own error page is not a response of the service. */
function isGatewayPage(answer: HttpResponse): boolean {
  return (
    [502, 503, 504].includes(answer.status) &&
    headerValues(answer.headers, 'content-type').some((type) => type.startsWith('text/html'))
  );
}

function present(one: Seen, duty: string): Ruling {
  const ids = idsOf(one);
  const expected = 'an X-Request-Id header';
  return ids.length > 0
    ? holds([one], { expected, actual: `X-Request-Id: ${ids.join(', ')}`, because: 'The header is there.' })
    : violated([one], {
        expected,
        actual: `${summary(one.exchange)}, without X-Request-Id`,
        because: duty,
      });
}

/** Refusals that the errors table does not list, 404 and what speaks of a proxy, a connection or another host left out. */
const unlisted = new Set([400, 405, 406, 411, 412, 413, 414, 415, 417, 423, 424, 425, 428, 431]);

/** Of them, what a server returns as a rule before any service sees the request. */
const ofServers = new Set([405, 406, 411, 413, 414, 415, 417, 425, 431]);

/** A status that the errors table lacks is the service's own where it is declared; a proxy may return it otherwise. */
function elsewhere(one: Answered, context: Context): Ruling | undefined {
  const { status } = one.answer;
  if (!unlisted.has(status)) return notApplicable;
  const { refusals } = allowed(context, one.step);
  const parsed =
    find(one.step, 'body-syntax') === undefined &&
    find(one.step, 'media-type') === undefined &&
    !(one.step.token !== undefined && refusedByServers.has(one.step.token));
  const own =
    Object.hasOwn(one.operation.failures, String(status)) ||
    (refusals !== 'any 4xx' && refusals.includes(status));
  if ((own && parsed && !ofServers.has(status)) || idsOf(one).length > 0)
    return present(one, 'A failed attempt cannot be traced without a request ID.');
  return inconclusive(
    [one],
    `The errors table lists no ${status}, so the response may come from something in front of the service.`,
    `${status} without X-Request-Id`,
  );
}

function requestIdsInBody(value: Json | undefined): readonly string[] {
  return textsIn(value).filter((text) => form.test(text));
}

/** Records name the requests that made or changed them, as an audit does; a new record and a refusal know no others. */
function namesOthers(one: Answered, context: Context, ids: readonly string[]): boolean {
  if (ids.every((id) => one.exchange.request.body?.includes(id))) return true;
  if (!isAccepted(one.answer)) return false;
  const { kind, pathFields } = operationOf(context.contract, one.step.operation);
  return kind === 'read' || pathFields.length > 0;
}

export const requestIdClauses: readonly WrittenClause[] = [
  {
    code: 'RID-1',
    level: 'stated',
    text: 'The success response of a command carries X-Request-Id.',
    source: {
      where: 'POST /cases, response header; Command lifecycle, step 3',
      quote: 'HTTP `201`, trace in the `X-Request-Id` response header',
    },
    test: 'Every accepted command of the run must carry the header.',
    violation: '201 without X-Request-Id, or with the ID in the body alone.',
    fix: 'Set the X-Request-Id response header before the success response is sent.',
    applies: commands,
    judges: eachAnswer((one) =>
      isAccepted(one.answer) && find(one.step, 'key-reuse') === undefined
        ? present(one, 'The success response of the command has no request ID.')
        : notApplicable,
    ),
  },
  {
    code: 'RID-2',
    level: 'stated',
    text: 'The request ID is req_ plus an identifier.',
    source: { where: 'Request identifier', quote: 'Begins with `req_`.' },
    test: 'Each X-Request-Id of the run must match ^req_\\S+$.',
    violation: 'REQ_1, req-1, a bare UUID, or req_ alone.',
    fix: 'Issue IDs as req_, in lower case, followed by a unique part.',
    applies: everywhere,
    judges: eachAnswer((one) => {
      const ids = idsOf(one);
      if (ids.length === 0 || clientSentId(one)) return notApplicable;
      const wrong = unfolded(ids).filter((value) => !form.test(value));
      const expected = 'X-Request-Id: req_...';
      const actual = `X-Request-Id: ${ids.join(', ')}`;
      return wrong.length === 0
        ? holds([one], { expected, actual, because: 'The ID has the form of the contract.' })
        : violated([one], {
            expected,
            actual,
            because: `'${wrong[0]}' does not begin with req_ followed by at least one visible character.`,
          });
    }),
  },
  {
    code: 'RID-3',
    level: 'derived',
    text: 'Failure responses carry X-Request-Id.',
    source: {
      where: 'What the service does, 5; Errors, rule 2',
      quote: 'Clients preserve the `X-Request-Id` of every attempt.',
    },
    test: 'Every 401, 403, 409, 422, 429 and 5xx of the run must carry the header. Other refusals that the contract document or a declaration names must carry it too. HTML pages of a gateway do not count.',
    violation:
      'A refusal without X-Request-Id, often because authentication or the limiter runs before the ID is issued.',
    fix: 'Issue the request ID first, before authentication and throttling, and attach it to every response.',
    applies: everywhere,
    judges: eachAnswer((one, context) => {
      const { status } = one.answer;
      // Under another path nothing of the service may have seen the request.
      const { path = 'other-choice' } = one.step;
      const another = find(one.step, 'path-noise') !== undefined;
      // A firewall refuses such paths and headers by itself; what refuses the same caller otherwise is judged there.
      if (another && idsOf(one).length === 0) return notApplicable;
      const noisy = path !== 'other-choice' || another;
      const absent = (status === 404 || status === 410) && !noisy && one.operation.pathFields.length > 0;
      const its = failureStatuses.has(status) || absent || isFailed(one.answer);
      if (!its) return noisy ? notApplicable : elsewhere(one, context);
      if (isGatewayPage(one.answer))
        return inconclusive(
          [one],
          'The response looks like the page of a gateway, not like one of the service.',
        );
      return present(one, 'A failed attempt cannot be traced without a request ID.');
    }),
  },
  {
    code: 'RID-4',
    level: 'derived',
    text: 'Two responses have different request IDs, unless one replays the other.',
    source: {
      where: 'What the service does, 5; Errors, rule 2',
      quote: 'Clients preserve the `X-Request-Id` of every attempt.',
    },
    test: 'All request IDs of the run are compared. A replay may repeat the ID of the first response (open point G3).',
    violation:
      'Two responses have the same ID: it is a constant, or comes from a coarse clock or an unshared counter.',
    fix: 'Make each ID from at least 64 random bits.',
    applies: everywhere,
    judges: { over: 'run', start: uniqueOverRun },
  },
  {
    code: 'RID-5',
    level: 'derived',
    text: 'Responses to parallel commands have different request IDs.',
    source: { where: 'Errors, rule 2', quote: 'Clients preserve the `X-Request-Id` of every attempt.' },
    test: 'Distinct commands are sent at once, and their request IDs are compared.',
    violation:
      'Two responses of one burst have the same ID: it comes from the time, or from a variable that requests share.',
    fix: 'Make the ID at random, and keep it in the context of the request.',
    applies: everywhere,
    judges: {
      over: 'trace',
      needs: ['together'],
      *rule(context, trace) {
        for (const wave of trace.scenario.waves) {
          if (!('steps' in wave) || wave.steps.length < 2) continue;
          const members = new Set(wave.steps.map((step) => step.id));
          const burst = answered(context, trace).filter(
            (one) => members.has(one.step.id) && find(one.step, 'key-reuse') === undefined,
          );
          const keys = new Set(burst.map((one) => keyName(one.step) ?? one.step.id));
          if (burst.length < 2 || keys.size !== burst.length) continue;
          const ids = burst.flatMap(idsOf);
          if (ids.length === 0) continue;
          const clash = burst
            .map((one) => burst.filter((other) => idsOf(other).some((id) => idsOf(one).includes(id))))
            .find((sharing) => sharing.length > 1);
          const expected = 'different IDs in one burst';
          if (clash === undefined)
            yield holds(burst, {
              expected,
              actual: ids.join(', '),
              because: 'All IDs of the burst differ.',
            });
          else
            yield violated(clash, {
              expected,
              actual: clash.flatMap(idsOf).join(', '),
              because: 'Two distinct commands that were sent at once have the same request ID.',
              conclusive: true,
            });
        }
      },
    },
  },
  {
    code: 'RID-6',
    level: 'derived',
    text: 'A response has exactly one request ID.',
    source: { where: 'Request identifier', quote: 'response header, string' },
    test: 'Header lines are counted as received, and values joined by a comma are split.',
    violation:
      'Two X-Request-Id lines with different values, often one from a gateway and one from the service.',
    fix: 'Let one layer own the header and have the others leave it alone.',
    applies: everywhere,
    judges: eachAnswer((one) => {
      const ids = idsOf(one);
      if (ids.length === 0 || clientSentId(one)) return notApplicable;
      const values = unfolded(ids);
      const expected = 'one X-Request-Id value';
      const actual = `X-Request-Id: ${ids.join(' | ')}`;
      return new Set(values).size === 1
        ? holds([one], {
            expected,
            actual,
            because: 'There is one value.',
            advisory: values.length > 1 ? 'the same request ID is in several field lines' : undefined,
          })
        : violated([one], {
            expected,
            actual,
            because: 'There are several values, so it is unclear which one traces the request.',
          });
    }),
  },
  {
    code: 'RID-7',
    level: 'derived',
    text: 'The request ID has the req_ form even if the client sends its own X-Request-Id.',
    source: { where: 'Request identifier', quote: 'Begins with `req_`.' },
    test: 'A valid command is sent with an X-Request-Id that does not have the form of the contract.',
    violation: 'The response has the value that the client sent.',
    fix: 'Issue your own ID; adopt one from the client only if it has the req_ form.',
    applies: everywhere,
    judges: about('header-noise').eachAnswer((one, context, trace) => {
      const ids = idsOf(one);
      if (!clientSentId(one) || ids.length === 0) return notApplicable;
      const expected = 'X-Request-Id: req_..., whatever the client sent';
      const actual = `X-Request-Id: ${ids.join(', ')}`;
      const [sent = ''] = headerValues(one.exchange.request.headers, 'x-request-id');
      if (sent !== '' && !form.test(sent) && ids.some((id) => id.includes(sent)))
        return violated([one], { expected, actual, because: 'The ID contains what the client sent.' });
      if (ids.every((id) => form.test(id)))
        return holds([one], { expected, actual, because: 'The ID has the form of the contract.' });
      // Where no ID has the form, the client displaced none: that is for RID-2.
      const others = answered(context, trace).filter(
        (other) => !clientSentId(other) && idsOf(other).length > 0,
      );
      const plain = others.find((other) => idsOf(other).every((id) => form.test(id)));
      if (plain !== undefined)
        return violated([one, plain], {
          expected,
          actual,
          because: 'The ID breaks the form of the contract when the client sends an ID, but not otherwise.',
        });
      return others.length > 0
        ? notApplicable
        : inconclusive([one], 'No response to a request without the header shows which form IDs have.');
    }),
  },
  {
    code: 'RID-8',
    level: 'advisory',
    text: 'A request ID in the body equals the one in the header.',
    source: { where: 'Errors, rule 2', quote: 'Clients preserve the `X-Request-Id` of every attempt.' },
    test: 'Values in the body of a refusal, or of a command without a target, that begin with req_ are compared with the header.',
    violation: 'The request ID in the body differs from the one in the header.',
    fix: 'Render both from the same variable.',
    applies: everywhere,
    judges: eachAnswer((one, context) => {
      // An escape may hide the prefix.
      if (!/req_|\\u/.test(one.answer.body)) return notApplicable;
      const inBody = requestIdsInBody(jsonOf(one.answer));
      const ids = idsOf(one);
      if (inBody.length === 0 || ids.length === 0) return notApplicable;
      const expected = `the ID of the header: ${ids.join(', ')}`;
      const actual = `in the body: ${inBody.join(', ')}`;
      if (inBody.every((id) => ids.includes(id)))
        return holds([one], { expected, actual, because: 'Body and header agree.' });
      const others = inBody.filter((id) => !ids.includes(id));
      // A replay may show the ID of the attempt that it replays.
      return find(one.step, 'key-reuse') === undefined && !namesOthers(one, context, others)
        ? violated([one], { expected, actual, because: 'Body and header name different request IDs.' })
        : notApplicable;
    }),
  },
  {
    code: 'RID-9',
    level: 'derived',
    text: 'Reads carry X-Request-Id as well.',
    source: {
      where: 'What the service does, 3 and 5',
      quote: "A command's result is typed and carries a request ID for tracing.",
    },
    test: 'Every accepted read of the run must carry the header.',
    violation: '200 to a GET without X-Request-Id.',
    fix: 'Attach the ID in a layer that every operation passes through, not in command handlers.',
    applies: reads,
    judges: eachAnswer((one) =>
      isAccepted(one.answer)
        ? present(one, 'The success response of the read has no request ID.')
        : notApplicable,
    ),
  },
];
