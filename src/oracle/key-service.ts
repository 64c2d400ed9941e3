import type { Declared } from '../model/declaration.ts';

export type CommandResult =
  | { readonly kind: 'accepted'; readonly result: string | undefined }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'throttled' }
  /** No response, or a failure of the service: it may have had its effect or not. */
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
  readonly outcome: CommandResult;
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

/** One way to be wrong: what a service whose only defect it is does differently. The narrowest first. */
export const defects = [
  /** A later duplicate gets another result, or another failure class. */
  'duplicate',
  /** Parallel duplicates of a first use win more than once, or never. */
  'race',
  /** Another request under a bound key is carried out, or gets the stored result. */
  'other-request',
  /** The key of one operation counts for another. */
  'other-operation',
  /** The key of one caller counts for another. */
  'other-caller',
  /** Another key opens a result, or its equal request is refused. */
  'other-key',
  /** A throttled command occupies its key. */
  'throttled',
  /** A conflict under a key that nobody used. */
  'unused-key',
] as const;
export type Defect = (typeof defects)[number];

export function choicesOf({ G1, G18, G19 }: Pick<Declared, 'G1' | 'G18' | 'G19'>): Choices {
  return { duplicates: G1, keySpace: G18, equalBodies: G19 === 'conflict' };
}

type Binding = {
  readonly scope: string | undefined;
  readonly caller: string;
  readonly key: string;
  readonly operation: string;
  readonly request: string;
  /** In this wave it was in flight. */
  readonly wave: number;
  /** Undefined while nobody saw the result. */
  readonly result: string | undefined;
  /** The command was refused, or failed: its key was in flight, and may be free after the wave. */
  readonly refused?: true;
};
type Bindings = ReadonlyMap<string, Binding>;

/** Whether a service without a defect, or with this one alone, may have given these outcomes. */
export function possible(
  commands: readonly Command[],
  choices: Choices,
  defect?: Defect,
  loosely = false,
): boolean {
  return spacesOf(choices, defect).some(
    (space) => states(commands, { space, choices, defect, loosely }).length > 0,
  );
}

/** What is declared of the key space binds, except where the service is taken to be wrong in just that. */
function spacesOf({ keySpace }: Choices, defect: Defect | undefined): readonly KeySpace[] {
  if (keySpace === undefined) return keySpaces;
  const perOperation = keySpace.endsWith('operation');
  if (defect === 'other-caller')
    return perOperation ? ['caller-operation', 'tenant-operation'] : ['caller', 'tenant', 'global'];
  if (defect === 'other-operation' && keySpace !== 'global')
    return keySpace.startsWith('caller') ? ['caller', 'caller-operation'] : ['tenant', 'tenant-operation'];
  return [keySpace];
}

/** How a service is taken to work. */
type KeyService = {
  readonly space: KeySpace;
  readonly choices: Choices;
  readonly defect: Defect | undefined;
  /** Another request is one of another caller or operation as well. */
  readonly loosely: boolean;
};

/** A command with what is asked of it again and again. */
type Prepared = Command & {
  readonly name: string;
  readonly request: string;
  /** An equal command of the same wave has its key. */
  readonly racing: boolean;
};

function prepare(commands: readonly Command[], space: KeySpace): readonly Prepared[] {
  return commands.map((command) => ({
    ...command,
    name: nameOf(command, space),
    request: JSON.stringify([command.operation, command.body]),
    racing: commands.some(
      (other) =>
        other !== command &&
        other.wave === command.wave &&
        other.key === command.key &&
        other.body === command.body &&
        other.operation === command.operation,
    ),
  }));
}

/** All states that such a service may be in after these commands; none where they cannot be explained. */
function states(all: readonly Command[], service: KeyService): readonly Bindings[] {
  const commands = informative(prepare(all, service.space));
  let reached: readonly Bindings[] = [new Map()];
  for (const wave of wavesOf(commands)) {
    if (reached.length === 0) return [];
    const members = commands.filter((command) => command.wave === wave);
    reached = distinct(
      orders(members)
        .flatMap((order) =>
          order.reduce<readonly Bindings[]>(
            (before, command) => distinct(before.flatMap((state) => after(state, command, service))),
            reached,
          ),
        )
        .flatMap((state) => [state, released(state, wave)]),
    );
  }
  return reached;
}

/** Without commands of unknown outcome that share neither key nor request with any that is known. */
function informative(commands: readonly Prepared[]): readonly Prepared[] {
  const known = commands.filter(({ outcome }) => outcome.kind !== 'unknown');
  const names = new Set(known.map(({ name }) => name));
  const requests = new Set(known.map(({ request }) => request));
  return commands.filter(
    ({ name, outcome, request }) => outcome.kind !== 'unknown' || names.has(name) || requests.has(request),
  );
}

function released(state: Bindings, wave: number): Bindings {
  const held = (one: Binding): boolean =>
    one.refused !== true || one.result !== undefined || one.wave !== wave;
  return new Map([...state].filter(([, one]) => held(one)));
}

function distinct(all: readonly Bindings[]): readonly Bindings[] {
  return all.length < 2 ? all : [...new Map(all.map((state) => [textOf(state), state])).values()];
}

function textOf(state: Bindings): string {
  return [...state]
    .map(([name, { caller, refused = false, request, result, scope, wave }]) =>
      [name, caller, scope ?? '', request, wave, result ?? '', refused].join('\t'),
    )
    .sort()
    .join('\n');
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
function after(state: Bindings, command: Prepared, service: KeyService): readonly Bindings[] {
  const { choices, defect } = service;
  const { name, outcome, racing, request } = command;
  const bound = state.get(name);
  const bind = (result: string | undefined, more: Pick<Binding, 'refused'> = {}): Bindings =>
    new Map(state).set(name, {
      scope: command.scope,
      caller: command.caller,
      key: command.key,
      operation: command.operation,
      request,
      wave: bound?.wave ?? command.wave,
      result,
      ...more,
    });
  const own = (result: string | undefined): boolean => !isOthers(state, command, result, defect);
  if (bound !== undefined && isLapse(bound, command, service)) {
    if (outcome.kind !== 'accepted') return [state, bind(undefined)];
    if (outcome.result !== bound.result && !own(outcome.result)) return [];
    // With a result of its own the command of another caller or operation is right.
    if (defect === 'other-caller' || defect === 'other-operation')
      return [undefined, bound.result].includes(outcome.result) ? [state] : [];
    return [issued(state, command, outcome.result), bind(outcome.result)];
  }
  if (outcome.kind === 'throttled')
    return defect === 'throttled' && bound === undefined ? [state, bind(undefined)] : [state];
  // A refusal in another class may be stored under its key (G5), and contradicts only a result that was seen.
  if (outcome.kind === 'other') {
    if (bound === undefined) return [state, bind(undefined), bind(undefined, { refused: true })];
    return bound.request === request && bound.caller === command.caller && bound.result !== undefined
      ? []
      : [state];
  }
  if (bound === undefined) {
    if (outcome.kind === 'unknown') return [state, bind(undefined), bind(undefined, { refused: true })];
    if (outcome.kind === 'accepted') return own(outcome.result) ? [bind(outcome.result)] : [];
    if (defect === 'race' && racing) return [state, bind(undefined)];
    const others = [...state.values()];
    const equal = others.some(
      (each) =>
        each.request === request &&
        (choices.equalBodies || (defect === 'other-key' && each.key !== command.key)),
    );
    // A key that another caller or operation has used is not one that nobody used.
    const unused = defect === 'unused-key' && others.every((each) => each.key !== command.key);
    if (equal && choices.equalBodies) return [state, bind(undefined, { refused: true })];
    return equal || unused ? [state] : [];
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
  if (bound.result === undefined)
    return own(outcome.result) ? [new Map(state).set(name, { ...bound, result: outcome.result })] : [];
  return outcome.result === undefined || outcome.result === bound.result ? [state] : [];
}

/** Whether the defect of the service leaves the outcome of a command under a bound key open. */
function isLapse(bound: Binding, command: Prepared, { defect, loosely }: KeyService): boolean {
  const sameCaller = bound.caller === command.caller;
  const sameOperation = bound.operation === command.operation;
  const same = sameCaller && bound.request === command.request;
  if (defect === 'duplicate') return same && bound.wave < command.wave;
  if (defect === 'race') return same && bound.wave === command.wave;
  if (defect === 'other-request') {
    if (loosely) return !same;
    // Who gets the result of another operation meets the next defect.
    const isOwn = command.outcome.kind === 'accepted' && command.outcome.result !== bound.result;
    return bound.scope === command.scope && bound.request !== command.request && (sameOperation || isOwn);
  }
  if (defect === 'other-operation') return sameCaller && !sameOperation;
  return defect === 'other-caller' && !sameCaller;
}

/** The state that remembers whose result it was, though nothing is bound to it. */
function issued(state: Bindings, command: Prepared, result: string | undefined): Bindings {
  const { caller, key, operation, scope, wave } = command;
  return result === undefined
    ? state
    : new Map(state).set(`issued ${result}`, {
        caller,
        key,
        operation,
        scope,
        wave,
        request: command.request,
        result,
      });
}

/** Whether a result is one that another command has: no two commands share one. */
function isOthers(
  state: Bindings,
  { caller, key, request }: Prepared,
  result: string | undefined,
  defect: Defect | undefined,
): boolean {
  return (
    result !== undefined &&
    [...state.values()].some(
      (each) =>
        each.result === result &&
        (each.key === key ? each.caller !== caller || each.request !== request : defect !== 'other-key'),
    )
  );
}

export function wavesOf(commands: readonly Command[]): readonly number[] {
  return [...new Set(commands.map((command) => command.wave))].sort((one, other) => one - other);
}
