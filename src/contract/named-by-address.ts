import type { NamedRecord, Operation, OperationId, PathSource } from '../model/contract.ts';
import type { JsonPointer, JsonSchema } from '../model/json.ts';
import { samePathTo } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';
import { isFree, isOwn } from './free-members.ts';
import type { All } from './links.ts';
import { likeness, saysWhich } from './loose-names.ts';
import { keyMembers } from './natural-keys.ts';
import type { Draft } from './operation.ts';

/** Where results show the address of their record: JSON-LD, HAL, Django REST framework. */
const ownAddresses: readonly JsonPointer[] = [
  '/@id',
  '/_links/self/href',
  '/links/self',
  '/self',
  '/href',
  '/url',
  '/uri',
];

/**
 * Members that name records by their addresses, as `author` of API Platform does with `/authors/7`: a text with the format of
 * an address and the name of such a record, where the result of the command that makes one shows its address.
 */
export function namedByAddress(
  { governed, operation: { body, id, method, path, pathFields } }: Draft,
  reads: readonly Draft[],
  all: All,
  makerOf: (read: Draft) => OperationId | undefined,
): readonly NamedRecord[] {
  const carrier = governed.version?.carrier;
  return keyMembers(body?.schema).flatMap((member): readonly NamedRecord[] => {
    const { at } = member;
    if (!isAddress(body?.schema, at) || !isFree(body?.schema, at)) return [];
    if (carrier?.in === 'body' && carrier.at === at) return [];
    const [best] = reads
      .flatMap((read) => {
        const field = read.operation.pathFields.at(-1);
        if (field === undefined || field.at !== undefined || isOwn({ method, path }, read.operation))
          return [];
        if (pathFields.some(({ name }) => name === field.name && samePathTo(name, path, read.operation.path)))
          return [];
        const like = likeness(member, read.operation, field);
        return like > 0 && saysWhich(member.words.slice(0, member.words.length - like))
          ? [{ like, read }]
          : [];
      })
      .sort((one, other) => other.like - one.like);
    const maker = best === undefined ? undefined : makerOf(best.read);
    const operation = all.drafts.find((one) => one.operation.id === maker)?.operation;
    const source = operation === undefined || maker === id ? undefined : addressIn(operation);
    if (best === undefined || source === undefined) return [];
    const isAlone = best.read.operation.pathFields.length === 1;
    const read = isAlone ? { read: best.read.operation.id } : {};
    return [{ at, ...read, field: { name: at.slice(1), schema: { type: 'string' }, source } }];
  });
}

function isAddress(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  return schemasAt(schema, at).some(({ format }) => /^[iu]ri(-reference)?$/.test(String(format)));
}

/** Where the result of a command shows the address of what it makes, which no member of its body sets. */
function addressIn({ body, id, success }: Operation): PathSource | undefined {
  const at = ownAddresses.find(
    (one) => schemasAt(success.schema, one).length > 0 && schemasAt(body?.schema, one).length === 0,
  );
  return at === undefined ? undefined : { operation: id, at, whole: true };
}
