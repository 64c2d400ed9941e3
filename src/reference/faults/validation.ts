import { isArray, isObject, type Json } from '../../model/json.ts';
import { problem } from '../answer.ts';
import type { Call } from '../behaviour.ts';
import { bodyValue } from '../body.ts';
import { conforming } from '../conforming.ts';
import { commit } from '../execute.ts';
import type { Mismatch } from '../message.ts';
import type { SeededFault } from './fault.ts';

function missingAnsweredWith(status: number): SeededFault['change'] {
  return {
    refuseInvalid: (call, findings) => {
      const usual = conforming.refuseInvalid(call, findings);
      return findings.some((one) => one.in === 'body' && one.at !== '' && one.keyword === 'required') &&
        usual.kind === 'problem'
        ? { ...usual, status }
        : usual;
    },
  };
}

function coercing(change: (value: Json, call: Call) => Json): SeededFault['change'] {
  return {
    coerce: (call, value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, call)]))
        : value,
  };
}

const membersOf = (call: Call): readonly string[] => {
  const schema = call.operation.body?.schema;
  return schema === undefined ? [] : [...call.service.schemas.membersOf(schema).keys()];
};

/** What follows wherever an invalid body is taken. */
const taken = 'VAL-3 VAL-4 VAL-5 VAL-7 VAL-8 VAL-9 VAL-10 PRE-3 PRE-4 ERR-1';

export const validationFaults: readonly SeededFault[] = [
  {
    id: 'V01',
    describes: 'A missing member returns 400.',
    breaks: 'VAL-1',
    // A member of another type may leave no branch of oneOf but one that misses a member.
    also: 'VAL-2 VAL-9 VAL-10 VAL-11 PRE-3 PRE-4',
    change: missingAnsweredWith(400),
  },
  {
    id: 'V02',
    describes: 'A missing member is treated as null.',
    breaks: 'VAL-1',
    also: taken,
    change: {
      coerce: (_, value) =>
        isObject(value) && value['subject'] === undefined ? { ...value, subject: '(none)' } : value,
    },
  },
  {
    id: 'V03',
    describes: 'Scalars are coerced to strings.',
    breaks: 'VAL-2',
    also: taken,
    change: {
      coerce: (_, value) =>
        isObject(value) && ['number', 'boolean'].includes(typeof value['subject'])
          ? { ...value, subject: String(value['subject']) }
          : value,
    },
  },
  {
    id: 'V05',
    describes: 'An array is joined into a string.',
    breaks: 'VAL-2',
    // What is wrong in an item of it is no longer named.
    also: `${taken} VAL-11`,
    change: coercing((value) => (isArray(value) ? `(${value.join()})` : value)),
  },
  {
    id: 'V06',
    describes: 'An object in place of a string makes the service fail.',
    breaks: 'VAL-2 ERR-1',
    also: taken,
    change: {
      validateBody: (call, value, schema) => {
        if (isObject(value) && isObject(value['subject'])) throw new Error('subject.trim is not a function');
        return conforming.validateBody(call, value, schema);
      },
    },
  },
  {
    id: 'V07',
    describes: 'The 422 names no field.',
    breaks: 'VAL-3',
    also: 'VAL-4 VAL-11 VAL-12',
    change: { refuseInvalid: () => problem(422, 'The request is invalid.') },
  },
  {
    id: 'V09',
    describes: 'The list of errors is empty.',
    breaks: 'VAL-3',
    also: 'VAL-4 VAL-11 VAL-12',
    change: { refuseInvalid: () => problem(422, 'The request is invalid.', { members: { errors: [] } }) },
  },
  {
    id: 'V11',
    describes: 'The 422 names every member of the schema.',
    breaks: 'VAL-5',
    also: 'VAL-3 VAL-4 VAL-11',
    change: {
      reportFindings: (call, findings) =>
        membersOf(call).map(
          (name): Mismatch => ({
            in: 'body',
            at: `/${name}`,
            keyword: findings[0]?.keyword ?? 'type',
            message: 'is wrong',
          }),
        ),
    },
    operations: ['createContact'],
  },
  {
    id: 'V12',
    describes: 'Only the first of several wrong fields is named.',
    breaks: 'VAL-4',
    change: { reportFindings: (_, findings) => findings.slice(0, 1) },
    operations: ['createContact'],
  },
  {
    id: 'V13',
    describes: 'An array is accepted as the body.',
    breaks: 'VAL-6',
    also: 'ERR-1 VAL-2 VAL-7',
    change: { coerce: (_, value) => (isArray(value) ? { subject: 'from an array' } : value) },
  },
  {
    id: 'V15',
    describes: 'The record is written before the body is validated.',
    breaks: 'VAL-7',
    also: 'VAL-6 VAL-10 PRE-3 ERR-1',
    change: {
      onRefusal: (call, refused) => {
        if (refused.status !== 422 || !refused.findings.some((one) => one.in === 'body')) return;
        const value = bodyValue(call);
        const subject = isObject(value) ? (value['subject'] ?? null) : (value ?? null);
        call.parsed = {
          ok: true,
          value: { subject: typeof subject === 'string' ? subject : JSON.stringify(subject) },
        };
        commit(call);
      },
    },
  },
  {
    id: 'V16',
    describes: 'A 422 is stored under its key and returned for the corrected body.',
    breaks: 'VAL-9',
    change: {
      keep: (call, answer) => (answer.status === 422 ? answer : conforming.keep(call, answer)),
      matches: (call, entry, fingerprint) =>
        entry.answer?.status === 422 || conforming.matches(call, entry, fingerprint),
    },
  },
  {
    id: 'V17',
    describes: 'A query field of the wrong type makes the service fail.',
    breaks: 'VAL-12 ERR-1',
    also: 'PRE-4 RDS-6',
    change: {
      validateQuery: (call) => {
        const findings = conforming.validateQuery(call);
        if (findings.length > 0) throw new Error('NaN is no limit');
        return findings;
      },
    },
    operations: ['listCases'],
  },
  {
    id: 'V18',
    describes: 'An invalid query field is ignored.',
    breaks: 'VAL-12',
    also: 'RDS-5 ERR-1 PRE-4',
    change: { validateQuery: () => [] },
    operations: ['listCases'],
  },
  {
    id: 'V19',
    describes: 'Malformed JSON makes the service fail.',
    breaks: 'VAL-13 ERR-1',
    also: 'PRE-4',
    change: { refuseSyntax: () => problem(500, 'Unexpected end of JSON input') },
  },
  {
    id: 'V21',
    describes: 'Non-ASCII text makes the service fail.',
    breaks: 'VAL-15',
    also: 'ERR-1 CMD-1 IDM-17 RDS-1 VAL-2',
    change: {
      validateBody: (call, value, schema) => {
        if (/[^\x00-\x7f]/.test(JSON.stringify(value))) throw new Error('incorrect string value');
        return conforming.validateBody(call, value, schema);
      },
    },
  },
  {
    id: 'V23',
    describes: 'An invalid request returns 200 with an error in the body.',
    breaks: 'ERR-1 VAL-1',
    also: `${taken} VAL-2 VAL-6 VAL-11 IDM-1 IDM-2 IDM-3 IDM-25 VAL-13 CMD-1 CMD-2 CMD-3 CMD-4 PRE-4`,
    change: {
      renderProblem: (incoming, refused) =>
        conforming.renderProblem(incoming, refused.status === 422 ? { ...refused, status: 200 } : refused),
    },
  },
  {
    id: 'V24',
    describes: 'A missing member returns 409.',
    breaks: 'VAL-1',
    also: 'VAL-2 VAL-9 VAL-10 VAL-11 PRE-3 PRE-4',
    change: missingAnsweredWith(409),
  },
  {
    id: 'V60',
    describes: "After a 422, the caller's next request is refused even if it is valid.",
    breaks: 'VAL-8',
    also: [
      // A refusal of what came before may meet any command, with whatever fault of its own.
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 25].map(
        (number) => `IDM-${number}`,
      ),
      ...['PRM-2', 'PRM-6', 'AUT-10', 'CMD-1', 'CMD-6', 'THR-6', 'PRE-3'],
      ...[1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15].map((number) => `VAL-${number}`),
    ],
    change: {
      validateBody: (call, value, schema) => {
        const { notes } = call.service;
        const findings = conforming.validateBody(call, value, schema);
        const name = `refused ${call.principal?.name}`;
        const before = notes.get(name) === true;
        notes.set(name, findings.length > 0);
        return findings.length === 0 && before
          ? [{ in: 'body', at: '/subject', keyword: 'type', message: 'is wrong still' }]
          : findings;
      },
    },
    operations: ['createContact'],
  },
  {
    id: 'V61',
    describes: 'An invalid request is accepted the second time.',
    breaks: 'VAL-10',
    also: 'VAL-7 ERR-1',
    change: {
      validateBody: (call, value, schema) => {
        const { notes } = call.service;
        const findings = conforming.validateBody(call, value, schema);
        const name = `invalid ${call.request.headers.find(([field]) => field.toLowerCase() === 'idempotency-key')?.[1]}`;
        if (findings.length === 0 || notes.get(name) === true) return [];
        notes.set(name, true);
        return findings;
      },
    },
  },
  {
    id: 'V62',
    describes: 'The 422 does not name nested members.',
    breaks: 'VAL-11',
    also: 'VAL-3 VAL-4',
    change: {
      reportFindings: (_, findings) =>
        findings.map((one) => ({ ...one, at: one.at.split('/').slice(0, 2).join('/') })),
    },
    operations: ['createContact'],
  },
  {
    id: 'V63',
    describes: 'Another media type makes the service fail.',
    breaks: 'VAL-14',
    also: 'PRE-4',
    change: {
      refuseMediaType: (call) =>
        conforming.refuseMediaType(call) === undefined ? undefined : problem(500, 'no parser'),
    },
  },
];
