import { isObject, parseJson } from '../../model/json.ts';
import { bodyValue } from '../body.ts';
import { conforming } from '../conforming.ts';
import { headerValues } from '../message.ts';
import type { SeededVariant } from './variant.ts';

/** Legal ways to speak HTTP: the case of the scheme, further fields and headers, chunks. */
export const httpVariants: readonly SeededVariant[] = [
  {
    id: 'W38b',
    group: 'scheme',
    describes: "The scheme 'bearer' in lower case is refused.",
    change: {
      readCredential: (call) =>
        headerValues(call.request, 'Authorization').some((line) => line.startsWith('Bearer '))
          ? conforming.readCredential(call)
          : { fault: headerValues(call.request, 'Authorization').length === 0 ? 'absent' : 'malformed' },
    },
  },
  {
    id: 'W39',
    group: 'form',
    describes: 'Responses have extra fields and headers, come in chunks, and close the connection.',
    change: {
      renderSuccess: (call, result) => {
        const answer = conforming.renderSuccess(call, result);
        const body = parseJson(String(answer.body ?? ''));
        return isObject(body) && bodyValue(call) !== undefined
          ? { ...answer, body: JSON.stringify({ ...body, _links: { self: '/cases/1' } }, null, 2) }
          : answer;
      },
      finish: (_, answer) => ({
        ...answer,
        chunked: true,
        headers: [
          ...answer.headers,
          ['Server', 'x/1'],
          ['Cache-Control', 'no-store'],
          ['Connection', 'close'],
        ],
      }),
    },
    operations: ['createCase', 'listCases'],
  },
];
