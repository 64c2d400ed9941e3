import type { Json } from './json.ts';

export type PointCode = `G${number}`;

/** What the vendor declared at the open points of the contract: `G1: replay`. */
export type Declaration = Readonly<Partial<Record<PointCode, Json>>>;

/** A header field or a member of a body that says how long a 429 asks to wait. */
export type CarrierOfGuidance = {
  readonly name: string;
  readonly unit: 'seconds' | 'milliseconds' | 'minutes';
};

/** The same, parsed where it is read: a member is undefined where nothing is declared. */
export type Declared = {
  /** As written, for the log and for words. */
  readonly written: Declaration;
  readonly G1: 'replay' | 'conflict' | undefined;
  readonly G2: number | undefined;
  readonly G3: 'stored' | 'new' | undefined;
  readonly G4: number | undefined;
  readonly G5: 'accept' | 'conflict' | undefined;
  readonly G7: 'ignore' | 'refuse' | undefined;
  readonly G8: {
    readonly unthrottled: boolean;
    readonly rate: { readonly requests: number; readonly perSeconds: number } | undefined;
    readonly guidance: CarrierOfGuidance | undefined;
  };
  readonly G9: 403 | 404 | undefined;
  readonly G10: 403 | 'replay' | undefined;
  readonly G11: 403 | 422 | 'lenient' | undefined;
  readonly G12: 'stored' | 'released' | undefined;
  /** Seconds for which keys are honoured. */
  readonly G13: number | undefined;
  readonly G14: { readonly malformed: number | undefined; readonly mediaType: number | undefined };
  /** Seconds after which a read shows a write. */
  readonly G15: number | undefined;
  /** How fields are named. */
  readonly G16: 'exact' | 'leaf' | undefined;
  readonly G18: 'caller' | 'caller-operation' | 'tenant' | 'tenant-operation' | 'global' | undefined;
  readonly G19: 'none' | 'conflict' | undefined;
};

/** G15: how long a read may take to show a write; 5 s where nothing is declared. */
export function settleMs({ G15 }: Pick<Declared, 'G15'>): number {
  return (G15 ?? 5) * 1000;
}
