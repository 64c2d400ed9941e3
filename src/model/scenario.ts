import type { OperationId } from './contract.ts';
import type { Deviation, DeviationKind, How, KeyReuse } from './deviation.ts';
import type { Json, JsonPointer } from './json.ts';
import type { Mark, MarkerForm } from './marker.ts';
import type { PrincipalName } from './principal.ts';
import type { Name, Ref, StepId } from './ref.ts';
import { remembered } from './remembered.ts';
import type { TokenVariant } from './token-variants.ts';

export type { Deviation, DeviationKind, How, KeyReuse, Name, StepId };

/** What a suite proposes: plain data that can be printed, stored and replayed. */
export type Scenario = {
  readonly title: string;
  /** Valid request bodies by name; a step sends one as it is, or edited. */
  readonly bodies: Readonly<Record<Name, BodyValue>>;
  readonly waves: readonly Wave[];
};

/** A body's value before binding, and where the engine appends the marker by which its record is recognised. */
export type BodyValue = {
  readonly value: Json;
  readonly marker: JsonPointer | undefined;
  /** The form of the marker, where it is not appended to a text. */
  readonly form?: MarkerForm;
  /** Other places and forms of a marker, best first; the run takes one that the target accepts. */
  readonly marks?: readonly Mark[];
  /** Places where each body has a value of its own, since the target may let a value exist once (G19). */
  readonly own?: readonly Mark[];
};

/** The form of the marker of a body, or of one of the numbered ones of a burst (`body#7`). */
export function formOf({ bodies }: Pick<Scenario, 'bodies'>, name: Name): MarkerForm | undefined {
  return bodies[name.split('#')[0] ?? name]?.form;
}

export type Wave =
  /**
   * Steps of one wave are sent at once, released by a barrier; where all only prepare, each is sent in its turn. They are
   * not needed once so many commands like the first of them were accepted after `since`, whichever scenario sent them.
   */
  | {
      readonly steps: readonly Step[];
      readonly unless?: { readonly accepted: number; readonly since: StepId };
    }
  | {
      /**
       * Milliseconds; or until reads show what the scenario did last (G15); or what anybody did, and nobody writes until the
       * scenario ends.
       */
      readonly wait: number | { readonly guidance: StepId } | 'settle' | 'quiet';
      /** They count from the response to this step. */
      readonly since?: StepId;
    }
  /**
   * Sends `repeat`, `width` at a time, until `after` requests past the first response that is not a declared success, or the
   * budget ends; at that first response `during` and the requests of another caller are sent as well, each once.
   */
  | {
      readonly repeat: Step;
      readonly during?: Step;
      /** Requests of another caller, sent together. */
      readonly alongside?: readonly Step[];
      readonly width: number;
      readonly after: number;
      readonly max: number;
      readonly maxSeconds: number;
      /** Only a 429 or a 5xx counts as such a response: what cannot be done twice is refused at any pace. */
      readonly until?: 'throttled';
    }
  /**
   * Reads until the record is there, or is not, or `max` tries. With `queuedBy` it reads only if the response to that step was
   * 202, and may take longer.
   */
  | {
      readonly poll: Step;
      readonly until: 'found' | 'absent';
      readonly max: number;
      readonly queuedBy?: StepId;
    }
  | { readonly hook: string; readonly input: Readonly<Record<string, Json>>; readonly as: StepId }
  /**
   * Runs `waves` only where the response to a step was accepted, or where it was not, or where the service failed (5xx); where a
   * step of a burst was accepted, or not sent at all, as the burst met no limit (`unlimited`); where a burst read a page without
   * an item after one with items (`emptied`); or where the parts of a list that were read before this page of it do not show
   * the same items.
   */
  | {
      readonly when: {
        readonly step: StepId;
        readonly was: 'refused' | 'accepted' | 'failed' | 'unlimited' | 'emptied' | 'contradicted';
      };
      readonly waves: readonly Wave[];
    };

export type Role = 'control' | 'test' | 'readback' | 'setup';

/** What a step reads, for the clauses that compare several reads. */
export const observations = [
  /** The target record before the commands of the scenario, after them, and after their control. */
  'before',
  'after',
  'later',
  /** The target record before a command that may be queued (202), and again long after one command more. */
  'initial',
  'settled',
  /** A list in which records appear or disappear by them, likewise. */
  'list-before',
  'list-after',
  /** A page of the list that shows the target alone with what is like it, after a deletion. */
  'removed-page',
  /** The list that shows the target, before a command that changes it, after it, and again later; and the record behind that. */
  'item-before',
  'item',
  'item-again',
  'item-read',
  /** The record that a command made, under its ID; and the same, read until it appears. */
  'made',
  'arrival',
  /** A page of a list that is read to its end; the same list on smaller pages, and again on a large one. */
  'page',
  'small-page',
  'page-again',
  /** The beginning of a list on one page; and the same on smaller pages, between two of the former. */
  'whole-page',
  'part-of-page',
  'part-of-list',
  /** A page of a short list that its only writer reads to its end, twice. */
  'end-page',
  /** A page that another caller sees of its own list. */
  'own-page',
  /** A list or a search that no command is known to fill: what it shows may be about any record. */
  'unrelated',
  /** A list within a record, before anything is made in it. */
  'empty-list',
  /** Another record, or a list within it, before a command on one, or something is made within it, and after it. */
  'elsewhere-before',
  'elsewhere',
  /** The target of a command and the record next to it, before the command and after it. */
  'neighbour-before',
  'neighbour',
  /** The record within which something is made, or that holds the target. */
  'holder',
] as const;
export type Observes = (typeof observations)[number];

export type Step = {
  readonly id: StepId;
  readonly operation: OperationId;
  readonly as: PrincipalName;
  /** Whose values the parameters have that each caller fills in for itself, where they are not its own. */
  readonly within?: PrincipalName;
  readonly role: Role;
  /** For a control: the test request that it shows to differ in one factor only; `*` for every one of the scenario. */
  readonly controls?: StepId | '*';
  /** What it reads, where clauses compare it with other reads of the scenario. */
  readonly observes?: Observes;
  readonly target?: Readonly<Record<string, Ref>>;
  readonly query?: readonly (readonly [string, string | Ref])[];
  readonly headers?: readonly (readonly [string, string])[];
  /** Required query fields, headers and cookies that are left out; all others are sent. */
  readonly omits?: readonly string[];
  readonly path?: PathNoise | OtherPath;
  /** Sent in place of the method of the operation. */
  readonly method?: 'POST';
  readonly token?: TokenVariant;
  /** The token that a hook issued replaces the principal's own. */
  readonly bearer?: { readonly hook: StepId };
  readonly key: KeySpec;
  readonly body: BodySpec;
  readonly version?: VersionSpec;
  readonly verification?: VerificationSpec;
  readonly transport?: Transport;
  /** Milliseconds that `cut-after-send` leaves the service with the command before the connection is cut. */
  readonly leaves?: number;
  /** Milliseconds that it is sent after the other steps of its wave. */
  readonly delay?: number;
  /** Every way in which this step departs from a valid request; empty for a valid one. */
  readonly deviations: readonly Deviation[];
};

export type KeySpec =
  | { readonly use: 'none' }
  | { readonly use: 'named'; readonly name: Name }
  /** A key that differs from a named one in a detail that exact comparison must see. */
  | { readonly use: 'near'; readonly name: Name; readonly edit: KeyEdit }
  | { readonly use: 'literal'; readonly value: string }
  /** Two field lines, or one folded line, with two values. */
  | {
      readonly use: 'doubled';
      readonly name: Name;
      readonly second: Name;
      readonly form: 'two-lines' | 'folded';
    };

/** `suffix` puts `length` equal characters before one that differs; both members of the pair need the edit, with another `last`. */
export type KeyEdit =
  | { readonly kind: 'upper-case' | 'lower-case' }
  | { readonly kind: 'suffix'; readonly length: number; readonly last: string }
  | { readonly kind: 'followed'; readonly by: string }
  | { readonly kind: 'last-character'; readonly last: string }
  | { readonly kind: 'first-character'; readonly first: string }
  | { readonly kind: 'inner-space'; readonly spaces: number }
  /** Other ways to write the key that a careless service takes for the key. */
  | { readonly kind: 'without-dashes' | 'quoted' | 'percent-encoded' };

export type BodySpec =
  | { readonly use: 'none' }
  | { readonly use: 'named'; readonly name: Name; readonly edit?: BodyEdit; readonly form?: BodyForm }
  /** What a read by POST asks for, with the IDs of the target put in; it has no marker. */
  | { readonly use: 'asked'; readonly value: Json }
  /** Bytes as they stand, `${marker}` replaced by the marker of `name`. */
  | { readonly use: 'text'; readonly text: string; readonly name: Name; readonly mediaType?: string };

/** The name of the body that a step sends; undefined where it has none. */
export function bodyNameOf(body: BodySpec): Name | undefined {
  return 'name' in body ? body.name : undefined;
}

export type BodyEdit =
  | { readonly at: JsonPointer; readonly set: Json }
  | { readonly at: JsonPointer; readonly remove: true }
  | { readonly all: readonly BodyEdit[] };

/** How the same JSON value is written, or miswritten; `media` sends it under another media type. */
export type BodyForm =
  | 'reordered'
  | 'spaced'
  | 'escaped'
  /** As the one item of a list. */
  | 'listed'
  | 'cut'
  /** With a word behind it, which a parser that stops at its end never sees. */
  | 'followed'
  /** What some parsers take for JSON, though it is none. */
  | 'commented'
  | 'comma-ended'
  | 'not-a-number'
  | 'infinite'
  | 'invalid-utf8'
  /** What RFC 8259 leaves to the parser. */
  | 'byte-order-mark'
  | 'duplicated'
  | { readonly media: string };

export type PathNoise =
  | 'trailing-slash'
  | 'double-slash'
  /** The fixed parts of the path in capitals; its values are as they were. */
  | 'upper-case'
  | 'encoded'
  /** The second slash is encoded. */
  | 'encoded-slash'
  /** The last segment has a parameter (RFC 3986, 3.3), which some routers cut off. */
  | 'parameter'
  /** A letter or digit of each value in the path is encoded, which changes nothing (RFC 3986, 6.2.2.2). */
  | 'encoded-value'
  | 'dot-segment';
/** The path with another of the values to which one of its fields is limited, or with none of them. */
export type OtherPath = 'other-choice' | 'no-choice';

/**
 * How another version resembles the current one: with a letter, or a digit, after it, with a digit before it, without its
 * last character, or with nothing of it, which languages take for none.
 */
export type VersionLikeness = 'followed' | 'continued' | 'preceded' | 'cut' | 'nothing' | 'wrapped';

/** How a version in the body is written in another type than its own: `"7"` for `7`. */
export const versionTypes = ['text', 'number', 'true', 'null'] as const;
export type VersionType = (typeof versionTypes)[number];

export type VersionSpec =
  | {
      readonly use: 'of';
      readonly ref: Ref;
      readonly like?: VersionLikeness;
      readonly writtenAs?: VersionType;
    }
  | { readonly use: 'absent' }
  | { readonly use: 'literal'; readonly value: string };

/** How a verification resembles the one that was issued. */
export const alterations = ['flip-case', 'truncated', 'extended', 'middle-changed', 'end-changed'] as const;
export type Alteration = (typeof alterations)[number];

export type VerificationSpec =
  | { readonly use: 'hook'; readonly step: StepId; readonly altered?: Alteration }
  | { readonly use: 'absent' }
  | { readonly use: 'literal'; readonly value: string };

export const transports = [
  'pooled',
  'fresh',
  'raw',
  'cut-after-send',
  'cut-mid-body',
  'cut-on-answer',
] as const;
export type Transport = (typeof transports)[number];

/** Whether a hook makes the service fail at a step; one that only slows it brings no failure about. */
export function isMadeToFail({ deviations }: Pick<Step, 'deviations'>): boolean {
  return deviations.some((one) => one.kind === 'fault' && one.how !== 'slow');
}

/** The engine and many clauses ask for the steps of one scenario. */
export const stepsOf = remembered((waves: readonly Wave[]): readonly Step[] => waves.flatMap(stepsOfWave));

export function stepsOfWave(wave: Wave): readonly Step[] {
  if ('steps' in wave) return wave.steps;
  if ('repeat' in wave)
    return [wave.repeat, ...(wave.during === undefined ? [] : [wave.during]), ...(wave.alongside ?? [])];
  if ('poll' in wave) return [wave.poll];
  return 'when' in wave ? stepsOf(wave.waves) : [];
}
