import { type Choices, type Command, type Defect, defects, possible, wavesOf } from './key-service.ts';

export type Explanation =
  | { readonly explained: true }
  /** Each of these defects alone would explain the history, or else its smallest unexplained part; the likeliest first. */
  | { readonly explained: false; readonly defects: readonly Defect[] };

/** Whether some order of each wave lets a correct service respond so: a key is unused, or bound to one request. */
export function explain(history: readonly Command[], choices: Choices): Explanation {
  if (possible(history, choices)) return { explained: true };
  const alone = (commands: readonly Command[], loosely = false): readonly Defect[] =>
    defects.filter((defect) => possible(commands, choices, defect, loosely));
  const begin = firstUnexplained(history, choices);
  const core = smallest(begin, choices);
  const ordered = (candidates: readonly Defect[]): Explanation => ({
    explained: false,
    defects: [
      ...candidates.filter((defect) => fits(defect, core)),
      ...candidates.filter((defect) => !fits(defect, core)),
    ],
  });
  const whole = alone(history);
  if (whole.length > 0) return ordered(whole);
  const start = alone(begin);
  if (start.length > 0) return ordered(start);
  return ordered(alone(onlyThese(begin, core), true));
}

/** Commands without a duplicate, or without another request, make another defect likelier. */
function fits(defect: Defect, core: readonly Command[]): boolean {
  if (core.length < 2) return true;
  const some = (matches: (one: Command, other: Command) => boolean): boolean =>
    core.some((one, index) =>
      core.slice(index + 1).some((other) => one.key === other.key && matches(one, other)),
    );
  if (defect === 'duplicate' || defect === 'race')
    return some((one, other) => one.caller === other.caller && one.body === other.body);
  if (defect === 'other-key') return new Set(core.map(({ key }) => key)).size > 1;
  if (defect === 'unused-key') return core.some(({ outcome }) => outcome.kind === 'conflict');
  return (
    defect !== 'other-request' ||
    some((one, other) => one.body !== other.body || one.operation !== other.operation)
  );
}

/** The fewest commands that cannot all be right: of several sets the simplest, and of these the earliest. */
export function smallestUnexplained(history: readonly Command[], choices: Choices): readonly Command[] {
  return smallest(firstUnexplained(history, choices), choices);
}

/** The history up to the wave that first leaves no explanation: what comes later may only follow from it. */
function firstUnexplained(history: readonly Command[], choices: Choices): readonly Command[] {
  const upTo = (wave: number): readonly Command[] => history.filter((command) => command.wave <= wave);
  const last = wavesOf(history).find((wave) => !possible(upTo(wave), choices));
  return last === undefined ? history : upTo(last);
}

/** The history where nothing is known of what became of the other commands. */
function onlyThese(history: readonly Command[], kept: readonly Command[]): readonly Command[] {
  return history.map((command) =>
    kept.includes(command) ? command : { ...command, outcome: { kind: 'unknown' } },
  );
}

/** To know less of a command never makes a history harder to explain. */
function smallest(history: readonly Command[], choices: Choices): readonly Command[] {
  const wrong = (kept: readonly Command[]): boolean => !possible(onlyThese(history, kept), choices);
  const last = Math.max(...history.map(({ wave }) => wave));
  for (const size of [1, 2, 3]) {
    const narrowest = choose(history, size)
      // What came before can be explained.
      .filter((kept) => kept.some(({ wave }) => wave === last))
      .sort((one, other) => breadth(one) - breadth(other))
      .find(wrong);
    if (narrowest !== undefined) return narrowest;
  }
  return history.reduce<readonly Command[]>((kept, command) => {
    const fewer = kept.filter((each) => each !== command);
    return wrong(fewer) ? fewer : kept;
  }, history);
}

function choose<T>(items: readonly T[], size: number): (readonly T[])[] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    choose(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

function breadth(commands: readonly Command[]): number {
  const weigh = (of: (command: Command) => string, weight: number): number =>
    new Set(commands.map(of)).size * weight;
  return (
    weigh(({ key }) => key, 1000) +
    weigh(({ caller }) => caller, 100) +
    weigh(({ operation }) => operation, 10) +
    // Two results that cannot both be right say more than a refusal that cannot.
    commands.filter(({ outcome }) => outcome.kind !== 'accepted').length
  );
}
