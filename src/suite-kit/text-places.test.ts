import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationOf } from '../model/contract.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { taking } from '../testing/contracts.ts';
import { textPlaces } from './text-places.ts';
import { operationValues } from './values.ts';

test('texts within objects and items are found, those with a bound first, and no other strings', () => {
  const operation = taking(
    object(
      {
        subject: { type: 'string' },
        kind: { enum: ['low', 'high'] },
        remark: { type: 'string' },
        contact: object({
          name: { type: 'string', minLength: 1, maxLength: 80 },
          phone: { type: 'string', pattern: '^[0-9]+$' },
        }),
        tags: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1, maxLength: 30 } },
      },
      ['subject', 'contact'],
    ),
  );
  const found = textPlaces(operation, operationValues(operation, []));
  expect(found.map(({ at, most }) => [at, most])).toEqual([
    ['/contact/name', 80],
    ['/tags/0', 30],
    ['/remark', undefined],
  ]);
});

test('a text that may be left out is in the body that is known, not in a drawn one', () => {
  const parcel = { type: 'string', pattern: '^p[0-9]{6}$' };
  const remark = { type: ['string', 'null'], maxLength: 200 };
  const operation = taking(
    object({ weighings: { type: 'array', minItems: 1, items: object({ parcel, remark }, ['parcel']) } }),
  );
  const known = { weighings: [{ parcel: 'p000007' }] };
  expect(textPlaces(operation, operationValues(operation, [known]))).toEqual([
    { at: '/weighings/0/remark', base: known, most: 200 },
  ]);
});

test('what a discriminator chooses by is no place for texts, though its own schema takes any', async () => {
  const text = { type: 'string' };
  const schemas = {
    Dog: object({ kind: text, bark: { type: 'boolean' }, note: text }, ['kind', 'bark']),
    Cat: object({ kind: text, lives: { type: 'integer' } }, ['kind', 'lives']),
  };
  const body = {
    oneOf: ['Dog', 'Cat'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: { propertyName: 'kind' },
  };
  const document = documentOf([operation('POST /pets', 'addPet', { body, result: body })], {
    components: { schemas },
  });
  const made = operationOf(await parseContract(JSON.stringify(document), 'c.yaml'), 'addPet');
  const values = operationValues(made, []);
  expect(textPlaces(made, { ...values, marker: undefined }).map(({ at }) => at)).toEqual(['/note']);
});
