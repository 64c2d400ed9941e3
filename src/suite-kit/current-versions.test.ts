import { expect, test } from 'vitest';
import { type Scenario, type Step, stepsOf } from '../model/scenario.ts';
import { contractOfShape } from '../testing/contracts.ts';
import { withCurrentVersions } from './current-versions.ts';

const contract = await contractOfShape('singleton-version');

const read: Step = {
  id: 'read-version',
  operation: 'getSettings',
  as: 'a',
  role: 'setup',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
};
const put = (id: string, deviations: Step['deviations'] = []): Step => ({
  id,
  operation: 'putSettings',
  as: 'a',
  role: 'control',
  key: { use: 'named', name: id },
  body: { use: 'named', name: 'body' },
  version: { use: 'of', ref: { step: 'read-version', at: '/version' } },
  deviations,
});
const scenario = (...steps: readonly Step[]): Scenario => ({
  title: 't',
  bodies: {},
  waves: [{ poll: read, until: 'found', max: 5 }, ...steps.map((step) => ({ steps: [step] }))],
});

/** The steps in order, each with the read that its version is of. */
function versions(given: Scenario): string {
  return stepsOf(withCurrentVersions(contract, given).waves)
    .map(({ id, version }) =>
      version?.use === 'of' && 'step' in version.ref ? `${id}<${version.ref.step}` : id,
    )
    .join(' ');
}

test('the version of a singleton is read again after each command', () => {
  expect(versions(scenario(put('one'), put('two'), put('three')))).toBe(
    'read-version one<read-version read-version-again-2 two<read-version-again-2 read-version-again-3 three<read-version-again-3',
  );
});

test('a duplicate sends what it duplicates, and a stale version stays stale', () => {
  expect(
    versions(
      scenario(
        put('one'),
        put('two', [{ kind: 'key-reuse', of: 'one', difference: 'none' }]),
        put('three', [{ kind: 'version', how: 'stale' }]),
        put('four'),
      ),
    ),
  ).toBe(
    'read-version one<read-version two<read-version three<read-version read-version-again-2 four<read-version-again-2',
  );
});

test('another request under a used key sends the version of its time', () => {
  expect(
    versions(scenario(put('one'), put('two', [{ kind: 'key-reuse', of: 'one', difference: 'request' }]))),
  ).toBe('read-version one<read-version read-version-again-2 two<read-version-again-2');
});

test('a duplicate with the version of by now sends the one that was read since', () => {
  const again = put('again', [{ kind: 'key-reuse', of: 'one', difference: 'version' }]);
  expect(versions(scenario(put('one'), again))).toBe(
    'read-version one<read-version read-version-again-2 again<read-version-again-2',
  );
});

test('a caller of another scope sends the version that its own reader saw', () => {
  const theirs: Step = { ...read, id: 'other-read-version', as: 'b' };
  const other: Step = {
    ...put('other', [{ kind: 'key-reuse', of: 'one', difference: 'scope' }]),
    as: 'b',
    version: { use: 'of', ref: { step: theirs.id, at: '/version' } },
  };
  const given = scenario(put('one'));
  const waves = [
    ...given.waves,
    { poll: theirs, until: 'found' as const, max: 5 },
    { steps: [other] },
    { steps: [put('two')] },
  ];
  expect(versions({ ...given, waves })).toBe(
    'read-version one<read-version other-read-version other<other-read-version read-version-again-2 two<read-version-again-2',
  );
});

test('nobody waits for a version that no accepted command used up', () => {
  const { waves } = withCurrentVersions(contract, scenario(put('one'), put('two')));
  expect(waves.map((wave) => Object.keys(wave)[0])).toEqual(['poll', 'steps', 'poll', 'steps']);
});
