import { expect, test } from 'vitest';
import { stepsOf } from '../../src/model/scenario.ts';
import { parsedDeclaration } from '../../src/oracle/open-points/declared.ts';
import { linkTo, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, made, paged } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

const subject = {
  name: 'subject',
  in: 'query',
  schema: { type: 'string' },
  'x-governed': { filters: '/subject' },
};

const contract = await contractOf(
  operation('POST /cases', 'createCase', {
    governed: { effect: { list: 'listCases' } },
    body: { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } },
    result: made,
    links: linkTo('getCase', 'caseId'),
  }),
  operation('GET /cases', 'listCases', { ...paged, parameters: [...paged.parameters, subject] }),
  operation('GET /cases/{caseId}', 'getCase'),
);

test('records of a list have a text in common to be listed by, unless a value may exist once', () => {
  const bodiesOf = (G19: 'separate' | 'conflict'): readonly unknown[] =>
    planned(reads, contract, { declared: parsedDeclaration({ G19 }) })
      .probes({ operation: 'listCases' })
      .filter(({ id }) => id === 'pages' || id === 'seams')
      .flatMap(({ scenarios }) => scenarios)
      .map(({ bodies, waves }) => {
        const steps = stepsOf(waves);
        const sent = steps.flatMap(({ body, operation: id }) =>
          id === 'createCase' && body.use === 'named' ? [body.name] : [],
        );
        const filtered = steps.some(({ query }) => query?.some(([name]) => name === 'subject'));
        return [sent.length, new Set(sent).size, sent.every((name) => bodies[name] !== undefined), filtered];
      });
  expect(bodiesOf('separate')).toEqual([
    [9, 1, true, true],
    [3, 1, true, true],
  ]);
  expect(bodiesOf('conflict')).toEqual([
    [9, 9, true, false],
    [5, 5, true, false],
  ]);
});
