import { isPlaced } from '../../src/model/contract.ts';
import { isScoped, namedTarget } from '../../src/model/named-records.ts';
import { foreigner, outsideScopeOf, thatHolds } from '../../src/suite-kit/cast.ts';
import { otherScopeScenarios } from '../../src/suite-kit/other-scope.ts';
import { type Scene, skip } from '../../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../../src/suite-kit/suite.ts';
import { referring } from './foreign-references.ts';

/** A caller of another scope, which holds the permission. */
export function* inWrongScope(planning: Planning, scene: Scene): Iterable<Proposal> {
  const { operation } = scene;
  const record = namedTarget(operation);
  if (operation.pathFields.length > 0 || isPlaced(operation) || isScoped(planning.contract, record)) {
    const other = foreigner(planning, operation, scene.lead);
    if (record !== undefined && scene.request('scope').target === undefined)
      yield skip(operation, 'PRM-5', {
        kind: 'target',
        remedy: `Give a principal of ${scene.lead.name}'s scope that may create the record that the body names at ${record.at}, or a body that names a record under operations.${operation.id}.examples.`,
      });
    else if (other === undefined)
      yield skip(operation, 'PRM-5', {
        kind: 'principal',
        remedy: `Give a valid principal${thatHolds(operation)}, ${outsideScopeOf(scene.lead)}.`,
      });
    else yield probesOf(operation)('scope', 'PRM-5', otherScopeScenarios(planning, scene, other));
  }
  yield* referring(planning, scene, record === undefined && operation.pathFields.length === 0);
}
