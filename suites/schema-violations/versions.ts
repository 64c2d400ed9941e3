import { validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import { type Json, valueAt, withValueAt } from '../../src/model/json.ts';
import { type Scenario, type VersionType, versionTypes } from '../../src/model/scenario.ts';
import { negative, type Scene } from '../../src/suite-kit/scene.ts';

const examples: Readonly<Record<VersionType, Json>> = { text: '1', number: 1, true: true, null: null };

/** The current version, where the body carries it, in each type that the schema does not give it. */
export function versionsOfOtherTypes(
  scene: Scene,
  { body, version: rule }: Operation,
  plain: Json,
): readonly Scenario[] {
  const { version } = scene.request('test');
  if (body === undefined || rule?.carrier.in !== 'body' || version?.use !== 'of') return [];
  const { at } = rule.carrier;
  const errorsOf = validator(body.schema);
  if (errorsOf(plain).length > 0 || valueAt(plain, at) === undefined) return [];
  return versionTypes
    .filter((type) =>
      errorsOf(withValueAt(plain, at, examples[type])).some(({ keyword }) => keyword === 'type'),
    )
    .map((writtenAs) =>
      negative(
        scene,
        `the current version, written as ${{ text: 'a text', number: 'a number', true: 'true', null: 'null' }[writtenAs]}`,
        { version: { ...version, writtenAs }, deviations: [{ kind: 'body', at, keyword: 'type' }] },
      ),
    );
}
