import vm from 'node:vm';

/** Says whether a text contains a match of a pattern. Where that is not known in time, it says yes, and reports the doubt. */
export type Matches = (text: string) => boolean;

/** So long a pattern may compute on a text. */
const longestMs = 100;
/** How long each attempt may last by the clock: on a busy machine the process may get little of that time to compute. */
const attemptsMs = [longestMs, 4 * longestMs, 16 * longestMs, 64 * longestMs];
/** Steps that backtracking may take without being watched. */
const mostSteps = 1e6;
/** After so many texts on which a pattern took too long, it is tried no more. */
const mostGivenUp = 3;
const mostRemembered = 2000;

/**
 * A pattern under a limit of computing time: contracts are written by others, and `^(a+)+$` can take longer than any run.
 * Patterns that cannot take long, on texts that are not long, run as they are; the others can be interrupted.
 * @param doubted called where it is not known in time whether a text matches
 * @throws SyntaxError where the pattern is none
 */
export function matcherOf(source: string, doubted: () => void = () => undefined): Matches {
  const regex = new RegExp(source, 'u');
  const effort = effortOf(source);
  const remembered = new Map<string, boolean | 'doubt'>();
  /** Of a realm of its own, in which what runs can be interrupted. */
  const context = { regex, text: '' };
  let script: vm.Script | undefined;
  let givenUp = 0;
  const tried = (text: string): boolean | 'doubt' => {
    if (script === undefined) {
      script = new vm.Script('regex.test(text)');
      vm.createContext(context);
    }
    context.text = text;
    for (const timeout of attemptsMs) {
      const start = process.cpuUsage();
      try {
        return script.runInContext(context, { timeout }) === true;
      } catch {
        const { system, user } = process.cpuUsage(start);
        if ((user + system) / 1000 >= 0.9 * longestMs) break;
      }
    }
    givenUp += 1;
    return 'doubt';
  };
  const guarded = (text: string): boolean => {
    const known = remembered.get(text) ?? (givenUp >= mostGivenUp ? 'doubt' : tried(text));
    if (remembered.size >= mostRemembered) remembered.clear();
    if (text.length < 1000) remembered.set(text, known);
    if (known === 'doubt') doubted();
    return known !== false;
  };
  return (text) =>
    effort !== undefined && text.length ** (effort.repeats + 1) * effort.ways <= mostSteps
      ? regex.test(text)
      : guarded(text);
}

/** How ajv is to make its regular expressions: `code: { regExp: ajvPatterns }`. It knows each by its text. */
export const ajvPatterns = ajvPatternsWith(() => undefined);

export function ajvPatternsWith(doubted: () => void) {
  return Object.assign((source: string) => ({ test: matcherOf(source, doubted), toString: () => source }), {
    code: 'matcherOf',
  });
}

/**
 * How many steps a match may take: the length of the text to the power of the parts that repeat, for each way through the
 * others. Undefined where it may take more. That V8 finds most ends early is not counted on: it stops to look ahead once
 * a process has compiled many patterns.
 */
function effortOf(source: string): { readonly repeats: number; readonly ways: number } | undefined {
  let repeats = 0;
  let ways = 1;
  /** Of each open group: whether there is more than one way to match it, and how many alternatives it has. */
  const open: { varies: boolean; alternatives: number }[] = [];
  const outside = { varies: false, alternatives: 1 };
  const vary = (): void => {
    for (const group of open) group.varies = true;
  };
  let closed: boolean | undefined;
  let inside = false;
  for (let at = 0; at < source.length; at += 1) {
    const letter = source[at] ?? '';
    const quantifier = inside ? undefined : quantifierAt(source, at);
    if (quantifier !== undefined) {
      const { least, most } = quantifier;
      const isLong = least === most ? most > longestCount : most > longestRange;
      if (closed === true && most > fewTimes) return undefined;
      if (isLong) repeats += 1;
      else ways *= closed === true ? 2 ** most : most - least + 1;
      if (least !== most) vary();
      at += quantifier.length - 1;
      closed = undefined;
      continue;
    }
    closed = undefined;
    if (letter === '\\') {
      // What a group matched may be long, and may be anything.
      if (!inside && /[1-9k]/.test(source[at + 1] ?? '')) return undefined;
      at += 1;
    } else if (inside) inside = letter !== ']';
    else if (letter === '[') inside = true;
    else if (letter === '(') open.push({ varies: false, alternatives: 1 });
    else if (letter === '|') {
      const group = open.at(-1) ?? outside;
      ways *= (group.alternatives + 1) / group.alternatives;
      group.alternatives += 1;
      vary();
    } else if (letter === ')') closed = open.pop()?.varies;
  }
  return { repeats, ways };
}

/** Counts up to these cost no more than other parts. */
const longestCount = 64;
const longestRange = 16;
/** A group that matches in several ways may come so often: each time multiplies them. */
const fewTimes = 4;

function quantifierAt(
  source: string,
  at: number,
): { readonly length: number; readonly least: number; readonly most: number } | undefined {
  const [whole, from, comma, to] =
    /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(source.slice(at, at + 24)) ?? [];
  // The mark of a group: `(?:`.
  if (whole === undefined || source[at - 1] === '(') return undefined;
  const { length } = whole;
  if (from === undefined)
    return {
      length,
      least: whole.startsWith('+') ? 1 : 0,
      most: whole.startsWith('?') ? 1 : Number.POSITIVE_INFINITY,
    };
  const least = Number(from);
  if (comma === undefined) return { length, least, most: least };
  return { length, least, most: to === '' || to === undefined ? Number.POSITIVE_INFINITY : Number(to) };
}
