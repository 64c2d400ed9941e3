import type { Clause, Context } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { isArray, isObject, type Json, valueAt } from '../model/json.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  jsonOf,
  only,
  ruling,
  summary,
} from './reading.ts';
import { eachAnswer, guarded, reads, refusal } from './rules.ts';

const shape = {
  where: 'What the service does, 3',
  quote: 'Read operations (GET) state their permission, query fields, pagination and response shape.',
};
const scope = {
  where: 'Authentication, 2',
  quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
};

const listing = (contract: Contract, operation: Operation): boolean =>
  reads(contract, operation) && operation.pagination !== undefined;
const filtering = (contract: Contract, operation: Operation): boolean =>
  reads(contract, operation) && operation.queryFields.some((field) => field.filters !== undefined);

/** The items of a list answer. */
export function itemsOf(one: Answered): readonly Json[] {
  const items = valueAt(jsonOf(one.answer), one.operation.pagination?.items ?? '/items');
  return isArray(items) ? items : [];
}

/** Ids of records that accepted commands of this trace returned. */
function createdIds(context: Context, trace: Trace, as?: (name: string) => boolean): readonly string[] {
  return answered(context, trace).flatMap((one) => {
    const id =
      one.operation.kind === 'command' && isAccepted(one.answer) && (as === undefined || as(one.step.as))
        ? idOf(one.operation, one.answer)
        : undefined;
    return id === undefined ? [] : [id];
  });
}

function itemId(item: Json): string | undefined {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function pagesOf(context: Context, trace: Trace): readonly Answered[] {
  return answered(context, trace).filter(
    (one) =>
      one.operation.pagination !== undefined &&
      one.step.role === 'probe' &&
      one.exchange.step === one.step.id &&
      only(one.step, 'cursor') === undefined &&
      faultsOf(one.step).length === 0,
  );
}

export const readClauses: readonly Clause[] = [
  {
    code: 'RDS-1',
    level: 'stated',
    text: 'A read with its permission succeeds in the declared shape.',
    source: shape,
    explain: {
      test: 'Each read is sent by a holder of its permission; status and body are compared with the contract document.',
      violation: 'Another status, or a body that departs from the schema.',
      fix: 'Return what is published.',
    },
    applies: reads,
    judges: [
      eachAnswer((one, context) => {
        if (one.operation.kind !== 'read' || faultsOf(one.step).length > 0 || !isAccepted(one.answer))
          return undefined;
        const body = jsonOf(one.answer);
        const schema = one.operation.success.schema;
        const errors =
          schema === undefined || one.answer.truncated
            ? []
            : body === undefined
              ? [{ pointer: '', message: 'is not JSON' }]
              : context.schemaErrors(schema, body);
        const status = one.answer.status === one.operation.success.status;
        const [error] = errors;
        return ruling([one], {
          verdict: status && error === undefined ? 'holds' : 'violated',
          expected: `${one.operation.success.status} in the declared shape`,
          actual: summary(one.exchange),
          because: !status
            ? 'The contract declares another status.'
            : error === undefined
              ? 'As declared.'
              : `${error.pointer === '' ? 'the body' : error.pointer} ${error.message}.`,
        });
      }),
    ],
  },
  {
    code: 'RDS-2',
    level: 'stated',
    text: 'A read without its permission is answered 403.',
    source: { where: 'What the service does, 3; Authentication, 2', quote: scope.quote },
    explain: {
      test: 'Each read is sent by a principal without its permission.',
      violation: 'It is served, or refused in another class.',
      fix: 'Guard reads as commands are guarded.',
    },
    applies: (contract, operation) => reads(contract, operation) && guarded(contract, operation),
    judges: [
      refusal(
        (step, context) =>
          only(step, 'permission') !== undefined &&
          context.contract.operations.some(
            (operation) => operation.id === step.operation && operation.kind === 'read',
          ),
      ),
    ],
  },
  {
    code: 'RDS-3',
    level: 'derived',
    text: 'Filter fields filter.',
    source: shape,
    explain: {
      test: 'Marked records are made, and the list is asked for one of them by each filter.',
      violation: 'Records are listed that the filter excludes.',
      fix: 'Apply every published query field.',
    },
    applies: filtering,
    judges: [
      eachAnswer((one) => {
        if (one.operation.kind !== 'read' || !isAccepted(one.answer) || faultsOf(one.step).length > 0)
          return undefined;
        const query = new URLSearchParams(one.exchange.request.path.split('?')[1] ?? '');
        const filters = one.operation.queryFields.flatMap((field) =>
          field.filters !== undefined && query.has(field.name)
            ? [{ field, wanted: query.get(field.name) ?? '' }]
            : [],
        );
        if (filters.length === 0) return undefined;
        const items = itemsOf(one);
        const stray = items.find((item) =>
          filters.some(({ field, wanted }) => String(valueAt(item, field.filters ?? '')) !== wanted),
        );
        return ruling([one], {
          verdict: stray === undefined ? 'holds' : 'violated',
          expected: `only records with ${filters.map(({ field, wanted }) => `${field.name}=${wanted}`).join(', ')}`,
          actual:
            stray === undefined ? `${items.length} matching records` : JSON.stringify(stray).slice(0, 160),
          because:
            stray === undefined
              ? 'All listed records match.'
              : 'A record is listed that the filter excludes.',
        });
      }),
    ],
  },
  {
    code: 'RDS-4',
    level: 'derived',
    text: 'Paging loses nothing, repeats nothing, and ends.',
    source: shape,
    explain: {
      test: 'Records are made and paged through with a small page; only the records made by the probe are compared.',
      violation: 'A record is missing or listed twice, or the pages go on for ever.',
      fix: 'Page by a stable order and a cursor behind the last record.',
    },
    applies: listing,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const walk = pagesOf(context, trace).filter((one) => one.exchange.step.startsWith('page'));
          const [first] = walk;
          if (first === undefined) return;
          const base = { expected: 'each record once, and an end' };
          const failed = walk.find((one) => !isAccepted(one.answer));
          if (failed !== undefined) {
            yield ruling([failed], {
              ...base,
              verdict: 'inconclusive',
              actual: summary(failed.exchange),
              because: 'A page could not be read.',
            });
            return;
          }
          const created = new Set(createdIds(context, trace));
          const listed = walk.flatMap(itemsOf).flatMap((item) => itemId(item) ?? []);
          const mine = listed.filter((id) => created.has(id));
          const twice = mine.find((id, index) => mine.indexOf(id) !== index);
          const ended = walk.at(-1);
          const more =
            ended === undefined || ended.operation.pagination?.next === undefined
              ? undefined
              : valueAt(jsonOf(ended.answer), ended.operation.pagination.next);
          const endless = more !== undefined && more !== null && more !== '' && endlessly(walk);
          const lost = [...created].find((id) => !mine.includes(id));
          const complete = more === undefined || more === null || more === '';
          yield ruling(walk.slice(0, 12), {
            ...base,
            verdict:
              twice !== undefined || endless || (complete && lost !== undefined)
                ? 'violated'
                : complete
                  ? 'holds'
                  : 'inconclusive',
            actual:
              twice !== undefined
                ? `${twice} twice`
                : endless
                  ? 'the same page again and again'
                  : complete && lost !== undefined
                    ? `${lost} on no page`
                    : `${mine.length} records on ${walk.length} pages`,
            because:
              twice !== undefined
                ? 'A record stands on two pages.'
                : endless
                  ? 'The cursor leads back to a page that was read.'
                  : complete && lost !== undefined
                    ? 'A record that was made before is on no page.'
                    : complete
                      ? 'The pages are whole.'
                      : 'The end was not reached within the budget.',
          });
        },
      },
    ],
  },
  {
    code: 'RDS-5',
    level: 'derived',
    text: 'A page is never larger than was asked for.',
    source: shape,
    explain: {
      test: 'Lists are asked for with a small limit.',
      violation: 'More records than the limit.',
      fix: 'Apply the limit (a lower cap of your own is fine).',
    },
    applies: listing,
    judges: [
      eachAnswer((one) => {
        const limit = one.operation.pagination?.limit;
        if (limit === undefined || !isAccepted(one.answer) || faultsOf(one.step).length > 0) return undefined;
        const asked = new URLSearchParams(one.exchange.request.path.split('?')[1] ?? '').get(limit);
        if (asked === null || !/^\d+$/.test(asked)) return undefined;
        const count = itemsOf(one).length;
        return ruling([one], {
          verdict: count <= Number(asked) ? 'holds' : 'violated',
          expected: `at most ${asked} records`,
          actual: `${count} records`,
          because:
            count <= Number(asked)
              ? 'The page is within the limit.'
              : 'The page is larger than was asked for.',
        });
      }),
    ],
  },
  {
    code: 'RDS-6',
    level: 'derived',
    text: "A tampered or foreign cursor gets 4xx or the caller's own data, never 5xx.",
    source: shape,
    explain: {
      test: 'A made-up cursor, a changed one and that of another scope are sent.',
      violation: '5xx, or data of another scope.',
      fix: 'Sign cursors, or validate them, and apply the scope to every page.',
    },
    applies: listing,
    judges: [
      eachAnswer((one, context, trace) => {
        const fault = only(one.step, 'cursor');
        if (fault === undefined || one.answer.status === 429) return undefined;
        const scopes = new Map(context.principals.map((principal) => [principal.name, principal.scope]));
        const foreign = createdIds(context, trace, (name) => scopes.get(name) !== scopes.get(one.step.as));
        const leaked = itemsOf(one).find((item) => foreign.includes(itemId(item) ?? ''));
        const bad = one.answer.status >= 500 || leaked !== undefined;
        return ruling([one], {
          verdict: bad ? 'violated' : 'holds',
          expected: '4xx, or own data',
          actual: summary(one.exchange),
          because:
            one.answer.status >= 500
              ? 'The service fails on a cursor.'
              : leaked !== undefined
                ? 'The cursor opens data of another scope.'
                : 'Refused, or own data.',
          ...(leaked !== undefined ? { conclusive: true } : {}),
        });
      }),
    ],
  },
  {
    code: 'RDS-7',
    level: 'derived',
    text: 'Records of another scope are in no list and no read.',
    source: scope,
    explain: {
      test: 'A record is made in one scope, and a principal of another scope lists and reads.',
      violation: 'The record is shown.',
      fix: 'Apply the scope to every query.',
    },
    applies: (contract, operation) => reads(contract, operation) && guarded(contract, operation),
    judges: [
      eachAnswer((one, context, trace) => {
        if (one.operation.kind !== 'read' || one.step.role !== 'probe') return undefined;
        if (!isAccepted(one.answer))
          return only(one.step, 'scope') !== undefined && [403, 404].includes(one.answer.status)
            ? ruling([one], {
                verdict: 'holds',
                expected: 'no record of another scope',
                actual: summary(one.exchange),
                because: 'The record of the other scope is refused.',
              })
            : undefined;
        const scopes = new Map(context.principals.map((principal) => [principal.name, principal.scope]));
        const foreign = createdIds(context, trace, (name) => scopes.get(name) !== scopes.get(one.step.as));
        if (foreign.length === 0) return undefined;
        const leaked = foreign.find((id) => one.answer.body.includes(`"${id}"`));
        return ruling([one], {
          verdict: leaked === undefined ? 'holds' : 'violated',
          expected: 'no record of another scope',
          actual: leaked === undefined ? 'none' : leaked,
          because:
            leaked === undefined
              ? 'Nothing of the other scope is shown.'
              : 'The answer shows a record of another scope.',
          ...(leaked === undefined ? {} : { conclusive: true }),
        });
      }),
    ],
  },
  {
    code: 'RDS-8',
    level: 'derived',
    text: 'Reads have no effect and do not use up keys.',
    source: shape,
    explain: {
      test: 'A read is sent with a key, and a command with the same key after it; the list is compared before and after reads.',
      violation: 'The command is refused, or records appear.',
      fix: 'Keep reads free of effects, and of the deduplication of commands.',
    },
    applies: reads,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = answered(context, trace);
          for (const read of all) {
            if (read.operation.kind !== 'read' || read.step.key.use !== 'named' || read.step.role !== 'probe')
              continue;
            const name = read.step.key.name;
            const command = all.find(
              (one) =>
                one.operation.kind === 'command' &&
                one.step.key.use === 'named' &&
                one.step.key.name === name,
            );
            if (command !== undefined && command.answer.status !== 429) {
              const fresh = all.find(
                (one) => one.step.controls === command.step.id && isAccepted(one.answer),
              );
              const fine = isAccepted(command.answer);
              yield ruling([read, command], {
                verdict: fine ? 'holds' : fresh !== undefined ? 'violated' : 'inconclusive',
                expected: '2xx to a command under the key of a read',
                actual: summary(command.exchange),
                because: fine
                  ? 'The read left the key free.'
                  : 'The command is refused under the key that a read bore.',
              });
            }
          }
          const lists = all.filter(
            (one) =>
              one.operation.pagination !== undefined &&
              one.step.id.startsWith('count') &&
              isAccepted(one.answer),
          );
          const [before, after] = lists;
          if (before === undefined || after === undefined) return;
          const one = itemsOf(before).length;
          const other = itemsOf(after).length;
          const same = one === other;
          yield {
            ...ruling(
              [
                all.find((each) => each.step.role === 'probe' && each.operation.kind === 'read') ?? before,
                before,
                after,
              ],
              {
                verdict: same ? 'holds' : 'violated',
                expected: `${one} records`,
                actual: `${other} records`,
                because: same
                  ? 'The reads between made no record.'
                  : 'There are more records after reads than before.',
              },
            ),
          };
        },
      },
    ],
  },
];

/** True where a page shows the very records of an earlier one: the cursor leads in a circle. */
function endlessly(walk: readonly Answered[]): boolean {
  const pages = walk.map((one) => itemsOf(one).map(itemId).join());
  return pages.some((page, index) => page !== '' && pages.indexOf(page) !== index);
}
