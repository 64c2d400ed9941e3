import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { linkTo, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

/** Transfers, and the holds within one; `effect` is what the contract says of the command that makes a transfer. */
async function readBack(effect: JsonObject): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const at = '/data/number';
  const result = { properties: { data: { properties: { number: { type: 'integer' } } } } };
  const transfer = { name: 'transfer', in: 'path', required: true, schema: { type: 'integer' } };
  const within = [transfer];
  const contract = await contractOf(
    operation('POST /transfers', 'queue', {
      governed: { effect },
      result,
      links: { ...linkTo('seeTransfer', 'transfer', at), ...linkTo('hold', 'transfer', at) },
    }),
    operation('GET /transfers', 'all', { result: true }),
    operation('GET /transfers/{transfer}', 'seeTransfer', { parameters: within, result: true }),
    operation('POST /transfers/{transfer}/holds', 'hold', {
      governed: { effect: { read: 'seeHold' } },
      parameters: within,
      result,
      links: linkTo('seeHold', 'hold', at),
    }),
    operation('GET /transfers/{transfer}/holds/{hold}', 'seeHold', {
      parameters: [transfer, { ...transfer, name: 'hold' }],
      result: true,
    }),
  );
  return Object.fromEntries(
    planned(validCommands, contract)
      .probes({ probe: 'plain' })
      .map(({ operation: of, scenarios }) => [
        of,
        scenarios
          .flatMap(({ waves }) => stepsOf(waves))
          .flatMap(({ id, operation: read, target }) => (id === 'made' ? [[read, target]] : [])),
      ]),
  );
}

const number = { step: 'command', at: '/data/number' };

test('what a command made is read by its id where no list shows it', async () => {
  expect(await readBack({ read: 'seeTransfer', id: '/data/number' })).toMatchObject({
    queue: [['seeTransfer', { transfer: number }]],
  });
  expect(await readBack({ read: 'seeTransfer', list: 'all', id: '/data/number' })).toMatchObject({
    queue: [],
  });
  expect(await readBack({ id: '/data/number' })).toMatchObject({ queue: [] });
});

test('what was made within another record is read within that one', async () => {
  expect(await readBack({ id: '/data/number' })).toMatchObject({
    hold: [['seeHold', { transfer: { step: 'make-transfer', at: '/data/number' }, hold: number }]],
  });
});
