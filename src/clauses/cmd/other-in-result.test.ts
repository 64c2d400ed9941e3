import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { otherInResult } from './other-in-result.ts';

const whole = { type: 'object', properties: { id: { type: 'string' }, subject: { type: 'string' } } };
const text = 'Conformance probe asy-t-body';

type Made = {
  readonly result: JsonObject;
  readonly is?: JsonObject;
  readonly sent?: JsonObject;
  readonly schema?: JsonObject;
  readonly written?: JsonObject;
  readonly status?: number;
};

/** A record that is made and read. */
function rulings({ is = { subject: text }, result, schema = whole, sent, status = 201, written }: Made) {
  const context = makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map(
        (operation: Operation): Operation =>
          operation.id === 'createCase' || operation.id === 'getCase'
            ? {
                ...operation,
                success: {
                  ...operation.success,
                  schema: operation.id === 'getCase' ? whole : schema,
                  ...(written === undefined ? {} : { written }),
                },
              }
            : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const lines: readonly Line[] = [
    {
      ...{ id: 'make', role: 'test', status, sent: JSON.stringify(sent ?? { subject: text }) },
      body: { id: 'case_7', ...result },
    },
    {
      ...{
        id: 'made',
        operation: 'getCase',
        role: 'readback',
        status: 200,
        observes: 'made',
        given: 'case_7',
      },
      body: { id: 'case_7', ...is },
    },
  ];
  return [...otherInResult(context, trace(lines))].map(({ verdict }) => verdict);
}

test('the result shows another text than the record has', () => {
  expect(rulings({ result: { subject: 'ok' } })).toEqual(['violated']);
  expect(rulings({ result: { subject: 'Conformance probe asy-fedcba9876543210' } })).toEqual(['violated']);
  expect(rulings({ result: { subject: text } })).toEqual([]);
});

test('the specification may fix more of the result than the document of the read', () => {
  const fixed = { ...whole, allOf: [{ properties: { status: { const: 'open' } } }] };
  expect(rulings({ result: { subject: 'ok' }, schema: fixed, written: whole })).toEqual(['violated']);
  expect(rulings({ result: { subject: 'ok' }, schema: fixed })).toEqual([]);
});

test.each<[string, Made]>([
  ['no text', { result: {} }],
  ['nothing for the text', { result: { subject: null } }],
  ['the beginning of the text', { result: { subject: 'Conformance probe' } }],
  ['the text in another form', { result: { subject: text.toUpperCase() } }],
  ['a mask', { result: { subject: '********' } }],
  ['the text that the read shows', { result: { subject: 'ok' }, is: { subject: 'ok' } }],
  ['another document', { result: { subject: 'ok' }, schema: { type: 'object' } }],
  ['any document', { result: { subject: 'ok' }, schema: {} }],
  ['what is queued', { result: { subject: 'ok' }, status: 202 }],
  [
    'another value of a member without the marker',
    {
      sent: { subject: text, state: 'active' },
      result: { subject: text, state: 'starting' },
      is: { subject: text, state: 'active' },
    },
  ],
])('it shows %s: nothing is violated', (_, made) => {
  expect(rulings(made)).toEqual([]);
});
