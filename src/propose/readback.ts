import type { Wave } from '../model/scenario.ts';
import { holders } from './cast.ts';
import type { Scene } from './scene.ts';
import type { Planning } from './suite.ts';

/** A read of the target of a targeted command, before and after what must not change it. */
export function reading(planning: Planning, scene: Scene, id: 'before' | 'after'): readonly Wave[] {
  const read = planning.contract.operations.find(
    (operation) => operation.id === scene.operation.effect?.read,
  );
  const target = scene.request('probe').target;
  if (read === undefined || target === undefined || scene.operation.pathFields.length === 0) return [];
  const reader = holders(planning, read).find((principal) => principal.scope === scene.lead.scope);
  if (reader === undefined) return [];
  return [
    { wait: 'settle' },
    {
      steps: [
        {
          id,
          operation: read.id,
          as: reader.name,
          role: 'readback',
          key: { use: 'none' },
          body: { use: 'none' },
          target,
          deviations: [],
        },
      ],
    },
  ];
}
