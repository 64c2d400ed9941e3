import { expect, test } from 'vitest';
import type { Contract } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { writeOnlyShown } from './write-only.ts';

const text = { type: 'string' } as const;
const hidden = { type: 'string', writeOnly: true } as const;
const sent = {
  type: 'object',
  properties: { subject: text, phrase: hidden, access: { type: 'object', properties: { word: hidden } } },
} as const;

type Shown = {
  readonly result?: Json;
  readonly read?: Json;
  readonly of?: string;
  readonly body?: Json;
  readonly status?: number;
  readonly schema?: JsonObject;
  readonly more?: Partial<Contract>;
};

/** A command with a member that is writeOnly, and a read of the record. */
const rulings = ({ body, more, of = 'getCase', read = {}, result = {}, schema, status = 201 }: Shown) => {
  const context = makeContext({
    contract: {
      ...contract,
      ...more,
      operations: contract.operations.map((operation) => ({
        ...operation,
        ...(operation.id === 'createCase' && operation.body !== undefined
          ? { body: { ...operation.body, schema: sent } }
          : {}),
        success: schema === undefined ? operation.success : { ...operation.success, schema },
      })),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const lines: readonly Line[] = [
    {
      ...{ id: 'a', role: 'test', status, body: { id: 'case_7', ...(result as JsonObject) } },
      sent: JSON.stringify(body ?? { subject: 'x', phrase: 'open sesame', access: { word: 'friend' } }),
    },
    { id: 'read', operation: of, on: 'a', status: 200, body: read },
  ];
  const one = trace(lines);
  return ['command' as const, 'read' as const].flatMap((kind) =>
    [...writeOnlyShown(kind)(context, one)].map(
      (ruling) => `${kind} ${ruling.verdict}${'advisory' in ruling ? ' with a note' : ''}`,
    ),
  );
};

const closed = { type: 'object', properties: { id: text, phrase: hidden } } as const;

test.each<[string, Shown, string]>([
  ['the result', { result: { phrase: 'open sesame' } }, 'command violated'],
  ['the result, within a member', { result: { access: { word: 'friend' } } }, 'command violated'],
  ['a read', { read: { id: 'case_7', phrase: 'open sesame' } }, 'read violated'],
  [
    'a list',
    { of: 'listCases', read: { items: [{ id: 'case_7', phrase: 'open sesame' }] } },
    'read violated',
  ],
  ['a read whose schema says the same', { read: { phrase: 'open sesame' }, schema: closed }, 'read violated'],
])('%s shows a value that is writeOnly', (_, shown, ruling) => {
  expect(rulings(shown)).toEqual([ruling]);
});

test('in OpenAPI 3.0 the value should not be shown, which is worth a note', () => {
  const shown = { read: { phrase: 'open sesame' }, more: { openapi30: true as const } };
  expect(rulings(shown)).toEqual(['read holds with a note']);
});

test.each<[string, Shown]>([
  ['nothing of it', { read: { id: 'case_7', subject: 'x' } }],
  ['what stands for it', { read: { phrase: '********' } }],
  ['another value', { result: { phrase: 'a new one' }, read: { phrase: 'a new one' } }],
  ['the value under another name', { read: { subject: 'open sesame' } }],
  ['a value of few characters', { body: { phrase: 'x' }, read: { phrase: 'x' } }],
  [
    'a value that its own schema describes',
    { read: { phrase: 'open sesame' }, schema: { type: 'object', properties: { phrase: text } } },
  ],
  ['the value of a command that was refused', { status: 422, read: { phrase: 'open sesame' } }],
])('a response shows %s: nothing is violated', (_, shown) => {
  expect(rulings(shown)).toEqual([]);
});
