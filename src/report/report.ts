import type { Described } from '../model/schema.ts';
import type { comparisonSchema, reportSchema } from './schema.ts';

/** A pure projection of judge(replay(evidence)): a reader with the evidence could compute all of it again. */
export type Report = Described<typeof reportSchema>;

export type RunRecord = Report['run'];
export type Subject = Report['subject'];
export type CellReport = Report['cells'][number];
export type Finding = Report['violations'][number];
/** One exchange as a report shows it, redacted and cut. */
export type Excerpt = Finding['exchanges'][number];
export type SentenceReport = NonNullable<Report['specification']>[number];
/** `unused` ones are of cells that pass, `unmatched` ones of none that applies; of `not tested` nothing is known. */
export type WaiverReport = Report['waivers'][number];
/** Stated and derived cells without a verdict, grouped by what they lack. */
export type OpenGroup = Report['limits']['open'][number];
export type OperationFigures = Report['operations'][number];
/** Milliseconds from sending a request to the end of its response. */
export type Latency = OperationFigures['latency'];
/** Requests over the time of the run, and what was said about the pace. */
export type ThrottlingReport = Report['throttling'];
export type ThrottledAnswer = ThrottlingReport['episodes'][number];
export type EvidenceReport = Report['evidence'];

/** What changed from one run to another. Items are cells, as `IDM-6/createCase`. */
export type Comparison = Described<typeof comparisonSchema>;
export type RunSummary = Comparison['before'];
export type CellChange = Comparison['changes'][number];
