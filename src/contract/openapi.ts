import type { SourceDocument } from '../document/document.ts';
import type { Contract, LeftOut, Operation } from '../model/contract.ts';
import { InputError, type InputProblem, problemText, refuse } from '../model/input-error.ts';
import { isObject } from '../model/json.ts';
import { withBodyFields } from './body-fields.ts';
import { asSpecified } from './case-created.ts';
import type { ContractLimits } from './files.ts';
import type { Library, Place } from './library.ts';
import { type All, checkLink } from './links.ts';
import { withOneName } from './one-name.ts';
import { type DocumentContext, type Draft, draftOf, governedOf } from './operation.ts';
import { checkOutline } from './outline.ts';
import { pathProblems, requirePathAlone } from './paths.ts';
import { child, errorAt, follow, members, placeOf, textAt, Untestable, untestableAt } from './place.ts';
import { completed } from './relations.ts';
import { isKnownDialect } from './schema.ts';
import { withCamelLinks } from './snake-links.ts';
import { withoutSchemas } from './upgrade.ts';
import type { Validators } from './validators.ts';

/** OPTIONS and TRACE are of the protocol: no governed operation uses them. */
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];

type Reading = Pick<ContractLimits, 'turn'> & { readonly digest?: string };

/** Reads OpenAPI 3.1, or 3.0 with the meaning that it has there. @throws InputError with every problem of the document */
export async function contractOf(
  document: SourceDocument,
  library: Library,
  validators: Validators,
  { digest = document.digest, turn }: Reading = {},
): Promise<Contract> {
  const root = placeOf(document);
  const dialect30 = versionOf(root) === '3.0';
  refuse(pathProblems(root));
  // Schemas of 3.0 are checked when they have their meaning of 2020-12.
  const outline = dialect30 ? withoutSchemas(document.value) : document.value;
  const warnings: InputProblem[] = [];
  if (isObject(outline)) await checkOutline(document, withCamelLinks(outline), validators, warnings);
  const dialect = child(root, 'jsonSchemaDialect');
  if (typeof dialect.value === 'string' && !isKnownDialect(dialect.value)) {
    throw errorAt(
      dialect,
      'this dialect of JSON Schema is not known',
      'write the schemas in JSON Schema 2020-12',
    );
  }
  const governed = governedOf(root, validators.governedDocument);
  const { operations, leftOut } = await operationsOf(
    { root, library, validators, dialect30, warnings },
    turn,
  );
  return {
    title: textAt(root, 'info', 'title') ?? '',
    version: textAt(root, 'info', 'version') ?? '',
    governedOperations: governed?.operations,
    digest,
    operations,
    ...(dialect30 ? { openapi30: true as const } : {}),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(warnings.length === 0 ? {} : { warnings: [...new Set(warnings.map(problemText))] }),
  };
}

function versionOf(root: Place): '3.0' | '3.1' {
  if (!isObject(root.value)) {
    throw errorAt(
      root,
      'this is not an OpenAPI document',
      "write an OpenAPI 3.1 document, beginning with 'openapi: 3.1.1'",
    );
  }
  const version = child(root, 'openapi');
  if (version.value === undefined) {
    const swagger = child(root, 'swagger').value !== undefined;
    throw errorAt(
      root,
      swagger ? 'this is Swagger 2.0, not OpenAPI 3.1' : "'openapi' is missing",
      swagger
        ? 'convert it to OpenAPI 3.1'
        : "write an OpenAPI 3.1 document, beginning with 'openapi: 3.1.1'",
    );
  }
  if (typeof version.value !== 'string' || !/^3\.[012]\.\d+/.test(version.value)) {
    const written = typeof version.value === 'object' ? '' : String(version.value);
    const short = /^v?(3\.[012])(\.x)?$/.exec(written)?.[1];
    throw errorAt(
      version,
      written === '' || short !== undefined
        ? "'openapi' must be a version with three numbers"
        : `this is OpenAPI ${written}, not 3.0, 3.1 or 3.2`,
      short === undefined
        ? "convert it to OpenAPI 3.1, and write 'openapi: 3.1.1'"
        : `write a full version, such as 'openapi: ${short}.0'`,
    );
  }
  if (members(child(root, 'paths')).length === 0) throw noOperations(root);
  return version.value.startsWith('3.0') ? '3.0' : '3.1';
}

function noOperations(root: Place): InputError {
  return errorAt(
    child(root, 'paths'),
    'the document has no operations',
    "describe them under 'paths'",
    'key',
  );
}

async function operationsOf(
  reading: DocumentContext,
  turn: ContractLimits['turn'],
): Promise<{ readonly operations: readonly Operation[]; readonly leftOut: readonly LeftOut[] }> {
  const problems: InputProblem[] = [];
  const leftOut: LeftOut[] = [];
  const untestable: InputProblem[] = [];
  const attempt = <T>(task: () => T, named?: Omit<LeftOut, 'reasons'>): T | undefined => {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (error instanceof Untestable && named !== undefined) {
        leftOut.push({ ...named, reasons: error.problems.map(problemText) });
        untestable.push(...error.problems);
      } else problems.push(...error.problems);
      return undefined;
    }
  };

  const found: Draft[] = [];
  for (const [path, holder] of members(child(reading.root, 'paths'))) {
    if (!path.startsWith('/')) continue;
    const pathItem = attempt(() => follow(holder, reading.library));
    if (pathItem === undefined) continue;
    for (const [method, place] of operationsIn(pathItem)) {
      const id = textAt(place, 'operationId') ?? `${method.toUpperCase()} ${path}`;
      if (/\p{Surrogate}/u.test(id)) {
        problems.push(...halfCharacter(place).problems);
        continue;
      }
      await turn?.();
      const draft = attempt(
        () => {
          requirePathAlone(path, holder);
          return draftOf(id, path, requireKnown(id, method, place), pathItem, place, reading);
        },
        {
          id,
          method: method.toUpperCase(),
          path,
        },
      );
      if (draft === undefined) continue;
      attempt(() => refuseDuplicate(draft, found));
      found.push(draft);
    }
  }
  if (problems.length === 0 && found.length === 0 && untestable.length === 0)
    throw noOperations(reading.root);
  // An operation that could not be read is no unknown one: what refers to it is not blamed.
  refuse(problems);
  // Of a document with nothing to test the reasons are its problems.
  if (found.length === 0) refuse(untestable);
  const drafts = withOneName(found);
  const away = new Set(leftOut.map(({ id }) => id));
  const usable = drafts.map((draft) => ({
    ...draft,
    links: draft.links.filter((link) => isUsable(link, draft, { drafts, away }, reading)),
  }));
  const linked = withBodyFields(usable, away);
  const operations = linked.flatMap(
    (draft) => attempt(() => asSpecified(completed(draft, linked, away))) ?? [],
  );
  refuse(problems);
  return { operations, leftOut };
}

/** Whether a link leads from a result to an operation. One that does not is left out with a warning: nothing rests on it. */
function isUsable(link: Place, draft: Draft, all: All, { warnings }: DocumentContext): boolean {
  try {
    checkLink(link, draft, all);
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const one of error.problems)
      warnings.push({ ...one, problem: `${one.problem}, so this link is left out` });
    return false;
  }
}

/** Files, reports and other readers of the evidence cannot hold such a name. */
function halfCharacter(place: Place): InputError {
  const named = child(place, 'operationId');
  return errorAt(
    named.value === undefined ? place : named,
    'the name of this operation has half a character (a lone surrogate)',
    'write an operationId of whole characters',
    named.value === undefined ? 'key' : 'value',
  );
}

function requireKnown(id: string, method: string, place: Place): string {
  if (methods.includes(method)) return method;
  throw untestableAt(
    place,
    `the operation '${id}' has the method ${method.toUpperCase()}, which cannot be tested`,
    'use GET, HEAD, POST, PUT, PATCH or DELETE',
    'key',
  );
}

/** The operations of a path. Those by methods that the harness does not know are left out with a reason. */
function operationsIn(pathItem: Place): readonly (readonly [method: string, place: Place])[] {
  return [
    ...members(pathItem).filter(([method]) => methods.includes(method) || method === 'query'),
    ...members(child(pathItem, 'additionalOperations')),
  ];
}

function refuseDuplicate(draft: Draft, earlier: readonly Draft[]): void {
  const { id } = draft.operation;
  const other = earlier.find(({ operation }) => operation.id === id);
  if (other === undefined) return;
  const named = child(draft.place, 'operationId');
  throw errorAt(
    named.value === undefined ? draft.place : named,
    `the operationId '${id}' is already that of ${other.operation.method} ${other.operation.path}`,
    'give each operation an operationId of its own',
  );
}
