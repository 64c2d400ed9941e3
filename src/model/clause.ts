import type { Contract, Operation, OperationId } from './contract.ts';
import type { Declared } from './declaration.ts';
import type { Exchange, ExchangeId, HttpResponse, Trace } from './exchange.ts';
import type { Json, JsonPointer, JsonSchema } from './json.ts';
import type { Principal, PrincipalName } from './principal.ts';
import type { DeviationKind, KeyReuse, Observes, Step } from './scenario.ts';

/** `RID-1`, `AUT-10`... */
export type ClauseCode = string;

/** Codes as tables have them, in one text with spaces between, or one by one. */
export type Codes = string | readonly ClauseCode[];

export const codesOf = (codes: Codes): readonly ClauseCode[] =>
  typeof codes === 'string' ? codes.split(' ') : codes;

/**
 * stated: the specification says it in words; derived: it follows from them;
 * advisory: good practice, which never fails, stops or steers a run.
 */
export type Level = 'stated' | 'derived' | 'advisory';

/** What the judge knows in addition to the trace. */
export type Context = {
  readonly contract: Contract;
  readonly declared: Declared;
  readonly principals: readonly Principal[];
  /** Principals whose tokens were accepted somewhere in preflight. */
  readonly proven: ReadonlySet<PrincipalName>;
  /** Where a value departs from a schema; empty where it is valid. Compiled schemas are kept by the context. */
  /** Every clause reads a trace this way; it is made once for each. */
  readonly reading: (trace: Trace) => TraceReading;
  /** What reads of a trace show differently though no command came between them. */
  readonly movedAlone: (trace: Trace) => readonly MovedAlone[];
  readonly schemaErrors: (schema: JsonSchema, value: Json) => readonly SchemaError[];
  /** The same of what a service returns, where `format` is an annotation (JSON Schema 2020-12, validation, 7.2). */
  readonly shapeErrors: (schema: JsonSchema, value: Json) => readonly SchemaError[];
};

/** One exchange, the step that it carried out, and the operation of the step. */
export type Seen = { readonly step: Step; readonly exchange: Exchange; readonly operation: Operation };

export type Answered = Seen & { readonly answer: HttpResponse };

/** The exchanges of a trace, in the order of the log. */
export type TraceReading = { readonly seen: readonly Seen[]; readonly answered: readonly Answered[] };

/** One departure of a value from a schema: the place in the value, and the keyword that it breaks. */
export type SchemaError = {
  readonly pointer: JsonPointer;
  readonly keyword: string;
  readonly message: string;
};

/** One conclusion about one obligation, with the exchanges that prove it. Only `model/ruling.ts` makes them. */
export type Ruling = Holds | Violated | Inconclusive | NotTested;

type About = {
  readonly operation: OperationId;
  readonly exchanges: readonly ExchangeId[];
  /** One sentence: why the exchanges mean this. */
  readonly because: string;
};

type Conclusion = About & {
  readonly expected: string;
  readonly actual: string;
  /** True where effects were seen through returned IDs alone. */
  readonly idsOnly?: boolean;
  /** Something worth reporting that is not a violation (a tolerated response). */
  readonly advisory?: string;
};

export type Holds = Conclusion & { readonly verdict: 'holds' };

export type Violated = Conclusion & {
  readonly verdict: 'violated';
  /** True where a single complete trace proves the violation: no noise of network or timing could look the same. */
  readonly conclusive?: boolean;
  /** Other clauses whose breach would explain the same responses. */
  readonly candidates?: readonly ClauseCode[];
  /** It rests on members of a record that read otherwise than before. */
  readonly moved?: Moved;
  /** The record keeps what the command would have replaced: if what moved moves by itself, the clause holds. */
  readonly unwritten?: true;
  /** The earlier trace that has the exchanges, where it is not the one that was judged last. */
  readonly within?: Trace;
};

/** Members of what a read shows that differ between two reads. */
export type Moved = { readonly read: OperationId; readonly at: readonly JsonPointer[] };

/** The same where no command came between the reads; `after` names the commands that were accepted before. */
export type MovedAlone = Moved & { readonly after: readonly OperationId[] };

export type Inconclusive = About & {
  readonly verdict: 'inconclusive';
  /** What was seen is worth a note all the same. */
  readonly advisory?: string;
};

/** The run could not bring the situation about; `because` says what would. */
export type NotTested = About & { readonly verdict: 'not-tested' };

/** What a configuration must have so that a clause can be tested. */
export type Need = {
  /** `inapplicable`: what the target is like leaves the clause nothing to say. */
  readonly kind:
    | 'inapplicable'
    | 'principal'
    | 'hook'
    | 'budget'
    | 'read'
    | 'declaration'
    | 'target'
    | 'operation'
    | 'value';
  /** What would test it: one sentence in the imperative. */
  readonly remedy: string;
};

/** One obligation of the contract. */
export type Clause = {
  readonly code: ClauseCode;
  readonly level: Level;
  readonly text: string;
  /** Where the specification says it, and its words. */
  readonly source: { readonly where: string; readonly quote: string };
  readonly test: string;
  readonly violation: string;
  readonly fix: string;
  readonly applies: (contract: Contract, operation: Operation) => boolean;
  readonly judges: readonly Judge[];
};

/** One sentence or table row of the specification, and what tests it. */
export type Sentence = {
  readonly where: string;
  readonly quote: string;
  readonly clauses: readonly ClauseCode[];
  /** Why no client can test it, or what it is instead of a demand. */
  readonly because?: string;
};

/** A clause as it is written: most have one judge. */
export type WrittenClause = Omit<Clause, 'judges'> & { readonly judges: Judge | readonly Judge[] };

/** What can be special about the requests of a trace, and about their responses. */
export type Trait =
  | DeviationKind
  /** In which way a request under a used key differs from the first one. */
  | `again-${KeyReuse['difference']}`
  | Observes
  | 'near-key'
  /** Several steps were sent at once. */
  | 'together'
  | 'throttled';

/** `trace` rules see a trace when it ends, `effects` rules once an independent read was made, `run` rules all traces. */
export type Judge = (
  | { readonly over: 'trace'; readonly rule: (context: Context, trace: Trace) => Iterable<Ruling> }
  | { readonly over: 'effects'; readonly rule: (context: Context, trace: Trace) => Iterable<Ruling> }
  | { readonly over: 'run'; readonly start: () => Fold }
) & {
  /** It says nothing about a trace that has none of these; it is asked about every trace where this is left out. */
  readonly needs?: readonly Trait[];
  /** Responses do not show an effect that they do not name: a command that passes by nothing else is marked so. */
  readonly byResponses?: true;
};

/** Judges sets over the whole run (ids unique, throttling reached). Memory must stay small: keep digests, not traces. */
export type Fold = {
  readonly see: (context: Context, trace: Trace) => Iterable<Ruling>;
};
