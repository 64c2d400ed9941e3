import type { Clause } from '../../model/clause.ts';
import { foreignSigns, shape } from '../judging/listing.ts';
import {
  answered,
  faultsOf,
  isAccepted,
  jsonOf,
  keyName,
  only,
  ruling,
  summary,
} from '../judging/reading.ts';
import { eachAnswer, guarded, reads, refusal } from '../judging/rules.ts';

const scope = {
  where: 'Authentication, 2',
  quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
};

/** Single answers to reads: shape, permission, scope, and no effect. */
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
        if (faultsOf(one.step).length > 0 || !isAccepted(one.answer)) return undefined;
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
    judges: [refusal((step) => only(step, 'permission') !== undefined)],
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
        if (one.step.role !== 'probe') return undefined;
        if (!isAccepted(one.answer))
          return only(one.step, 'scope') !== undefined && [403, 404].includes(one.answer.status)
            ? ruling([one], {
                verdict: 'holds',
                expected: 'no record of another scope',
                actual: summary(one.exchange),
                because: 'The record of the other scope is refused.',
              })
            : undefined;
        const foreign = foreignSigns(context, trace, one.step.as);
        if (foreign.length === 0) return undefined;
        const leaked = foreign.find((sign) => one.answer.body.includes(sign))?.replaceAll('"', '');
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
      test: 'A read is sent with a key, and a command with the same key after it.',
      violation: 'The command is refused as a conflict: the read took up its key.',
      fix: 'Keep reads free of effects, and of the deduplication of commands.',
    },
    applies: reads,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = answered(context, trace);
          for (const read of all) {
            const name = keyName(read.step);
            if (name === undefined || read.step.role !== 'probe') continue;
            const command = all.find((one) => one.operation.kind === 'command' && keyName(one.step) === name);
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
        },
      },
    ],
  },
];
