/** A text as it may be read once one encoding is undone, and where in its original each character comes from. */
export type Decoded = {
  readonly text: string;
  /** Another way to see the same characters: it costs no depth. */
  readonly same?: true;
  /** What was undone; undefined for escapes, which are part of the form of a text. */
  readonly form: string | undefined;
  readonly startOf: (index: number) => number;
  /** Where the character at this index ends. */
  readonly endOf: (index: number) => number;
};
