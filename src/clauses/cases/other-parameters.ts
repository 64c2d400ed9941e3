import { says } from './says.ts';
import { type Case, type Line, type Part, reuse } from './trace.ts';

const asked = (name: string) => ({ kind: 'parameter', name }) as const;
/** `site=berlin` first, then `site=osaka` under the key and under another one. */
const trace = (
  name: string,
  {
    again,
    body,
    control = 201,
  }: { readonly again: number; readonly body: Line['body']; readonly control?: number },
): readonly Part[] => [
  {
    id: 'first',
    status: 201,
    asks: [[name, 'berlin']],
    deviations: [asked(name)],
    body: { id: 'case_1', status: 'open', [name]: 'berlin' },
  },
  {
    id: 'again',
    role: 'test',
    key: 'first',
    status: again,
    asks: [[name, 'osaka']],
    deviations: [reuse('first', 'parameter'), asked(name)],
    ...(body === undefined ? {} : { body }),
  },
  {
    id: 'control',
    controls: 'again',
    name: 'other',
    status: control,
    asks: [[name, 'osaka']],
    deviations: [asked(name)],
    body: { id: 'case_2', status: 'open', [name]: 'osaka' },
  },
];

const stored = (name: string) => ({ id: 'case_1', status: 'open', [name]: 'berlin' });
const idsOnly = 'holds again (ids only)';

/** A case is closed, and under the key of that reopened. */
const reopened = (...states: readonly [after: string, later: string, again?: number]): readonly Part[] => {
  const [after, later, again = 200] = states;
  const on = { operation: 'closeCase', on: 'made' } as const;
  const state = (observes: 'before' | 'after' | 'later', status: string): Line => ({
    id: observes,
    observes,
    role: 'readback',
    operation: 'getCase',
    on: 'made',
    status: 200,
    body: { id: 'case_0', status },
  });
  const other = { ...on, path: 'other-choice', name: 'other' } as const;
  return [
    { id: 'made', role: 'setup', status: 201, result: 'case_0' },
    { id: 'first', ...on, status: 200, deviations: [asked('path')] },
    state('before', 'closed'),
    {
      ...other,
      id: 'again',
      role: 'test',
      key: 'first',
      status: again,
      deviations: [reuse('first', 'parameter'), asked('path')],
    },
    state('after', after),
    { ...other, id: 'control', controls: 'again', status: 200, deviations: [asked('path')] },
    state('later', later),
  ];
};

export const otherParameterCases: readonly Case[] = [
  says(
    'IDM-6',
    'another value of a parameter: 409',
    trace('site', { again: 409, body: { error: 'conflict' } }),
    'holds again first',
    idsOnly,
  ),
  says(
    'IDM-6',
    'another value of a parameter: the result of the first, which shows its value',
    trace('site', { again: 201, body: stored('site') }),
    'violated again first (conclusive)',
  ),
  says(
    'IDM-6',
    'another value of a parameter: the result of the first, which does not show the value',
    trace('site', { again: 201, body: { id: 'case_1', status: 'open' } }),
  ),
  says(
    'IDM-6',
    'another value of a parameter that is about the response: the stored result',
    trace('displayLocale', { again: 201, body: stored('displayLocale') }),
  ),
  says(
    'IDM-6',
    'another value of a parameter that says how much is shown: the stored result',
    trace('mode', { again: 201, body: stored('mode') }),
  ),
  says(
    'IDM-6',
    'another value of a parameter: a result of its own',
    trace('site', { again: 201, body: { id: 'case_3', status: 'open', site: 'osaka' } }),
    'holds again first (advisory)',
  ),
  says(
    'IDM-6',
    'another value of a parameter: another class',
    trace('site', { again: 422, body: { error: 'key reused' } }),
    'violated again first',
  ),
  says(
    'IDM-6',
    'another value of a parameter, which is refused under every key',
    trace('site', { again: 409, body: { error: 'conflict' }, control: 409 }),
    'inconclusive again first',
    'inconclusive again',
  ),
  says(
    'IDM-6',
    'another value in the path: accepted, and not done',
    reopened('closed', 'open'),
    'violated again first',
  ),
  says('IDM-6', 'another value in the path: done', reopened('open', 'open'), 'holds again first (advisory)'),
  says(
    'IDM-6',
    'another value in the path: 409',
    reopened('closed', 'open', 409),
    'holds again first',
    'holds again before after',
  ),
  says('IDM-6', 'another value in the path, which changes nothing', reopened('closed', 'closed')),
];
