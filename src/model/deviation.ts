import type { JsonPointer } from './json.ts';
import type { StepId } from './ref.ts';

/** One way in which a step departs from a valid request; its kind says which failure class it provokes. */
export type Deviation =
  | {
      readonly kind: 'credential';
      readonly how:
        | 'absent'
        | 'unknown'
        | 'expired'
        | 'revoked'
        | 'malformed'
        | 'mutated'
        | 'elsewhere'
        | 'forged';
    }
  | { readonly kind: 'permission'; readonly how: 'none' | 'near-miss' | 'sibling' | 'withdrawn' }
  /** `through: 'own'`: the record is sought within a parent of the caller's own, where there is none. */
  | { readonly kind: 'scope'; readonly through?: 'own' }
  /** A member of the body refers to a record of another scope, and the command acts on another record. */
  | { readonly kind: 'reference' }
  | { readonly kind: 'key'; readonly how: 'absent' | 'blank' | 'doubled' | 'odd' }
  /** The key was used before in this trace, by `of`; `difference` says what is new. */
  | {
      readonly kind: 'key-reuse';
      readonly of: StepId;
      readonly difference:
        | 'none'
        | 'request'
        | 'form'
        | 'caller'
        | 'scope'
        | 'operation'
        | 'target'
        /** The same command with another value of a query field or header that the contract declares. */
        | 'parameter'
        | 'token'
        /** The same command with the version that its target has by now. */
        | 'version'
        | 'query'
        | 'late'
        /** One of many uses in a history, which is judged as a whole. */
        | 'history'
        /** The corrected body under the key of a refused one (G5). */
        | 'correction';
    }
  | { readonly kind: 'body'; readonly at: JsonPointer; readonly keyword: string }
  /** A member that the schema does not name, and does not forbid (G7). `free`: the schema expressly lets any be. */
  | { readonly kind: 'unknown-member'; readonly at: JsonPointer; readonly free?: boolean }
  /** `extension`: no JSON, but some parsers read it; `open`: RFC 8259 leaves it to the parser. */
  | { readonly kind: 'body-syntax'; readonly how?: 'extension' | 'open' }
  /** `parameter`: the declared media type with `charset=utf-8`, which says nothing new of JSON (RFC 8259, 11). */
  | { readonly kind: 'media-type'; readonly how?: 'parameter' }
  /** `keyword` is what the schema of the field refuses; `unknown` is an undeclared field, `odd` a text or a repetition. */
  | {
      readonly kind: 'query';
      readonly field: string;
      readonly keyword: string;
      readonly in?: 'header' | 'cookie' | 'path';
    }
  | { readonly kind: 'cursor'; readonly how: 'tampered' | 'foreign' }
  | { readonly kind: 'version'; readonly how: 'stale' | 'absent' | 'garbage' | 'foreign' }
  | {
      readonly kind: 'verification';
      /** `shared`: another command of its wave has it as well, so that either of them may be refused. */
      readonly how:
        | 'absent'
        | 'wrong'
        | 'altered'
        | 'expired'
        | 'foreign'
        | 'other-command'
        | 'used'
        | 'shared';
    }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'target'; readonly how: 'absent' }
  | { readonly kind: 'pace' }
  | { readonly kind: 'path-noise' }
  | { readonly kind: 'header-noise'; readonly header: string }
  /** A valid value of a declared query field or header that requests are otherwise sent without, or with another one. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** A legal but unusual text. `refusable`: the contract sets no bound to it, so a service may; it must not fail. */
  | { readonly kind: 'text-noise'; readonly at: JsonPointer; readonly refusable?: boolean }
  /** A legal form of the credential: `bearer` in lower case (RFC 9110, 11.1). */
  | { readonly kind: 'scheme-case' }
  | { readonly kind: 'lost-response' }
  /** The vendor's hook makes the service fail. */
  | { readonly kind: 'fault'; readonly how: 'before-commit' | 'after-commit' | 'slow' };
export type KeyReuse = Extract<Deviation, { readonly kind: 'key-reuse' }>;

export type DeviationKind = Deviation['kind'];
/** In which way a deviation of a kind departs from a valid request. */
export type How<Kind extends Extract<Deviation, { how?: unknown }>['kind']> = Extract<
  Deviation,
  { kind: Kind }
>['how'];
