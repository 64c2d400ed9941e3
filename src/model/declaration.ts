import type { Json } from './json.ts';

export type PointCode = `G${number}`;

/** What the vendor declared at the open points of the contract: `G1: replay`. */
export type Declaration = Readonly<Partial<Record<PointCode, Json>>>;
