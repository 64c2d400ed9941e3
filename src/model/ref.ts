import type { JsonPointer } from './json.ts';

/** A symbolic name of a key or a body; the engine binds it to a fresh value at every attempt. */
export type Name = string;
export type StepId = string;

/**
 * An ID in an earlier response. `part` takes the one at the end of an address, such as that in the header Location, or the
 * address as a whole.
 */
export type ResultRef =
  | { readonly step: StepId; readonly at: JsonPointer; readonly part?: 'last-segment' | 'whole' }
  | { readonly step: StepId; readonly header: string; readonly part?: 'last-segment' | 'whole' };

/** A value taken from an earlier response of the same trace, or given. */
export type Ref =
  | (ResultRef & {
      /** Not this ID, but one of its form that names no record. */
      readonly unlike?: true;
    })
  /** The next page as a response names it: a cursor, or an address with the cursor in a query field of that name. */
  | { readonly step: StepId; readonly at: JsonPointer; readonly cursor: string }
  /**
   * A query field as the address of the next page has it, which a response gives in its header Link, or at a place of its
   * body; left out where that address has none. Where there is no address it stays as it was.
   */
  | {
      readonly step: StepId;
      readonly followed: string;
      readonly address: 'link' | JsonPointer;
      readonly otherwise: string;
    }
  /** A query field in the address of the next page, which the response has in its header Link (RFC 8288). */
  | { readonly step: StepId; readonly nextPage: string }
  /** The number of the page behind a page, or how many items come before it; nothing where that page was empty. */
  | {
      readonly step: StepId;
      readonly behind: 'page' | 'items';
      /** The query field with the number of the page, or of the items before it. */
      readonly field: string;
      readonly items: JsonPointer;
      readonly first: number;
    }
  | { readonly literal: string }
  /** An ID that the caller chooses, new at every attempt, in the form that the path field of the step asks for. */
  | { readonly chosen: Name };
