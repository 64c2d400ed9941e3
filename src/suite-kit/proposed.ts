import { InputError, type Position, trouble } from '../model/input-error.ts';
import { messageOf } from '../model/thrown.ts';
import type { Planning, Proposal, Suite } from './suite.ts';

/** More proposals than any suite has: one that never stops would fill the memory. */
const mostProposals = 100_000;

/** A suite from a user's module, whose mistakes are reported with its file; types do not bind JavaScript. */
export function checkedSuite(file: string, suite: Suite): Suite {
  return { ...suite, propose: (planning) => checkedProposals(file, suite, planning) };
}

function* checkedProposals(file: string, suite: Suite, planning: Planning): Iterable<Proposal> {
  const refused = (problem: string, remedy: string, position?: Position): InputError =>
    trouble(file, `suite '${suite.name}': ${problem}`, remedy, position);
  const failed = (error: unknown): InputError =>
    error instanceof InputError
      ? error
      : refused(
          `propose failed (${messageOf(error).split('\n')[0]})`,
          'fix the module',
          placeIn(file, error),
        );
  const known: Known = {
    operations: new Set(
      [...planning.contract.operations, ...(planning.contract.leftOut ?? [])].map(({ id }) => id),
    ),
    principals: new Set(planning.principals.map(({ name }) => name)),
  };
  const seen = new Set<string>();
  const iterator = attempted((): Iterator<unknown> | undefined => {
    const proposals: unknown = suite.propose(planning);
    return isIterable(proposals) ? proposals[Symbol.iterator]() : undefined;
  }, failed);
  if (iterator === undefined)
    throw refused(
      'propose does not return proposals',
      'write it as a generator, `*propose(...)`, that is not async',
    );
  for (let count = 1; ; count += 1) {
    const { done, value } = attempted(() => iterator.next(), failed);
    if (done === true) return;
    if (count > mostProposals)
      throw refused(`propose does not end after ${mostProposals} proposals`, 'propose fewer');
    const mistake = attempted(() => mistakeIn(value, known), failed);
    if (mistake !== undefined || !isProposal(value))
      throw refused(`proposal ${count}: ${mistake}`, 'compare it with docs/own-suites.md');
    if (value.kind === 'probe') {
      const id = `${value.operation} ${value.id}`;
      if (seen.has(id))
        throw refused(
          `proposal ${count}: there is already a probe '${value.id}' on ${value.operation}`,
          'give it another name',
        );
      seen.add(id);
    }
    yield value;
  }
}

function attempted<T>(work: () => T, failed: (error: unknown) => InputError): T {
  try {
    return work();
  } catch (error) {
    throw failed(error);
  }
}

/** Where in the module it was thrown. */
function placeIn(file: string, error: unknown): Position | undefined {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const line = (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .find((one) => one.includes(`/${encodeURI(name)}:`));
  const found = /:(\d+):(\d+)\)?$/.exec(line ?? '');
  return found === null ? undefined : { line: Number(found[1]), column: Number(found[2]) };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.iterator in value &&
    typeof value[Symbol.iterator] === 'function'
  );
}

/** Only of a value in which `mistakeIn` finds nothing. */
function isProposal(value: unknown): value is Proposal {
  return isRecord(value) && (value.kind === 'probe' || value.kind === 'skip');
}

type Known = { readonly operations: ReadonlySet<unknown>; readonly principals: ReadonlySet<unknown> };

/** The first thing in a proposal that no probe can be run with, in words; the rest is the suite's own affair. */
function mistakeIn(proposal: unknown, known: Known): string | undefined {
  if (!isRecord(proposal)) return 'it is not an object';
  const { kind, id, operation, clauses, need, scenarios, random } = proposal;
  if (kind !== 'probe' && kind !== 'skip') return "'kind' must be 'probe' or 'skip'";
  if (!known.operations.has(operation)) return noSuch('operation', 'operation', operation);
  if (!Array.isArray(clauses) || !clauses.every((code) => isText(code)))
    return "'clauses' must be a list of clause codes";
  if (kind === 'skip')
    return isRecord(need) && isText(need.kind) && isText(need.remedy)
      ? undefined
      : "'need' must be an object with 'kind' and 'remedy'";
  if (!isText(id)) return "'id' must be a text";
  if (!Array.isArray(scenarios)) return "'scenarios' must be a list";
  if (random !== undefined && !isRandom(random))
    return "'random' must be an object with 'arbitrary', from fast-check, and 'runs', a whole number";
  return firstOf(scenarios, 'scenarios', (scenario, at) => mistakeInScenario(scenario, at, known));
}

function isRandom(value: unknown): boolean {
  return (
    isRecord(value) &&
    Number.isInteger(value.runs) &&
    isRecord(value.arbitrary) &&
    typeof value.arbitrary.generate === 'function'
  );
}

function mistakeInScenario(scenario: unknown, at: string, known: Known): string | undefined {
  if (!isRecord(scenario)) return `'${at}' must be an object`;
  if (!isText(scenario.title)) return `'${at}.title' must be a text`;
  const { bodies } = scenario;
  if (!isRecord(bodies) || !Object.values(bodies).every((body) => isRecord(body) && 'value' in body))
    return `'${at}.bodies' must be an object whose members have a 'value'`;
  return mistakeInWaves(scenario.waves, `${at}.waves`, known);
}

function mistakeInWaves(waves: unknown, at: string, known: Known): string | undefined {
  if (!Array.isArray(waves)) return `'${at}' must be a list`;
  return firstOf(waves, at, (wave, place) => {
    if (!isRecord(wave)) return `'${place}' must be an object`;
    if ('steps' in wave)
      return Array.isArray(wave.steps)
        ? firstOf(wave.steps, `${place}.steps`, (step, inner) => mistakeInStep(step, inner, known))
        : `'${place}.steps' must be a list of steps`;
    if ('repeat' in wave) return mistakeInStep(wave.repeat, `${place}.repeat`, known);
    if ('poll' in wave) return mistakeInStep(wave.poll, `${place}.poll`, known);
    if ('when' in wave) return mistakeInWaves(wave.waves, `${place}.waves`, known);
    if ('wait' in wave || 'hook' in wave) return undefined;
    return `'${place}' must have one of steps, wait, repeat, poll, hook, when`;
  });
}

function mistakeInStep(step: unknown, at: string, known: Known): string | undefined {
  if (!isRecord(step)) return `'${at}' must be an object`;
  if (!isText(step.id)) return `'${at}.id' must be a text`;
  if (!known.operations.has(step.operation)) return noSuch(`${at}.operation`, 'operation', step.operation);
  if (!known.principals.has(step.as)) return noSuch(`${at}.as`, 'principal', step.as);
  if (!isText(step.role)) return `'${at}.role' must be a text`;
  for (const name of ['key', 'body']) {
    const member = step[name];
    if (!isRecord(member) || !isText(member.use)) return `'${at}.${name}' must be an object with 'use'`;
  }
  for (const name of ['deviations', 'headers', 'query', 'omits']) {
    const list = step[name];
    if (name === 'deviations' ? !Array.isArray(list) : list !== undefined && !Array.isArray(list))
      return `'${at}.${name}' must be a list`;
  }
  return undefined;
}

function noSuch(at: string, what: string, name: unknown): string {
  return isText(name) ? `'${at}': there is no ${what} '${name}'` : `'${at}' must be a text`;
}

function firstOf(
  list: readonly unknown[],
  at: string,
  mistake: (item: unknown, at: string) => string | undefined,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const found = mistake(item, `${at}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
