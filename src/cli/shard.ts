import { type InputError, trouble } from '../model/input-error.ts';
import type { Shard } from '../run/shard.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where engines say which of their parallel jobs this is. `from` is the index of the first. */
const engines: readonly { readonly index: string; readonly total?: string; readonly from: 0 | 1 }[] = [
  { index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', from: 1 },
  { index: 'CIRCLE_NODE_INDEX', total: 'CIRCLE_NODE_TOTAL', from: 0 },
  { index: 'BUILDKITE_PARALLEL_JOB', total: 'BUILDKITE_PARALLEL_JOB_COUNT', from: 0 },
  { index: 'JOB_COMPLETION_INDEX', from: 0 },
];

/** What the jobs of one pipeline have in common. A job that is started again keeps it. */
const runVariables = [
  'ASSAY_RUN_ID',
  'GITHUB_RUN_ID',
  'CI_PIPELINE_ID',
  'CIRCLE_WORKFLOW_ID',
  'BUILDKITE_BUILD_ID',
] as const;

const mostShards = 1000;

/** The part of the plan that `--shard` names: `2/3`, `last`, or `auto` (`auto/3`). @throws InputError where it names none */
export function partOf(text: string, env: Environment): Pick<Shard, 'number' | 'of'> {
  if (text === 'last' || /^last\/[1-9]\d{0,3}$/.test(text)) return { number: 'last' };
  const automatic = /^auto(?:\/(\d+))?$/.exec(text);
  if (automatic !== null) return fromEngine(automatic[1], env);
  const [, number, of] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (number === undefined || of === undefined)
    throw refuse(
      `'${text}' is not a shard`,
      'write a shard and how many there are, such as 2/3, or last, or auto',
    );
  return checked(Number(number), Number(of), `'${text}'`);
}

function fromEngine(count: string | undefined, env: Environment): Pick<Shard, 'number' | 'of'> {
  const engine = engines.find(({ index }) => (env[index] ?? '') !== '');
  if (engine === undefined)
    throw refuse(
      `no variable of the environment says which shard this is (${engines.map(({ index }) => index).join(', ')})`,
      'write a shard and how many there are, such as 2/3',
    );
  const index = env[engine.index] ?? '';
  const total = engine.total === undefined ? undefined : env[engine.total];
  if (count === undefined && (total ?? '') === '')
    throw refuse(`${engine.index} gives no number of shards`, 'add it, such as auto/3');
  if (count !== undefined && total !== undefined && total !== '' && Number(total) !== Number(count))
    throw refuse(`auto/${count} contradicts ${engine.total}, which is ${total}`, 'write auto alone');
  if (!/^\d{1,9}$/.test(index) || !/^\d{1,9}$/.test(count ?? total ?? ''))
    throw refuse(
      `${engine.index} is '${index}'${total === undefined ? '' : ` and ${engine.total} '${total}'`}`,
      'write a shard and how many there are, such as 2/3',
    );
  return checked(Number(index) + 1 - engine.from, Number(count ?? total), `${engine.index} ${index}`);
}

function checked(number: number, of: number, what: string): Pick<Shard, 'number' | 'of'> {
  if (of < 1 || of > mostShards)
    throw refuse(`${what}: there are 1 to ${mostShards} shards, not ${of}`, 'write a shard such as 2/3');
  if (number < 1 || number > of)
    throw refuse(`${what}: there is no shard ${number} of ${of}`, `write 1/${of} to ${of}/${of}, or last`);
  return { number, of };
}

/** A shard of a run. @throws InputError where nothing says which run it is of */
export function shardOf(text: string, run: string | undefined, env: Environment): Shard {
  const part = partOf(text, env);
  const name = run ?? runVariables.map((variable) => env[variable]).find((value) => (value ?? '') !== '');
  if (name === undefined)
    throw trouble(
      '--run-id',
      'shards need the ID of their common run',
      `give the same new text to all of them, for example with ${runVariables[0]}`,
    );
  if (!/^[!-~]{1,200}$/.test(name))
    throw trouble(
      '--run-id',
      `'${name}' is not a valid run ID`,
      'use 1 to 200 printable ASCII characters without blanks',
    );
  return { run: name, ...part };
}

function refuse(problem: string, remedy: string): InputError {
  return trouble('--shard', problem, remedy);
}
