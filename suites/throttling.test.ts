import { expect, test } from 'vitest';
import type { Budget, TargetRecords } from '../src/model/configured.ts';
import type { Declaration } from '../src/model/declaration.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { parsedDeclaration } from '../src/oracle/open-points/declared.ts';
import { linkTo, operation } from '../src/selftest/shapes/document.ts';
import { contractOf, made } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import throttling from './throttling.ts';

test('the one burst of the quick budget is at an operation that is asked for', async () => {
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { result: made }),
    operation('POST /notes', 'createNote', { result: made }),
  );
  const burst = (...wanted: readonly string[]): readonly string[] =>
    planned(throttling, contract, wanted.length === 0 ? {} : { wanted: new Set(wanted) })
      .probes()
      .map((probe) => probe.operation);
  expect(burst()).toEqual(['createCase']);
  expect(burst('createNote')).toEqual(['createNote']);
});

test('a read of one record reaches the limit for a command on a record, which a list of records reaches itself', async () => {
  const path = '/streams/{stream}/events';
  const contract = await contractOf(
    operation(`POST ${path}`, 'append', { result: made }),
    operation(`GET ${path}`, 'readLog', { result: made }),
  );
  const ids = [{ stream: 'a' }, { stream: 'b' }];
  const burst = (given: TargetRecords): readonly string[] =>
    planned(throttling, contract, {
      targets: new Map([
        ['append', given],
        ['readLog', { ids }],
      ]),
    })
      .probes()
      .flatMap(({ scenarios }) => scenarios.map(({ title }) => title));
  expect(burst({ ids })[0]).toBe('too fast, then as guided');
  expect(burst({ hook: 'target of append' })[0]).toBe('too fast with readLog, then append');
});

test('of each kind of command on a record, one is throttled on a record that is read, and every one in a thorough run', async () => {
  const links = { ...linkTo('see', 'note'), ...linkTo('change', 'note'), ...linkTo('rename', 'note') };
  const contract = await contractOf(
    operation('POST /notes', 'create', {
      result: made,
      links: {
        ...links,
        ...linkTo('remove', 'note'),
        ...linkTo('close', 'note'),
        ...linkTo('ping', 'note'),
        ...linkTo('add', 'note'),
        ...linkTo('parts', 'note'),
      },
    }),
    operation('GET /notes/{note}', 'see', { result: true }),
    operation('PATCH /notes/{note}', 'change', { result: true }),
    operation('PUT /notes/{note}', 'rename', { result: true }),
    operation('DELETE /notes/{note}', 'remove', { governed: { effect: { read: 'see' } }, status: '204' }),
    operation('POST /notes/{note}/close', 'close', { governed: { effect: { read: 'see' } }, status: '204' }),
    operation('POST /notes/{note}/ping', 'ping', { status: '204' }),
    operation('POST /notes/{note}/parts', 'add', { result: made, governed: { effect: { list: 'parts' } } }),
    operation('GET /notes/{note}/parts', 'parts', { result: { type: 'array', items: made } }),
  );
  const readIn = (budget: 'standard' | 'thorough') =>
    planned(throttling, contract, { budget })
      .probes()
      .flatMap(({ operation: id, scenarios }) => scenarios.map(({ title, waves }) => ({ id, title, waves })))
      .filter(({ title }) => title.endsWith('on a record that is read'));
  const read = readIn('standard');
  expect(read.map(({ id }) => id)).toEqual(['change', 'remove', 'close', 'add']);
  expect(readIn('thorough').map(({ id }) => id)).toEqual(['change', 'rename', 'remove', 'close', 'add']);
  expect(stepsOf(read[3]?.waves ?? []).map(({ id, operation: name }) => `${id} ${name}`)).toContain(
    'before parts',
  );
  expect(stepsOf(read[1]?.waves ?? []).map(({ id, operation: name }) => `${id} ${name}`)).toEqual([
    'idle-make-note create',
    'make-note create',
    'filler-make-note create',
    'filler-visible see',
    'visible see',
    'before see',
    'before-again see',
    'idle-before see',
    'idle-before-again see',
    'burst see',
    'limited remove',
    'after see',
    'idle-after see',
    'again-make-note create',
    'control remove',
    'second-make-note create',
    'next-make-note create',
    'pressed-make-note create',
    'second-before see',
    'second-before-again see',
    'next-before see',
    'next-before-again see',
    'press remove',
    'second-limited remove',
    'second-after see',
    'next-after see',
  ]);
});

test('at the quick budget, other operations are asked once while the caller of the burst is throttled', async () => {
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { result: made }),
    operation('GET /cases', 'listCases', { result: { type: 'array', items: made } }),
    operation('POST /notes', 'createNote', { result: made }),
  );
  const stepsAt = (budget: 'quick' | 'standard', ...wanted: readonly string[]): readonly string[] =>
    planned(throttling, contract, {
      budget,
      ...(wanted.length === 0 ? {} : { wanted: new Set(wanted) }),
    })
      .probes()
      .slice(0, 1)
      .flatMap(({ scenarios }) => scenarios.slice(0, 1).flatMap(({ waves }) => stepsOf(waves)))
      .filter(({ id }) => id.startsWith('elsewhere'))
      .map(({ id, operation: name, role, deviations }) => `${id} ${name} ${role} ${deviations.length}`);
  expect(stepsAt('quick')).toEqual([
    'elsewhere-1 listCases test 1',
    'elsewhere-2 createNote test 1',
    'elsewhere-1-rested listCases control 0',
    'elsewhere-2-rested createNote control 0',
  ]);
  expect(stepsAt('quick', 'createCase')).toEqual([]);
  expect(stepsAt('standard')).toEqual([]);
});

test('of the commands that name a record in their body, one is throttled and never sent again', async () => {
  const contract = await contractOf(
    operation('POST /notes', 'create', { result: made }),
    operation('GET /notes/{noteId}', 'see', { result: true }),
    operation('POST /prints', 'print', {
      body: {
        type: 'object',
        required: ['noteId'],
        properties: { noteId: { type: 'string' }, text: { type: 'string' } },
      },
      result: made,
    }),
  );
  const read = planned(throttling, contract, { budget: 'standard' })
    .probes()
    .filter((probe) => probe.operation === 'print')
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ title }) => title.endsWith('on a record that is read'));
  expect(read.map(({ title }) => title)).toEqual(['too fast with see, then print on a record that is read']);
  expect(
    stepsOf(read[0]?.waves ?? [])
      .filter(({ operation: name }) => name === 'print')
      .map(({ id, key }) => [id, key]),
  ).toEqual([
    ['limited', { use: 'named', name: 'limited' }],
    ['control', { use: 'named', name: 'fresh' }],
    ['press', { use: 'named', name: 'press' }],
    ['second-limited', { use: 'named', name: 'second-limited' }],
  ]);
});

test.each<readonly [string, Declaration, Budget, number]>([
  ['more than a hundred', {}, 'quick', 125],
  ['more than the declared limit', { G8: { requests: 200, perSeconds: 60 } }, 'quick', 250],
  ['no more than the configuration allows', { G8: { requests: 400, perSeconds: 60 } }, 'quick', 300],
  ['all that the configuration allows', {}, 'standard', 300],
])('a burst sends %s (%o, %s)', async (_, declares, budget, most) => {
  const contract = await contractOf(operation('POST /cases', 'createCase', { result: made }));
  const [first] = planned(throttling, contract, {
    budget,
    declared: parsedDeclaration(declares),
    throttling: { maxRequests: 300, maxSeconds: 30 },
  }).scenarios();
  expect(first?.waves.flatMap((wave) => ('repeat' in wave ? [wave.max] : []))).toEqual([most]);
});

test('while a caller is throttled, somebody without a token asks once too, unless the operation is public', async () => {
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { result: made }),
    operation('GET /cases', 'listCases', { result: { type: 'array', items: made } }),
    operation('GET /news', 'listNews', { result: { type: 'array' }, more: { security: [] } }),
  );
  const anonymous = planned(throttling, contract, { budget: 'standard' })
    .probes()
    .flatMap(({ scenarios }) => scenarios.flatMap(({ waves }) => stepsOf(waves)))
    .filter(({ token }) => token === 'absent')
    .map(({ id, operation: name, role }) => `${id} ${name} ${role}`);
  expect([...new Set(anonymous)]).toEqual(['anonymous createCase readback', 'anonymous listCases readback']);
});

test('while a caller is throttled, it sends a request ID of its own once', async () => {
  const contract = await contractOf(operation('POST /cases', 'createCase', { result: made }));
  const sent = planned(throttling, contract)
    .steps({})
    .filter(({ headers = [] }) => headers.some(([name]) => name === 'X-Request-Id'))
    .map(({ deviations, id }) => [id, deviations.map(({ kind }) => kind)]);
  expect(sent).toEqual([['traced', ['header-noise', 'pace']]]);
});
