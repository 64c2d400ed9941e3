import { knownNames } from '../../generate/index.ts';
import { isObject, type Json, pointerTokens } from '../../model/json.ts';
import type { Incoming } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import type { Mismatch, Problem } from '../message.ts';
import type { SeededVariant } from './variant.ts';

/** Another shape of error bodies, made of the findings. */
function shape(
  body: (incoming: Incoming, refused: Problem) => Json,
  mediaType = 'application/json',
): SeededVariant['change'] {
  return { problemBody: body, problemMediaType: mediaType };
}

const names = ({ at }: Mismatch): readonly string[] =>
  at.startsWith('/') ? pointerTokens(at) : at === '' ? [] : [at];

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const errorVariants: readonly SeededVariant[] = [
  {
    id: 'W19',
    group: 'error shape',
    describes: "Errors are problem+json with errors[].pointer '#/subject'.",
    change: shape(
      (_, { findings, ...refused }) => ({
        type: 'about:blank',
        title: refused.title,
        status: refused.status,
        detail: refused.detail,
        ...refused.members,
        errors: findings.map(({ at, message }) => ({ pointer: `#${at}`, detail: message })),
      }),
      'application/problem+json',
    ),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W20',
    group: 'error shape',
    describes: "Errors are { errors: { Subject: ['...'] } }, in ASP.NET casing.",
    change: shape((_, { findings, status, title, members }) => ({
      title,
      status,
      ...members,
      errors: Object.fromEntries(
        findings.map((finding) => [
          names(finding).map(pascal).join('.') || 'Body',
          [`The field ${finding.message}.`],
        ]),
      ),
    })),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W21',
    group: 'error shape',
    describes: "Errors are { detail: [{ loc: ['body', 'subject'], ... }] }, as in FastAPI.",
    change: shape((_, { findings, detail, members }) => ({
      ...members,
      detail:
        findings.length === 0
          ? detail
          : findings.map((finding) => ({
              loc: [finding.in, ...names(finding)],
              msg: finding.message,
              type: `value_error.${finding.keyword}`,
            })),
    })),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W23',
    group: 'error shape',
    describes: "Errors are one message: body must have required property 'subject'.",
    change: shape((_, { findings, status, title, detail, members }) => {
      const [first] = findings;
      const path = first === undefined ? [] : names(first);
      const message =
        first === undefined
          ? detail
          : first.keyword === 'required'
            ? `body${path.length > 1 ? `/${path.slice(0, -1).join('/')}` : ''} must have required property '${path.at(-1) ?? ''}'`
            : `${first.in === 'body' ? 'body' : 'querystring'}/${path.join('/')} ${first.message}`;
      return { statusCode: status, error: title, message, ...members };
    }),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W26',
    group: 'findings',
    describes: 'A 422 stops at the first field.',
    change: { reportFindings: (_, findings) => findings.slice(0, 1) },
    operations: ['createContact'],
  },
  {
    id: 'W27b',
    group: 'unknown fields',
    describes: 'Unknown fields in body or query return 422.',
    change: {
      validateQuery: (call) => {
        const isKnown = (sent: string): boolean =>
          call.operation.queryFields.some(
            ({ explode, name, schema, style }) =>
              sent === name ||
              (style === 'deepObject'
                ? sent.startsWith(`${name}[`)
                : explode !== false && call.service.schemas.membersOf(schema).has(sent)),
          );
        const strange = [...call.request.query.keys()].filter((name) => !isKnown(name));
        return [
          ...conforming.validateQuery(call),
          ...strange.map(
            (name): Mismatch => ({ in: 'query', at: name, keyword: 'unknown', message: 'is not known' }),
          ),
        ];
      },
      validateBody: (call, value, schema) => {
        const known = knownNames(schema);
        const sent = isObject(value) && !known.free ? Object.keys(value) : [];
        const strange = sent.filter((name) => !known.names.has(name));
        return [
          ...conforming.validateBody(call, value, schema),
          ...strange.map(
            (name): Mismatch => ({
              in: 'body',
              at: `/${name}`,
              keyword: 'additionalProperties',
              message: 'is not known',
            }),
          ),
        ];
      },
    },
    declares: { G7: 'refuse' },
    operations: ['createCase', 'listCases'],
  },
];
