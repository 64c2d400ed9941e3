import { creates, isReadById } from '../../src/model/contract.ts';
import type { Ref, Wave } from '../../src/model/scenario.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { readStep, type Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** A read of the record that the step `command` made, by its id, where no list shows what commands make. */
export function shown(planning: Planning, scene: Scene): readonly Wave[] {
  const { contract } = planning;
  const { effect, id } = scene.operation;
  const read = contract.operations.find((operation) => operation.id === effect?.read);
  // An independent read finds all records of a run in their list.
  if (read === undefined || !isReadById(contract, scene.operation)) return [];
  if (creates(scene.operation) && effect?.list !== undefined) return [];
  const around = scene.request('command').target ?? {};
  const target: Record<string, Ref> = {};
  for (const { name, source } of read.pathFields) {
    const ref: Ref | undefined =
      source?.operation === id && 'at' in source ? { step: 'command', at: source.at } : around[name];
    if (ref === undefined) return [];
    target[name] = ref;
  }
  const reader = standIn(planning, read, scene.lead);
  if (reader === undefined) return [];
  return [
    {
      when: { step: 'command', was: 'accepted' },
      waves: [
        { wait: 'settle' },
        { steps: [{ ...readStep('made', read, reader, target, 'readback'), observes: 'made' }] },
      ],
    },
  ];
}
