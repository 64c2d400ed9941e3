/** What suites in code and tools around Assay use. */

export { clauseOf, clauses } from './clauses/catalogue.ts';
export type * from './model/clause.ts';
export type { Budget } from './model/configured.ts';
export type * from './model/contract.ts';
export type * from './model/declaration.ts';
export type * from './model/exchange.ts';
export type * from './model/json.ts';
export type * from './model/open-point.ts';
export type * from './model/principal.ts';
export type * from './model/scenario.ts';
export type * from './model/verdict.ts';
export type * from './model/waiver.ts';
export type * from './report/report.ts';
export { type Assessed, type Assessment, assess } from './run/assess.ts';
export { judged } from './run/rejudge.ts';
export type { MinimalCase, Reproduced } from './run/reproduce.ts';
export { type ReproduceOptions, reproduce } from './run/reproduce-case.ts';
export type { SignedHeaders, SignModule, SignRequest } from './run/signer.ts';
export type { Judged } from './run/tally.ts';
export { VoidRun } from './run/void-run.ts';
export { defineSuite, type OperationSuite } from './suite-kit/define.ts';
export { key, named, negative, type Scene, scenario, sceneOf, skip } from './suite-kit/scene.ts';
export {
  byBudget,
  type Planning,
  type Probe,
  type Proposal,
  type Skip,
  type Suite,
} from './suite-kit/suite.ts';
