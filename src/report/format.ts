import type { CiGate } from './gate.ts';
import type { Comparison, Report } from './report.ts';

export type Rendering = {
  readonly report: Report;
  /** Path of evidence.jsonl, for formats that show more of it than the report holds. */
  readonly evidence: string;
  /** Ids of the keys that signed the run, unverified: `assay verify` shows whose they are. */
  readonly signers: readonly string[];
  /** What changed since an earlier run, where one was named. It is not part of the report: nobody signs it. */
  readonly comparison?: Comparison | undefined;
  /** What a pipeline made of the report; undefined where it has no policy of its own. */
  readonly gate?: CiGate | undefined;
};

export type Format = {
  /** As given to `assay report --format`. */
  readonly name: string;
  readonly file: string;
  readonly describes: string;
  readonly render: (rendering: Rendering) => string | Promise<string>;
};
