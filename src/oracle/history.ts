import type { Json } from '../model/json.ts';

/** What a command of a history came to. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly result: string | undefined }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'throttled' }
  /** No answer, or a failure of the service: it may have had its effect or not. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other'; readonly status: number };

/** One command of a history. Commands of one wave were sent at once. */
export type Command = {
  readonly id: string;
  readonly wave: number;
  readonly key: string;
  readonly caller: string;
  readonly scope: string | undefined;
  readonly operation: string;
  /** Equal for equal requests of one operation. */
  readonly body: string;
  readonly outcome: Outcome;
};

/** Within what a key is unique (open point G18). */
export type KeySpace = 'caller' | 'caller-operation' | 'tenant' | 'tenant-operation' | 'global';
const keySpaces: readonly KeySpace[] = ['caller', 'caller-operation', 'tenant', 'tenant-operation', 'global'];

export type Choices = {
  /** G1. */
  readonly duplicates: 'replay' | 'conflict' | undefined;
  /** G18; undefined: any of them, but one for the whole history. */
  readonly keySpace: KeySpace | undefined;
  /** G19: an equal body under another key may be refused. */
  readonly equalBodies: boolean;
};

export type Explanation =
  | { readonly explained: true }
  /** `culprit`: without it the history up to its wave can be explained. */
  | { readonly explained: false; readonly culprit: Command };

/** Reads the declared choices at the open points. */
export function choicesOf(declaration: Readonly<Partial<Record<string, Json>>>): Choices {
  const { G1, G18, G19 } = declaration;
  return {
    duplicates: G1 === 'replay' || G1 === 'conflict' ? G1 : undefined,
    keySpace: keySpaces.find((space) => space === G18),
    equalBodies: G19 === 'conflict',
  };
}

/** What a key is bound to. */
type Binding = {
  readonly scope: string | undefined;
  readonly caller: string;
  readonly request: string;
  /** In this wave it was in flight. */
  readonly wave: number;
  /** Undefined while nobody saw the result. */
  readonly result: string | undefined;
};
type State = ReadonlyMap<string, Binding>;

/**
 * Whether some order of the commands of each wave, under one reading of the key space, lets a correct service give
 * these answers: a key is unused or bound to one request and its result (Limits, 2; POST /cases, rule 4).
 */
export function explain(history: readonly Command[], choices: Choices): Explanation {
  const waves = [...new Set(history.map((command) => command.wave))].sort((one, other) => one - other);
  const spaces = choices.keySpace === undefined ? keySpaces : [choices.keySpace];
  const upTo = (wave: number, without?: Command): boolean => {
    const commands = history.filter((command) => command.wave <= wave && command !== without);
    return spaces.some((space) => states(commands, space, choices).length > 0);
  };
  for (const wave of waves) {
    if (upTo(wave)) continue;
    const members = history.filter((command) => command.wave === wave);
    // Of several that would do, the one whose key was used before tells most.
    const suspects = members.filter((command) => upTo(wave, command));
    const culprit =
      suspects.find((command) => history.some((other) => other.wave < wave && other.key === command.key)) ??
      suspects[0] ??
      members[0];
    if (culprit !== undefined) return { explained: false, culprit };
  }
  return { explained: true };
}

/** All states that a correct service may be in after these commands; none where they cannot be explained. */
function states(commands: readonly Command[], space: KeySpace, choices: Choices): readonly State[] {
  let reached: readonly State[] = [new Map()];
  const waves = [...new Set(commands.map((command) => command.wave))].sort((one, other) => one - other);
  for (const wave of waves) {
    const members = commands.filter((command) => command.wave === wave);
    reached = distinct(
      reached.flatMap((state) =>
        orders(members).flatMap((order) =>
          order.reduce<readonly State[]>(
            (possible, command) => possible.flatMap((before) => after(before, command, space, choices)),
            [state],
          ),
        ),
      ),
    );
  }
  return reached;
}

function distinct(all: readonly State[]): readonly State[] {
  return [...new Map(all.map((state) => [JSON.stringify([...state].sort()), state])).values()];
}

function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    orders([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

function nameOf({ caller, key, operation, scope }: Command, space: KeySpace): string {
  if (space === 'caller') return JSON.stringify([caller, key]);
  if (space === 'caller-operation') return JSON.stringify([caller, operation, key]);
  if (space === 'tenant') return JSON.stringify([scope ?? null, key]);
  return JSON.stringify(space === 'global' ? [key] : [scope ?? null, operation, key]);
}

/** The states after one command; none where its outcome is not one that the state allows. */
function after(state: State, command: Command, space: KeySpace, choices: Choices): readonly State[] {
  const { outcome } = command;
  const name = nameOf(command, space);
  const request = JSON.stringify([command.operation, command.body]);
  const bound = state.get(name);
  const bind = (result: string | undefined): State =>
    new Map(state).set(name, {
      scope: command.scope,
      caller: command.caller,
      request,
      wave: bound?.wave ?? command.wave,
      result,
    });
  if (outcome.kind === 'throttled') return [state];
  // A refusal in another class says nothing of keys, unless the same request was accepted under this one.
  if (outcome.kind === 'other')
    return bound?.request === request && bound.caller === command.caller && bound.result !== undefined
      ? []
      : [state];
  if (bound === undefined) {
    if (outcome.kind === 'unknown') return [state, bind(undefined)];
    if (outcome.kind === 'conflict')
      return choices.equalBodies && [...state.values()].some((each) => each.request === request)
        ? [state]
        : [];
    return isOthers(state, outcome.result) ? [] : [bind(outcome.result)];
  }
  if (outcome.kind === 'unknown') return [state];
  const same = bound.request === request && bound.scope === command.scope;
  // What is declared is about finished commands: one that is in flight may be refused all the same.
  if (outcome.kind === 'conflict')
    return same &&
      bound.caller === command.caller &&
      bound.wave < command.wave &&
      choices.duplicates === 'replay'
      ? []
      : [state];
  if (!same || (choices.duplicates === 'conflict' && bound.caller === command.caller)) return [];
  if (bound.result === undefined) return isOthers(state, outcome.result) ? [] : [bind(outcome.result)];
  return outcome.result === undefined || outcome.result === bound.result ? [state] : [];
}

/** Whether a result is one that another command has: no two commands share one. */
function isOthers(state: State, result: string | undefined): boolean {
  return result !== undefined && [...state.values()].some((each) => each.result === result);
}
