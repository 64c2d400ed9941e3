import fc from 'fast-check';

/** How often a value is drawn again before the fallback takes its place. */
const TRIES = 40;

/**
 * The values that pass. Unlike `filter` it always ends: after {@link TRIES} refusals it gives `fallback`. A source that is
 * slow to make is given as a function, which is called when the first value is drawn.
 */
export function bounded<T>(
  source: fc.Arbitrary<T> | (() => fc.Arbitrary<T>),
  passes: (value: T) => boolean,
  fallback: T,
): fc.Arbitrary<T> {
  return new Bounded(typeof source === 'function' ? source : () => source, passes, fallback);
}

class Bounded<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  readonly #passes: (value: T) => boolean;
  readonly #fallback: T;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>, passes: (value: T) => boolean, fallback: T) {
    super();
    this.#make = make;
    this.#passes = passes;
    this.#fallback = fallback;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (let tries = 0; tries < TRIES; tries++) {
      const drawn = this.#source.generate(random, bias);
      if (this.#passes(drawn.value_)) return this.#remember(drawn);
    }
    return new fc.Value(this.#fallback, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#source.canShrinkWithoutContext(value) && this.#passes(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    if (context === undefined && !this.#source.canShrinkWithoutContext(value)) return fc.Stream.nil();
    const inner = context instanceof Remembered ? context.inner : context;
    return this.#source
      .shrink(value, inner)
      .filter((smaller) => this.#passes(smaller.value_))
      .map((smaller) => this.#remember(smaller));
  }

  get #source(): fc.Arbitrary<T> {
    this.#made ??= this.#make();
    return this.#made;
  }

  #remember(drawn: fc.Value<T>): fc.Value<T> {
    return new fc.Value(drawn.value_, new Remembered(drawn.context));
  }
}

class Remembered {
  readonly inner: unknown;
  constructor(inner: unknown) {
    this.inner = inner;
  }
}
