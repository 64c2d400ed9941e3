import { isObject } from '../model/json.ts';
import { fromFormat2 } from './earlier.ts';
import type { HeaderLine, LogLine } from './log.ts';
import { earlierFormat, evidenceFormat } from './schema.ts';

/** The line of a log in a text; undefined where the text is not one that a run writes in that format. */
export function logLineOf(text: string, format: HeaderLine['format'] = evidenceFormat): LogLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (format === earlierFormat) value = fromFormat2(value);
  return isLine(value) ? value : undefined;
}

/**
 * Whether all members that judging and rendering build on are there, with their types: a line altered by hand must be
 * refused as broken, and never end in a TypeError further on. Values inside a scenario are guarded where they are read.
 */
function isLine(value: unknown): value is LogLine {
  if (!isObject(value)) return false;
  switch (value['line']) {
    case 'header':
      return isHeader(value);
    case 'plan':
      return isArray(value['probes']) && value['probes'].every(isProbe);
    case 'skip':
      return (
        isText(value['suite']) &&
        isText(value['operation']) &&
        isTexts(value['clauses']) &&
        isObject(value['need']) &&
        isText(value['need']['kind']) &&
        isText(value['need']['remedy'])
      );
    case 'exchange':
      return isExchange(value['exchange']);
    case 'trace':
      return isTrace(value['trace']) && isTexts(value['exchanges']);
    case 'effects':
      return isText(value['trace']) && (value['effects'] === 'none' || isEffects(value['effects']));
    case 'stop':
      return isStop(value['stop']);
    case 'segment':
      return isSegment(value);
    case 'footer':
      return isFooter(value);
    default:
      return false;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isTexts = (value: unknown): boolean => isArray(value) && value.every(isText);
const isPairs = (value: unknown): boolean =>
  isArray(value) && value.every((pair) => isArray(pair) && pair.length === 2 && pair.every(isText));
const optional = (value: unknown, is: (value: unknown) => boolean): boolean =>
  value === undefined || is(value);

function isHeader(value: Readonly<Record<string, unknown>>): boolean {
  const { contract, configuration, suites, target, limits, environment, harness, principals } = value;
  return (
    isObject(harness) &&
    isText(harness['name']) &&
    isText(harness['version']) &&
    isObject(contract) &&
    ['title', 'version', 'digest', 'file', 'text'].every((name) => isText(contract[name])) &&
    optional(
      contract['alongside'],
      (files) =>
        isArray(files) &&
        files.every((each) => isObject(each) && isText(each['file']) && isText(each['text'])),
    ) &&
    isObject(configuration) &&
    isText(configuration['file']) &&
    isText(configuration['digest']) &&
    isObject(suites) &&
    isText(suites['digest']) &&
    isTexts(suites['names']) &&
    isObject(value['declaration']) &&
    isArray(principals) &&
    principals.every(
      (each) =>
        isObject(each) &&
        isText(each['name']) &&
        isText(each['token']) &&
        isTexts(each['permissions']) &&
        optional(each['from'], isOrigin),
    ) &&
    isNumber(value['seed']) &&
    isText(value['nonce']) &&
    isText(value['budget']) &&
    isObject(limits) &&
    isNumber(limits['maxRequests']) &&
    isNumber(limits['maxSeconds']) &&
    typeof value['partial'] === 'boolean' &&
    optional(value['narrowing'], isTexts) &&
    optional(value['operations'], isTexts) &&
    optional(value['clauses'], isTexts) &&
    optional(value['shard'], isShard) &&
    isObject(target) &&
    isText(target['baseUrl']) &&
    isText(target['environment']) &&
    ['vendor', 'product', 'version', 'approvedScope'].every((name) => optional(target[name], isText)) &&
    optional(value['ranBy'], isText) &&
    isDate(value['startedAt']) &&
    isObject(value['throttling']) &&
    isTexts(value['hooks']) &&
    isArray(value['waivers']) &&
    value['waivers'].every(isObject) &&
    isObject(environment)
  );
}

function isProbe(value: unknown): boolean {
  return (
    isObject(value) &&
    ['suite', 'probe', 'operation'].every((name) => isText(value[name])) &&
    ['seed', 'scenarios', 'random'].every((name) => isNumber(value[name]))
  );
}

function isShard(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { number, of, plan, quiet, run, salt } = value;
  const isCount = (one: unknown): boolean => isNumber(one) && Number.isSafeInteger(one) && one > 0;
  return (
    isText(run) &&
    (number === 'last' ? of === undefined : isCount(number) && isCount(of) && Number(number) <= Number(of)) &&
    isNumber(quiet) &&
    isText(plan) &&
    isText(salt) &&
    /^[0-9a-f]{32}$/.test(salt)
  );
}

function isExchange(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { request, earlier } = value;
  return (
    ['id', 'trace', 'step', 'operation', 'principal'].every((name) => isText(value[name])) &&
    ['ordinal', 'connection', 'startedAt', 'endedAt'].every((name) => isNumber(value[name])) &&
    isDate(value['time']) &&
    optional(value['sentAt'], isNumber) &&
    isObject(request) &&
    isText(request['method']) &&
    isText(request['path']) &&
    isPairs(request['headers']) &&
    optional(request['body'], isText) &&
    isOutcome(value) &&
    isTexts(value['requestIds']) &&
    isArray(earlier) &&
    earlier.every(
      (each) =>
        isObject(each) &&
        ['startedAt', 'endedAt', 'waited'].every((name) => isNumber(each[name])) &&
        isOutcome(each),
    )
  );
}

/** A response, or the reason why there is none. */
function isOutcome(value: Readonly<Record<string, unknown>>): boolean {
  const { answer, noAnswer } = value;
  if (answer !== undefined)
    return (
      noAnswer === undefined &&
      isObject(answer) &&
      isNumber(answer['status']) &&
      isPairs(answer['headers']) &&
      isText(answer['body']) &&
      isNumber(answer['bodyBytes']) &&
      typeof answer['truncated'] === 'boolean'
    );
  return (
    isObject(noAnswer) &&
    isText(noAnswer['reason']) &&
    isText(noAnswer['detail']) &&
    optional(
      noAnswer['partial'],
      (partial) => isObject(partial) && isNumber(partial['status']) && isPairs(partial['headers']),
    )
  );
}

function isTrace(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { scenario, bound, hooks } = value;
  return (
    ['id', 'suite', 'probe', 'purpose', 'ended'].every((name) => isText(value[name])) &&
    ['scenarioIndex', 'attempt', 'seed'].every((name) => isNumber(value[name])) &&
    optional(value['path'], isText) &&
    optional(value['repeats'], isText) &&
    isObject(scenario) &&
    isText(scenario['title']) &&
    isObject(scenario['bodies']) &&
    areWaves(scenario['waves'], 0) &&
    isObject(bound) &&
    isTextMap(bound['keys']) &&
    isTextMap(bound['markers']) &&
    isObject(hooks) &&
    Object.values(hooks).every(
      (each) => isObject(each) && typeof each['ok'] === 'boolean' && isText(each['detail']),
    )
  );
}

const isOrigin = (value: unknown): boolean =>
  isObject(value) && ['env', 'file', 'command'].filter((name) => isText(value[name])).length === 1;
const isTextMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

/** A walk over pages nests a wave for each page. Deeper ones are not written by a run, and could exhaust the stack. */
const mostNested = 200;

function areWaves(value: unknown, depth: number): boolean {
  return (
    depth < mostNested &&
    isArray(value) &&
    value.every((wave) => {
      if (!isObject(wave)) return false;
      if ('steps' in wave) return isArray(wave['steps']) && wave['steps'].every(isStep);
      if ('repeat' in wave) {
        const { alongside = [], during } = wave;
        const steps = [wave['repeat'], ...(during === undefined ? [] : [during])];
        return isArray(alongside) && [...steps, ...alongside].every(isStep);
      }
      if ('poll' in wave) return isStep(wave['poll']);
      if ('when' in wave) return isObject(wave['when']) && areWaves(wave['waves'], depth + 1);
      return 'wait' in wave || 'hook' in wave;
    })
  );
}

function isStep(value: unknown): boolean {
  return (
    isObject(value) &&
    ['id', 'operation', 'as', 'role'].every((name) => isText(value[name])) &&
    isObject(value['key']) &&
    isText(value['key']['use']) &&
    isObject(value['body']) &&
    isText(value['body']['use']) &&
    isArray(value['deviations']) &&
    value['deviations'].every((each) => isObject(each) && isText(each['kind']))
  );
}

function isEffects(value: unknown): boolean {
  return (
    isObject(value) &&
    isObject(value['byMarker']) &&
    Object.values(value['byMarker']).every(isTexts) &&
    optional(value['listed'], isTexts) &&
    isObject(value['byTarget']) &&
    isTexts(value['seenIn']) &&
    typeof value['complete'] === 'boolean'
  );
}

function isSegment(value: Readonly<Record<string, unknown>>): boolean {
  const { at, harness, number, salt, sha256, startedAt } = value;
  return (
    isNumber(number) &&
    Number.isSafeInteger(number) &&
    isNumber(at) &&
    isText(salt) &&
    /^[0-9a-f]{32}$/.test(salt) &&
    isDate(startedAt) &&
    isObject(harness) &&
    isText(harness['name']) &&
    isText(harness['version']) &&
    isText(sha256)
  );
}

function isStop(value: unknown): boolean {
  return (
    isObject(value) &&
    ['exchange', 'operation', 'request', 'scenario', 'suite', 'probe'].every((name) => isText(value[name])) &&
    ['stops', 'there', 'again', 'stopped'].every((name) => isNumber(value[name]))
  );
}

function isFooter(value: Readonly<Record<string, unknown>>): boolean {
  const { counts, redaction } = value;
  return (
    ['complete', 'interrupted', 'budget'].includes(String(value['end'])) &&
    isObject(counts) &&
    isNumber(counts['exchanges']) &&
    isNumber(counts['traces']) &&
    isDate(value['endedAt']) &&
    optional(
      value['cause'],
      (cause) => isObject(cause) && isText(cause['what']) && optional(cause['before'], isTexts),
    ) &&
    isNumber(value['elapsedMs']) &&
    isArray(redaction) &&
    redaction.every((each) => isObject(each)) &&
    isText(value['sha256'])
  );
}

const isDate = (value: unknown): boolean => isText(value) && Number.isFinite(Date.parse(value));
