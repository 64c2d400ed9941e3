import type { Operation, PathSource } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { writtenName } from '../model/path.ts';
import type { Principal } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import { isAddressed } from '../model/result-id.ts';
import type { Step, StepId, Wave } from '../model/scenario.ts';

/** Where the result, or the path, of the operation that makes a record names it. */
export function refOf(source: PathSource, step: StepId, target: Step['target']): Ref | undefined {
  if ('path' in source) return target?.[source.path];
  const place = 'at' in source ? { at: source.at } : { header: source.header };
  if (source.whole === true) return { step, ...place, part: 'whole' };
  const isAddress = isAddressed('at' in source ? source.at : source.header);
  return { step, ...place, ...(isAddress ? { part: 'last-segment' } : {}) };
}

/** The path of a read of what a step of this operation makes; undefined where the result does not name all of it. */
export function targetMadeBy(
  operation: Operation,
  read: Operation,
  step: StepId,
  around: NonNullable<Step['target']>,
): NonNullable<Step['target']> | undefined {
  const target: Record<string, Ref> = {};
  for (const { name, source } of read.pathFields) {
    const ref = source?.operation === operation.id ? refOf(source, step, around) : around[name];
    if (ref === undefined) return undefined;
    target[name] = ref;
  }
  return target;
}

/** The hook issues a stronger verification for one command. */
export function verifying(
  operation: Operation,
  by: Principal,
  target: Readonly<Record<string, Ref>>,
  as: StepId,
): readonly Wave[] {
  if (operation.verification === undefined) return [];
  return [
    {
      hook: operation.verification.hook,
      as,
      input: verificationInput(operation, by, target, 'valid'),
    },
  ];
}

/** The input of the hook: the target record by the last field of the path, and every field where there are several. */
export function verificationInput(
  { id, pathFields }: Operation,
  by: Principal,
  target: Step['target'],
  kind: string,
): Readonly<Record<string, Json>> {
  const targets = Object.fromEntries(
    pathFields.flatMap((field) => {
      const ref = target?.[field.name];
      return ref === undefined ? [] : [[writtenName(field), refText(ref)] as const];
    }),
  );
  const names = Object.keys(targets);
  return {
    principal: by.name,
    operation: id,
    target: targets[names.at(-1) ?? ''] ?? '',
    ...(names.length > 1 ? { targets } : {}),
    kind,
  };
}

/** A reference inside the input of a hook, which the engine resolves: `ref:step#/id`, `ref:step@Location/last-segment`. */
export function refText(ref: Ref): string {
  if ('literal' in ref) return ref.literal;
  if ('chosen' in ref) return `chosen:${ref.chosen}`;
  const part = 'part' in ref && ref.part !== undefined ? `/${ref.part}` : '';
  if ('at' in ref) return part === '' ? `ref:${ref.step}#${ref.at}` : `ref:${ref.step}@${ref.at}${part}`;
  return 'header' in ref ? `ref:${ref.step}@${ref.header}${part}` : `ref:${ref.step}@link`;
}
