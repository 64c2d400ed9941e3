import type { OperationId } from '../../model/contract.ts';
import type { Declaration } from '../../model/declaration.ts';
import type { Behaviour, Settings } from '../behaviour.ts';

/** A legal choice at a point that the contract leaves open: the reference service in another, conforming form. */
export type Variant = {
  readonly id: string;
  readonly describes: string;
  /** Variants of one group exclude each other. */
  readonly group: string;
  readonly change: Partial<Behaviour>;
  readonly settings?: Partial<Settings>;
  readonly declares?: Declaration;
  /** The extended catalogue as its vendor publishes it, where the document shows the choice. */
  readonly publishes?: (document: string) => string;
  /** Operations of the extended catalogue at which the choice shows. */
  readonly operations: readonly OperationId[];
  /** It slows a run down: it is tried by itself, and in no combination. */
  readonly alone?: true;
  /** True from the day it is written until `npm run accuracy` has measured it; a release has none. */
  readonly unmeasured?: true;
};

/** A variant as it is written: by default the choice shows at `createCase`. */
export type SeededVariant = Omit<Variant, 'operations'> & Partial<Pick<Variant, 'operations'>>;

/** One service that makes all these choices; the first of each group counts. */
export function combined(variants: readonly Variant[]): Omit<Variant, 'group'> {
  const groups = new Map<string, Variant>();
  for (const variant of variants) if (!groups.has(variant.group)) groups.set(variant.group, variant);
  const chosen = [...groups.values()];
  const publishes = chosen.flatMap((variant) => variant.publishes ?? []);
  return {
    id: chosen.map((variant) => variant.id).join('+'),
    describes: chosen.map((variant) => variant.describes).join(' '),
    change: Object.assign({}, ...chosen.map((variant) => variant.change)),
    settings: Object.assign({}, ...chosen.map((variant) => variant.settings ?? {})),
    declares: Object.assign({}, ...chosen.map((variant) => variant.declares ?? {})),
    ...(publishes.length === 0
      ? {}
      : { publishes: (document: string) => publishes.reduce((text, publish) => publish(text), document) }),
    operations: [...new Set(chosen.flatMap((variant) => variant.operations))],
  };
}

/** Replaces parts of a document, all of which must be there, wherever they stand. */
export function replacing(...parts: readonly (readonly [string, string])[]): (document: string) => string {
  return (document) =>
    parts.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the extended catalogue says nowhere '${from}'`);
      return text.replaceAll(from, to);
    }, document);
}
