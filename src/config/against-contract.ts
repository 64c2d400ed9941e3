import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { suggestion } from '../document/nearest.ts';
import type { ClauseCode } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { type InputProblem, refuse } from '../model/input-error.ts';
import type { Json, JsonPointer } from '../model/json.ts';
import { pointerOf } from '../model/json.ts';
import type { Config } from './config.ts';

/** What hooks can cause whatever the contract is. */
const knownHooks = ['slow', 'failBeforeCommit', 'failAfterCommit', 'revoke', 'restore', 'verify', 'refresh'];

/**
 * Checks what a configuration says of a contract: the operations, clauses and hooks that it names, and its example bodies.
 * @param clauses codes of all clauses there are
 * @throws InputError where it names what the contract does not have, or an example is not valid
 */
export function checkAgainstContract(
  config: Config,
  contract: Contract,
  clauses: readonly ClauseCode[],
): void {
  const ids = contract.operations.map(({ id }) => id);
  const at = (pointer: JsonPointer, problem: string, remedy: string): InputProblem => ({
    file: config.file,
    position: config.positions.get(pointer),
    problem,
    remedy,
  });
  const unknown = (pointer: JsonPointer, id: string): InputProblem =>
    at(pointer, `the contract has no operation '${id}'`, suggestion(id, ids));

  const operations = [...config.examples].flatMap(([id, examples]): readonly InputProblem[] => {
    const pointer = pointerOf(['operations', id]);
    const operation = contract.operations.find((one) => one.id === id);
    if (operation === undefined) return [unknown(pointer, id)];
    return exampleProblems(operation, examples).map(({ index, problem }) =>
      at(`${pointer}/examples/${index}`, problem, 'write a body that the contract allows'),
    );
  });
  const waivers = config.waivers.flatMap(({ clause, operation }, index) => [
    ...(clauses.includes(clause)
      ? []
      : [
          at(
            pointerOf(['waivers', index, 'clause']),
            `there is no clause '${clause}'`,
            suggestion(clause, clauses),
          ),
        ]),
    ...(operation === undefined || ids.includes(operation)
      ? []
      : [unknown(pointerOf(['waivers', index, 'operation']), operation)]),
  ]);
  const hooks = [
    ...knownHooks,
    ...contract.operations.flatMap(({ verification }) => verification?.hook ?? []),
  ];
  const unknownHooks = [...config.hooks.keys()]
    .filter((name) => !hooks.includes(name))
    .map((name) =>
      at(pointerOf(['hooks', name]), `there is no hook '${name}'`, suggestion(name, new Set(hooks))),
    );
  refuse([...operations, ...waivers, ...unknownHooks]);
}

function exampleProblems(
  operation: Operation,
  examples: readonly Json[],
): readonly { readonly index: number; readonly problem: string }[] {
  if (examples.length === 0) return [];
  if (operation.body === undefined) return [{ index: 0, problem: `'${operation.id}' takes no body` }];
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(operation.body.schema);
  return examples.flatMap((example, index) => {
    if (validate(example)) return [];
    const error = validate.errors?.[0];
    const where = error?.instancePath === '' ? 'it' : error?.instancePath;
    return [{ index, problem: `this is no valid body of '${operation.id}': ${where} ${error?.message}` }];
  });
}
