import type { Operation, PathSource } from '../model/contract.ts';
import type { Principal } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import type {
  BodyValue,
  KeySpec,
  Name,
  Step,
  StepId,
  VerificationSpec,
  VersionSpec,
  Wave,
} from '../model/scenario.ts';
import { untilDone } from './queued-records.ts';
import type { Planning } from './suite.ts';

/** The key of a name: the same name is the same key, with a new value in every attempt. */
export const key = (name: Name): KeySpec => ({ use: 'named', name });

/** What a step needs: the waves before it, with their bodies, and what they bring about. */
export type Setup = {
  readonly waves: readonly Wave[];
  readonly bodies: Readonly<Record<Name, BodyValue>>;
  readonly target: Readonly<Record<string, Ref>> | undefined;
  readonly version: VersionSpec | undefined;
  readonly verification: VerificationSpec | undefined;
};

/** Makes a record; what is only queued (202) is there a little later. */
export function making(
  planning: Planning,
  maker: Operation,
  by: Principal,
  step: StepId,
  inner: Setup,
  source: PathSource,
): readonly Wave[] {
  const done = untilDone(planning, maker, by, { step, source, around: inner.target });
  return [...inner.waves, { steps: [makingStep(maker, by, step, inner)] }, ...done];
}

export function makingStep(maker: Operation, by: Principal, id: StepId, inner: Setup): Step {
  return {
    id,
    operation: maker.id,
    as: by.name,
    role: 'setup',
    key: maker.kind === 'command' ? key(id) : { use: 'none' },
    body: maker.body === undefined ? { use: 'none' } : { use: 'named', name: id },
    deviations: [],
    ...(inner.target === undefined ? {} : { target: inner.target }),
    ...(inner.version === undefined ? {} : { version: inner.version }),
    ...(inner.verification === undefined ? {} : { verification: inner.verification }),
  };
}
