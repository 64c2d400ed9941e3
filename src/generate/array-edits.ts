import { fresh } from './arrays.ts';
import type { Edit } from './edit.ts';
import { canonicalJson, isObject, type Json } from './json.ts';
import { itemSchemas, listOf, type SchemaPlace } from './places.ts';
import type { SchemaNode } from './references.ts';
import type { Study } from './study.ts';

/** Arrays longer than this are not sent to show that they are too long. */
const LONGEST = 1_000;

/** Arrays that may break a keyword (JSON Schema validation, section 6.4, and core, section 10.3.1). */
export function arrayEdits(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
  list: readonly Json[],
  name: string,
): readonly Edit[] {
  const { index, evaluator } = study.builder;
  const schema = isObject(node.schema) ? node.schema : {};
  const argument = schema[keyword];
  switch (keyword) {
    case 'minItems':
      if (typeof argument !== 'number' || argument < 1) return [];
      return [list.slice(0, argument - 1), list.slice(1 - argument)].map((value) => ({
        value,
        describes: `${name} has ${argument - 1} items instead of at least ${argument}`,
      }));
    case 'maxItems': {
      if (typeof argument !== 'number' || argument > LONGEST) return [];
      // The items that are there may say something that others do not: that a record exists which they name.
      const again =
        list.length === 0
          ? []
          : [Array.from({ length: argument + 1 }, (_, at) => list[at % list.length] ?? null)];
      const drawn = lengthened(study, place, list, argument + 1);
      const isNew = drawn !== undefined && again.every((one) => canonicalJson(one) !== canonicalJson(drawn));
      return [...again, ...(isNew ? [drawn] : [])].map((value) => ({
        value,
        describes: `${name} has ${argument + 1} items instead of at most ${argument}`,
      }));
    }
    case 'uniqueItems': {
      const full = list.length > 0 ? list : (lengthened(study, place, list, 1) ?? []);
      const [first] = full;
      if (first === undefined) return [];
      const doubled = [
        [...full, first],
        [...full.slice(0, -1), first],
        [first, first],
      ];
      return doubled.map((value) => ({ value, describes: `${name} has the same item twice` }));
    }
    case 'contains': {
      const wanted = index.child(node, 'contains');
      if (wanted === undefined) return [];
      const rest = list.filter((item) => !evaluator.holds(wanted, item));
      const found = list.filter((item) => evaluator.holds(wanted, item));
      const source = study.builder.source(
        [...itemSchemas(study, place.nodes, list.length), wanted],
        place.tokens.length + 1,
      );
      const most = typeof schema['maxContains'] === 'number' ? schema['maxContains'] : LONGEST;
      const more = found[0] ?? source?.smallest;
      const many =
        more === undefined || most >= LONGEST
          ? []
          : [[...list, ...Array.from({ length: most + 1 - found.length }, () => more)]];
      return [
        { value: rest, describes: `${name} has no item of the kind that it must contain` },
        ...many.map((value) => ({ value, describes: `${name} has too many items of one kind` })),
      ];
    }
    case 'prefixItems': {
      const end = listOf(node, keyword).length;
      for (let length = list.length; length < end; length++) {
        const before = lengthened(study, place, list, length);
        if (before === undefined) break;
        if (lengthened(study, place, before, length + 1) !== undefined) continue;
        return [
          {
            value: [...before, 0],
            describes: `${name} has an item where none is allowed`,
            inside: true,
          },
        ];
      }
      return [];
    }
    case 'items':
    case 'unevaluatedItems': {
      const full = listOf(node, 'prefixItems').length;
      const before = lengthened(study, place, list, Math.max(list.length, full));
      if (argument !== false || before === undefined) return [];
      return [
        {
          value: [...before, 0],
          member: before.length,
          describes: `${name} has one item more than the schema allows`,
        },
      ];
    }
    default:
      return [];
  }
}

/** The list with further valid items, all different where they can be. */
function lengthened(
  study: Study,
  place: SchemaPlace,
  list: readonly Json[],
  length: number,
): readonly Json[] | undefined {
  const items = [...list];
  const seen = new Set(items.map(canonicalJson));
  while (items.length < length) {
    const source = study.builder.source(
      itemSchemas(study, place.nodes, items.length),
      place.tokens.length + 1,
    );
    if (source === undefined) return undefined;
    const item = (items.length < 40 ? fresh(source, seen) : undefined) ?? source.smallest;
    seen.add(canonicalJson(item));
    items.push(item);
  }
  return items;
}
