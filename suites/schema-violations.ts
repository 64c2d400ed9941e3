import type { Mutation } from '../src/generate/index.ts';
import { bounded, validator } from '../src/generate/index.ts';
import type { ClauseCode } from '../src/model/clause.ts';
import { isCarried } from '../src/model/contract.ts';
import { isObject, type Json, type JsonSchema } from '../src/model/json.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { drawn } from '../src/suite-kit/drawn-texts.ts';
import { withHolder } from '../src/suite-kit/holder-readings.ts';
import {
  carriesNothing,
  faultsOfBranches,
  isSame,
  type LikelyFault,
  likelyFaults,
  wrongRoots,
} from '../src/suite-kit/likely-faults.ts';
import { readingsOfAll } from '../src/suite-kit/named-readings.ts';
import { nullMembers } from '../src/suite-kit/null-members.ts';
import { skip } from '../src/suite-kit/scene.ts';
import { byBudget, inParts, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { claimedValues } from './schema-violations/claimed-values.ts';
import { disputed, disputedOnce, malformed } from './schema-violations/odd-json.ts';
import { ownedValues } from './schema-violations/owned-values.ts';
import {
  again,
  alone,
  bothWrong,
  corrected,
  inTurn,
  replaced,
  violation,
} from './schema-violations/scenarios.ts';
import { versionsOfOtherTypes } from './schema-violations/versions.ts';
import {
  faultOf,
  faultsOfObject,
  faultsOfWhole,
  faulty,
  further,
  isChooser,
  laterItems,
  pairOf,
  renamedMembers,
  spread,
  strangeName,
  takesStrangers,
} from './schema-violations/wrong-bodies.ts';

const otherMedia = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', ''];
/** What a body is said to be, and is not. The second is a coding that nobody registered. */
const codings = ['gzip', 'assay'];
const utf8 = ';charset=utf-8';
/** A media type with a charset, which JSON has no use for. */
function charsets(media: string, count: number): readonly string[] {
  return /;\s*charset=/i.test(media)
    ? []
    : [utf8, ';charset=iso-8859-1'].slice(0, count).map((one) => media + one);
}

/** So many bodies with one wrong member share a valid one. */
const mostInTurn = 8;

export default defineSuite({
  name: 'schema-violations',
  title: 'Bodies that depart from the published schema in one place, and bodies that are not JSON',
  for: ({ body, kind }) => kind === 'command' && body !== undefined,
  clauses: 'VAL-1 VAL-2 VAL-3 VAL-4 VAL-5 VAL-6 VAL-7 VAL-8 VAL-9 VAL-10 VAL-11 VAL-13 VAL-14 VAL-15',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    if (operation.body === undefined) return;
    const probe = probesOf(operation);
    const values = planning.values(operation);
    const base = values.plain ?? null;
    // What is wrong with the root as a whole names no field. The ID of the path is put in only where the body has one.
    const usable = ({ keyword, pointer }: Mutation): boolean =>
      (keyword === 'required' && pointer === operation.ownId?.at) ||
      (pointer !== '' && !isCarried(operation, pointer));
    // What breaks a format alone is valid where formats are annotations: it may be accepted.
    const lenient = validator(operation.body.schema);
    const labelled = <Fault extends LikelyFault>(fault: Fault): Fault =>
      lenient(fault.value).length === 0 ? { ...fault, keyword: 'format' } : fault;
    // What may be accepted moves a target on, and the others in its scenario would be refused for that.
    const mayShare = ({ keyword }: LikelyFault): boolean =>
      keyword !== 'format' || (scene.prelude.length === 0 && operation.version === undefined);
    // Those of other branches have a share of their own.
    const mutations = values
      .mutations(base)
      .filter((mutation) => usable(mutation) && mutation.ofBranch !== true)
      .map(labelled);
    const most = byBudget(planning, 12, 40, 200);
    const chosen = spread(mutations, most);
    // What is refused for its first member, and what is refused after most of it was read.
    const isOptional = ({ keyword, pointer }: Mutation): boolean =>
      keyword !== 'required' && keyword !== 'format' && pointer !== values.marker;
    const watched = [chosen[0], chosen.findLast(isOptional)];
    const [around, withAbove] = [
      readingsOfAll(planning, scene),
      withHolder(planning, scene, readingsOfAll(planning, scene)),
    ];
    const isAlone = (mutation: Mutation): boolean => watched.includes(mutation) || !mayShare(mutation);
    for (const mutation of chosen.filter(isAlone))
      yield probe(
        `${mutation.keyword}-at-${mutation.pointer}-${mutations.indexOf(mutation)}`,
        ofMember(mutation),
        [
          violation(
            scene,
            mutation,
            chosen.find((other) => other.pointer.split('/')[1] !== mutation.pointer.split('/')[1]),
            mutation === chosen[0] ? withAbove : watched.includes(mutation) ? around : undefined,
          ),
        ],
      );
    const together = chosen.filter((mutation) => !isAlone(mutation));
    if (together.length > 0)
      yield probe(
        'wrong-members',
        [...new Set(together.flatMap(ofMember))],
        inParts(together, mostInTurn).map((part) =>
          inTurn(
            scene,
            `bodies that each depart in one place: ${part.map(({ keyword, pointer }) => `${keyword} at ${pointer}`).join(', ')}`,
            part.map((mutation, index) => ({
              body: faulty(scene, mutation, `faulty-${index}`),
              deviation: faultOf(mutation),
            })),
          ),
        ),
      );
    const versions = versionsOfOtherTypes(scene, operation, base);
    if (versions.length > 0) yield probe('version-of-another-type', 'VAL-2', versions);
    const ofMembers = values.mutations(base).filter(({ pointer }) => pointer !== '');
    const asksNothing = asksNothingOfMembers(operation.body.schema, base);
    if (chosen.length === 0)
      yield skip(
        operation,
        'VAL-1 VAL-2 VAL-3',
        // A wrong version may be refused as a version (409), and what proves the caller as a proof.
        asksNothing || (ofMembers.length > 0 && mutations.length === 0)
          ? {
              kind: 'inapplicable',
              remedy: `Its schema restricts no member of the body${asksNothing ? '' : ' but what has clauses of its own'}.`,
            }
          : {
              kind: 'value',
              remedy: `No invalid body can be made for ${operation.id}: ${values.notes[0]?.why ?? 'no keyword of its schema can be broken alone'}.`,
            },
      );
    if (chosen.length > 0)
      for (const [keyword, clause, what] of [
        ['required', 'VAL-1', 'Its schema requires no member that can be left out.'],
        ['type', 'VAL-2', 'Its schema gives no member a type.'],
      ] as const)
        if (!mutations.some((mutation) => mutation.keyword === keyword))
          yield skip(operation, clause, { kind: 'inapplicable', remedy: what });
    const { invalid } = values;
    const [fallback] = chosen;
    if (invalid !== undefined && fallback !== undefined)
      yield probe('any-violation', 'VAL-1 VAL-2 VAL-3 VAL-15', [], {
        random: {
          runs: byBudget(planning, 4, 25, 150),
          // A body without a member that can be broken would be drawn again for ever.
          arbitrary: bounded(invalid, usable, fallback).map((mutation) =>
            violation(scene, labelled(mutation), undefined, undefined, {
              value: mutation.base,
              ...drawn(scene, values, mutation.base),
            }),
          ),
        },
      });
    const check = validator(operation.body.schema);
    const others = wrongRoots(operation.body.schema);
    if (others.length === 0)
      yield skip(operation, 'VAL-6', {
        kind: 'inapplicable',
        remedy: 'Its schema allows every kind of JSON value as the body.',
      });
    else
      yield probe('no-object', 'VAL-6', [
        inTurn(scene, 'the body has another JSON type, or is a list with a valid body in it', [
          ...others.map((root, index) => ({
            body: { use: 'text' as const, text: JSON.stringify(root.value), name: `faulty-${index}` },
            deviation: faultOf(root),
          })),
          ...(check([base]).length > 0
            ? [
                {
                  body: { use: 'named', name: 'listed', form: 'listed' } as const,
                  deviation: { kind: 'body', at: '', keyword: 'type' } as const,
                },
              ]
            : []),
        ]),
      ]);
    const mostOfWhole = byBudget(planning, 4, 12, 40);
    const ofKind = isObject(base) ? [] : values.mutations(base).filter(isOfWhole).map(labelled);
    const asTheyStand = carriesNothing(operation)
      ? [...faultsOfWhole(operation.body.schema, base), ...spread(ofKind, mostOfWhole)]
      : [];
    const putTogether = faultsOfObject(operation, values.mutations(base)).filter(({ keyword }) =>
      asTheyStand.every((other) => other.keyword !== keyword),
    );
    const whole = [
      ...asTheyStand.map((fault, index) => ({
        // As it stands: a marker in it may be what is missing.
        body: { use: 'text' as const, text: JSON.stringify(fault.value), name: `whole-${index}` },
        deviation: faultOf(fault),
      })),
      ...putTogether.map((fault, index) => ({
        body: faulty(scene, fault, `together-${index}`),
        deviation: faultOf(fault),
      })),
    ].slice(0, mostOfWhole);
    if (whole.length > 0)
      yield probe('whole-body', 'VAL-2', [
        inTurn(scene, 'the body as a whole breaks a keyword of its schema', whole),
      ]);
    if (takesStrangers(operation.body.schema, base))
      yield probe('unknown-member', 'ERR-1', [
        replaced(
          scene,
          'a member that the schema does not name (open point G7)',
          { kind: 'unknown-member', at: `/${strangeName}` },
          { use: 'named', name: 'faulty', edit: { at: `/${strangeName}`, set: 1 } },
        ),
      ]);
    const claimed = claimedValues(planning, operation, base);
    if (claimed.length > 0)
      yield probe(
        'claimed-value',
        'CMD-3',
        alone(
          scene,
          'a member that only the service sets, with a value other than that of the result',
          claimed.slice(0, byBudget(planning, 1, 4, 8)).map(({ at, set }) => ({
            body: { use: 'named', name: 'faulty', edit: { at, set } },
            // Even what ignores other members may refuse one that it knows.
            deviation: { kind: 'unknown-member', at, free: true },
          })),
        ),
      );
    const owned = ownedValues(scene, base);
    if (owned.length > 0) yield probe('owned-value', 'CMD-3', owned);
    yield probe('malformed', 'VAL-13', [
      inTurn(
        scene,
        'the body is not JSON',
        malformed
          // Where the body may be left out, an empty one is none.
          .filter((body) => operation.body?.required !== false || !('text' in body) || body.text !== '')
          // A number without its end is a number, or nothing.
          .filter(
            (body) => !('form' in body) || body.form !== 'cut' || typeof scene.body().value !== 'number',
          )
          .map((body) => ({ body, deviation: { kind: 'body-syntax' } })),
      ),
    ]);
    // What is accepted moves a target on: there each has its own.
    if (scene.prelude.length === 0 || planning.budget !== 'quick')
      yield probe(
        'disputed-json',
        'VAL-13',
        alone(
          scene,
          'the body is JSON to some parsers only',
          [...disputed, ...(scene.prelude.length === 0 ? disputedOnce : [])].map(([form, how]) => ({
            body: { use: 'named', name: 'faulty', form },
            deviation: { kind: 'body-syntax', how },
          })),
        ),
      );
    const left = further(mutations, chosen, base, byBudget(planning, [15, 80], [40, 100], [200, 240]));
    const nulls = nullMembers(operation.body.schema, base, values.valid)
      .filter((fault) => !isCarried(operation, fault.pointer))
      .filter((fault) => ![...chosen, ...left].some((other) => isSame(fault, other)))
      .slice(0, byBudget(planning, 6, 20, 60));
    const more = [
      ...nulls,
      ...faultsOfBranches(base, values, mutations, operation.body.schema)
        .filter(usable)
        .slice(0, byBudget(planning, 60, 120, 240)),
      ...likelyFaults(operation.body.schema, base, values.others ?? values.valid)
        .filter((fault) => !isCarried(operation, fault.pointer))
        .filter((fault) => ![...chosen, ...left, ...nulls].some((other) => isSame(fault, other)))
        .slice(0, byBudget(planning, 24, 80, 160)),
    ];
    // Lists in other branches as well.
    const later = laterItems(planning, operation, values.mutations(base).filter(usable).map(labelled));
    const departures = [
      ...[...left, ...more]
        .map(labelled)
        .filter(mayShare)
        .map((fault, index) => ({
          body: faulty(scene, fault, `faulty-${index}`),
          deviation: faultOf(fault),
        })),
      ...(operation.pathFields.length > 0 ? [] : later),
      ...renamedMembers(operation, mutations, base),
    ];
    if (departures.length > 0)
      yield probe('other-types', 'VAL-1 VAL-2 VAL-3 VAL-5 VAL-7 VAL-8 VAL-11', [
        inTurn(scene, 'further deviations, each in one place', departures),
      ]);
    // The valid item before may be stored: the target shows it.
    if (later.length > 0 && operation.pathFields.length > 0)
      yield probe('later-items', 'VAL-1 VAL-2 VAL-3 VAL-5 VAL-7 VAL-8 VAL-11', [
        inTurn(scene, 'a valid item, then a wrong one', later, readingsOfAll(planning, scene)),
      ]);
    yield probe('media-type', 'VAL-14', [
      inTurn(
        scene,
        'the body under another media type, or without one',
        [...otherMedia, `${operation.body.mediaType.split(';')[0]};charset=x-unknown`].map(
          (media, index) => ({
            body: { use: 'named', name: `faulty-${index}`, form: { media } },
            deviation: { kind: 'media-type' },
          }),
        ),
      ),
      ...charsets(operation.body.mediaType, planning.budget === 'quick' ? 1 : 2).map((media) =>
        replaced(
          scene,
          `the body as ${media}`,
          { kind: 'media-type', ...(media.endsWith(utf8) ? { how: 'parameter' } : {}) },
          { use: 'named', name: 'faulty', form: { media } },
        ),
      ),
      // Many services never look at Content-Encoding: what they accept moves a target on.
      ...alone(
        scene,
        'the body as compressed, which it is not',
        codings.slice(0, scene.prelude.length === 0 ? 2 : byBudget(planning, 1, 2, 2)).map((coding) => ({
          body: { use: 'named', name: 'faulty' },
          headers: [['Content-Encoding', coding]],
          deviation: { kind: 'media-type' },
        })),
      ),
    ]);
    // A body without members can only be of another kind.
    const [first] = [
      ...chosen.filter(({ keyword }) => keyword !== 'format'),
      ...(carriesNothing(operation) ? others : []),
    ];
    if (first !== undefined)
      yield probe('same-key', 'VAL-9 VAL-10', [corrected(scene, first), again(scene, first)]);
    else
      yield skip(operation, 'VAL-7 VAL-8 VAL-9 VAL-10', {
        kind: 'inapplicable',
        remedy: 'Its schema allows every kind of JSON value as the body.',
      });
    // Where a member chooses the branch, nothing says what is wrong with the others once it is wrong itself.
    const [one, two] = pairOf(chosen.filter((mutation) => !isChooser(operation, mutation)));
    if (one !== undefined && two !== undefined)
      yield probe('two-faults', 'VAL-4', [bothWrong(scene, one, two)]);
    else
      yield skip(operation, 'VAL-4', {
        kind: 'inapplicable',
        remedy: 'Its body has no two members that can be wrong at once.',
      });
  },
});

/** A list or a text that breaks a keyword as a whole: its length, say. Other types are sent elsewhere. */
const isOfWhole = ({ keyword, pointer }: Mutation): boolean =>
  pointer === '' && !['type', 'required', 'format'].includes(keyword);

/** What a body with one wrong member aims at: VAL-11 is about nested members. */
function ofMember({ keyword, pointer }: Mutation): readonly ClauseCode[] {
  return [
    keyword === 'required' ? 'VAL-1' : 'VAL-2',
    ...['VAL-3', 'VAL-5', 'VAL-7', 'VAL-8'],
    ...(pointer.indexOf('/', 1) > 0 ? ['VAL-11'] : []),
  ];
}

/** Keywords of a schema that say nothing of the members of an object or of the items of a list. */
const ofTheWhole =
  'type title description default examples deprecated format minLength maxLength pattern'.split(' ');

function asksNothingOfMembers(schema: JsonSchema, base: Json): boolean {
  if (typeof base !== 'object' || base === null) return true;
  return !isObject(schema) || Object.keys(schema).every((keyword) => ofTheWhole.includes(keyword));
}
