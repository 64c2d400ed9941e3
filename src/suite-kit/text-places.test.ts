import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from '../model/contract.ts';
import { textPlaces } from './text-places.ts';
import { operationValues } from './values.ts';

test('texts within objects and items are found, those with a bound first, and no other strings', () => {
  const operation = {
    ...operationOf(contract, 'createCase'),
    body: {
      mediaType: 'application/json',
      required: true,
      schema: {
        type: 'object',
        required: ['subject', 'contact'],
        properties: {
          subject: { type: 'string' },
          kind: { enum: ['low', 'high'] },
          remark: { type: 'string' },
          contact: {
            type: 'object',
            required: ['name', 'phone'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 80 },
              phone: { type: 'string', pattern: '^[0-9]+$' },
            },
          },
          tags: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1, maxLength: 30 } },
        },
      },
    },
  };
  const found = textPlaces(operation, operationValues(operation, []));
  expect(found.map(({ at, most }) => [at, most])).toEqual([
    ['/contact/name', 80],
    ['/tags/0', 30],
    ['/remark', undefined],
  ]);
});

test('a text that may be left out is in the body that is known, not in a drawn one', () => {
  const operation = {
    ...operationOf(contract, 'createCase'),
    body: {
      mediaType: 'application/json',
      required: true,
      schema: {
        type: 'object',
        required: ['weighings'],
        properties: {
          weighings: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['parcel'],
              properties: {
                parcel: { type: 'string', pattern: '^p[0-9]{6}$' },
                remark: { type: ['string', 'null'], maxLength: 200 },
              },
            },
          },
        },
      },
    },
  };
  const known = { weighings: [{ parcel: 'p000007' }] };
  expect(textPlaces(operation, operationValues(operation, [known]))).toEqual([
    { at: '/weighings/0/remark', base: known, most: 200 },
  ]);
});
