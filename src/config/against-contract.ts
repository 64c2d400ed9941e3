import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { suggestion } from '../document/nearest.ts';
import { unquoted } from '../document/unquoted.ts';
import { ajvPatterns } from '../generate/index.ts';
import type { ClauseCode } from '../model/clause.ts';
import { type Contract, type Operation, operationNamed, type PathField } from '../model/contract.ts';
import { type InputProblem, refuse } from '../model/input-error.ts';
import type { Json, JsonPointer, JsonSchema } from '../model/json.ts';
import { pointerOf } from '../model/json.ts';
import { writtenName } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';
import type { Config } from './config.ts';

/** What hooks can cause whatever the contract is. */
const knownHooks = ['slow', 'failBeforeCommit', 'failAfterCommit', 'revoke', 'restore', 'verify', 'refresh'];

/** Checks what a configuration says of a contract. `clauses` are the codes of all there are. @throws InputError */
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

  const leftOut = (contract.leftOut ?? []).map(({ id }) => id);
  const named = new Set([
    ...config.examples.keys(),
    ...config.parameters.keys(),
    ...config.targets.keys(),
    ...config.excluded,
  ]);
  const settings = [...named].flatMap((id): readonly InputProblem[] => {
    const pointer = pointerOf(['operations', id]);
    const operation = operationNamed(contract, id);
    if (operation !== undefined)
      return [
        ...settingProblems(config, operation, pointer, at),
        ...targetNameProblems(config, contract, operation, pointer, at),
      ];
    // What is said of an operation that cannot be tested has no effect.
    return leftOut.includes(id) ? [] : [unknown(pointer, id)];
  });
  const operations = [...config.examples].flatMap(([id, examples]): readonly InputProblem[] => {
    const pointer = pointerOf(['operations', id]);
    const operation = operationNamed(contract, id);
    if (operation === undefined) return [];
    return exampleProblems(operation, examples).map(({ index, problem, quoting }) =>
      at(`${pointer}/examples/${index}`, problem, quoting ?? 'write a body that the contract allows'),
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
    ...[...config.targets.values()].flatMap((target) => ('hook' in target ? [target.hook] : [])),
    ...contract.operations.flatMap(({ verification }) => verification?.hook ?? []),
  ];
  const unknownHooks = [...config.hooks.keys()]
    .filter((name) => !hooks.includes(name))
    .map((name) =>
      at(pointerOf(['hooks', name]), `there is no hook '${name}'`, suggestion(name, new Set(hooks))),
    );
  refuse([...settings, ...operations, ...waivers, ...unknownHooks, ...ownProblems(config, contract, at)]);
}

type At = (pointer: JsonPointer, problem: string, remedy: string) => InputProblem;

function ownProblems(config: Config, { operations }: Contract, at: At): readonly InputProblem[] {
  const fields = operations.flatMap(({ headerFields = [], pathFields, queryFields }) => [
    ...pathFields.map(asWritten),
    ...queryFields,
    ...headerFields,
  ]);
  return config.principals.flatMap(({ name: principal, parameters = {} }) =>
    Object.entries(parameters).flatMap(([name, value]) => {
      const place = pointerOf(['principals', principal, 'parameters', name]);
      const named = fields.filter((field) => field.name === name);
      if (named.length === 0)
        return [
          at(
            place,
            `no operation has a parameter '${name}'`,
            suggestion(name, new Set(fields.map((field) => field.name))),
          ),
        ];
      const errors = new Map(
        named.flatMap(({ schema }) => schemaErrors(schema, value)).map((error) => [error.text, error]),
      );
      return [...errors.values()].map(({ quoting, text }) =>
        at(
          place,
          `this is not a valid '${name}': ${text}`,
          quoting ?? 'write a value that the contract allows',
        ),
      );
    }),
  );
}

function settingProblems(
  config: Config,
  operation: Operation,
  pointer: JsonPointer,
  at: At,
): readonly InputProblem[] {
  const { headerFields = [], id, pathFields, queryFields } = operation;
  const fields = [...pathFields.map(asWritten), ...queryFields, ...headerFields];
  const parameters = Object.entries(config.parameters.get(id) ?? {}).flatMap(([name, value]) => {
    const place = `${pointer}${pointerOf(['parameters', name])}`;
    const field = fields.find((one) => one.name === name);
    if (field === undefined)
      return [
        at(
          place,
          `'${id}' has no parameter '${name}'`,
          suggestion(
            name,
            fields.map((one) => one.name),
          ),
        ),
      ];
    const error = schemaErrors(field.schema, value)[0];
    return error === undefined
      ? []
      : [
          at(
            place,
            `this is not a valid '${name}' of '${id}': ${error.text}`,
            error.quoting ?? 'write a value that the contract allows',
          ),
        ];
  });
  const given = config.targets.get(id);
  const targets =
    given === undefined || 'hook' in given
      ? []
      : given.ids.flatMap((record, index) =>
          pathFields
            .map(asWritten)
            .filter(({ name }) => !Object.hasOwn(record, name) && !isOwn(config, name))
            .map(({ name }) =>
              at(`${pointer}/targets/${index}`, `this record has no '${name}'`, `add it: '${id}' needs it`),
            ),
        );
  const excluded = config.excluded.includes(id)
    ? [
        at(
          `${pointer}/exclude`,
          `'${id}' can be tested`,
          'remove this line, or select operations with --operation',
        ),
      ]
    : [];
  return [...parameters, ...targets, ...excluded];
}

/** A record may also have what the reads of it, or of its version, have in their paths; no operation has any other name. */
function targetNameProblems(
  { principals, targets }: Config,
  { operations }: Contract,
  { body, id, pathFields }: Operation,
  pointer: JsonPointer,
  at: At,
): readonly InputProblem[] {
  const given = targets.get(id);
  const own = pathFields.map(writtenName);
  const known = new Set([
    ...operations.flatMap((operation) => [
      ...operation.pathFields.flatMap((field) => [field.name, writtenName(field)]),
      ...(operation.ownParameters ?? []),
    ]),
    ...principals.flatMap(({ parameters = {} }) => Object.keys(parameters)),
    ...schemasAt(body?.schema, '').flatMap(({ properties }) => Object.keys(properties ?? {})),
  ]);
  return given === undefined || 'hook' in given
    ? []
    : given.ids.flatMap((record, index) =>
        Object.keys(record)
          .filter((name) => !known.has(name))
          .map((name) =>
            at(
              `${pointer}/targets/${index}${pointerOf([name])}`,
              `no operation has a path field '${name}'`,
              own.length === 0 ? `remove it: '${id}' has no path fields` : suggestion(name, own),
            ),
          ),
      );
}

function asWritten(field: PathField): PathField {
  return { ...field, name: writtenName(field) };
}

function isOwn({ principals }: Config, parameter: string): boolean {
  return principals.some(({ parameters = {} }) => Object.hasOwn(parameters, parameter));
}

type ValueError = { readonly text: string; readonly quoting: string | undefined };

/** The schemas of a contract were checked when it was read. */
function schemaErrors(schema: JsonSchema, value: Json): readonly ValueError[] {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    verbose: true,
    code: { regExp: ajvPatterns },
  });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({
    text: `${error.instancePath === '' ? 'it' : error.instancePath} ${error.message}`,
    quoting: wantsText(error) ? unquoted(error.data) : undefined,
  }));
}

function wantsText({ keyword, schema }: ErrorObject): boolean {
  return keyword === 'enum' || keyword === 'const'
    ? [schema].flat().some((allowed) => typeof allowed === 'string')
    : keyword === 'type' && schema === 'string';
}

function exampleProblems(
  operation: Operation,
  examples: readonly Json[],
): readonly { readonly index: number; readonly problem: string; readonly quoting?: string | undefined }[] {
  if (examples.length === 0) return [];
  if (operation.body === undefined) return [{ index: 0, problem: `'${operation.id}' takes no body` }];
  const { schema } = operation.body;
  return examples.flatMap((example, index) => {
    const [error] = schemaErrors(schema, example);
    if (error === undefined) return [];
    const problem = `this is not a valid body of '${operation.id}': ${error.text}`;
    return [{ index, problem, quoting: error.quoting }];
  });
}
