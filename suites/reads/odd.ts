import type { Operation, QueryField } from '../../src/model/contract.ts';
import { isArray, isObject } from '../../src/model/json.ts';
import type { Scenario, Step } from '../../src/model/scenario.ts';
import { valueFor } from '../../src/suite-kit/given.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { clientRequestIds, withRequestId } from '../../src/suite-kit/request-ids.ts';
import { negative, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { plainRefusals, traced } from '../../src/suite-kit/traced.ts';

/** What ends a text, or stands for any, in the languages that services put texts into. */
const texts = ["assay' OR '1'='1", 'assay"\\%_(*[<script>{{7*7}}\u{1f600}\u00e4'];

/** Query fields with texts that mean something to a careless service, and twice: served or refused, without failure. */
export function oddQueries(planning: Planning, scene: Scene): readonly Scenario[] {
  const { pagination, queryFields } = scene.operation;
  const known = queryFields.flatMap((field) => {
    const given = isText(field) ? 'assay' : valueFor(field);
    const value = isArray(given) && isJoined(field) ? given.join(',') : given;
    const isPage = field.name === pagination?.cursor;
    return isPage || field.value !== undefined || !['string', 'number', 'boolean'].includes(typeof value)
      ? []
      : [{ field, value: String(value) }];
  });
  return [...known.filter(({ field }) => isText(field)), ...known.filter(({ field }) => !isText(field))]
    .slice(0, byBudget(planning, 1, 3, 9))
    .map(({ field, value }) => {
      const { name } = field;
      const asked = isText(field) ? texts.map((text) => [[name, text]] as const) : [];
      const twice =
        isObject(field.schema) && field.schema['type'] === 'array' && !isJoined(field)
          ? []
          : [
              [
                [name, value],
                [name, value],
              ] as const,
            ];
      return oddly(
        scene,
        `${name} with unusual texts, or twice`,
        [...asked, ...twice].map((query) => ({
          query,
          deviations: [{ kind: 'query', field: name, keyword: 'odd' }],
        })),
        { query: [[name, value]] },
      );
    });
}

/** What reads as Base64 but is no cursor, what is no Base64, JSON of another form, and a position before the first. */
const cursors = ['assay-no-cursor', '~assay~', 'eyJhc3NheSI6MX0', '-1'];

/** A list within a record of its own shows only what is made in it: without a record, an accepted cursor shows nothing. */
export function madeUpCursors(
  planning: Planning,
  scene: Scene,
  field: string,
  made: Scene | undefined,
): readonly Scenario[] {
  const isNew = Object.values(scene.request('test').target ?? {}).some((ref) => 'step' in ref);
  const filled =
    made === undefined || !isNew
      ? {}
      : {
          before: [...made.prelude, create(made, 'first'), { wait: 'settle' } as const],
          bodies: { ...made.bodies, first: made.body() },
        };
  return cursors.slice(0, byBudget(planning, 2, 4, 4)).map((cursor) =>
    negative(
      scene,
      `the made-up cursor ${cursor}`,
      {
        query: [[field, cursor]],
        deviations: [{ kind: 'cursor', how: 'tampered' }],
      },
      filled,
    ),
  );
}

/** Whether a list is one text, `a,b`, so that a second one is as odd as that of any field. */
function isJoined({ explode, style = 'form' }: QueryField): boolean {
  return explode === false && style === 'form';
}

function isText({ schema }: QueryField): boolean {
  if (!isObject(schema) || schema['type'] !== 'string') return false;
  return ['enum', 'const', 'format', 'pattern', 'maxLength'].every(
    (keyword) => schema[keyword] === undefined,
  );
}

/** IDs of the client's own with requests that are served, and with others that are refused. */
export function withOtherRequestIds(planning: Planning, scene: Scene): Scenario {
  return scenario(scene, 'with X-Request-Id', [
    ...clientRequestIds.map((value, index) =>
      send(scene, `read-${index}`, { role: 'test', ...withRequestId(value) }),
    ),
    ...plainRefusals(planning, scene).map((one) => send(scene, one.id, { role: 'test', ...traced(one) })),
    send(scene, 'control', { controls: '*' }),
  ]);
}

const malformed = ['{"assay":', '', '{assay: unquoted}', '\u0000'];

/** The body of a search that is not JSON, or is sent as something else. */
export function oddBodies(scene: Scene): readonly Scenario[] {
  const { body }: Operation = scene.operation;
  if (body === undefined) return [];
  const parts = [
    ...malformed
      .filter((text) => body.required || text !== '')
      .map(
        (text): Partial<Step> => ({
          body: { use: 'text', text, name: 'body' },
          deviations: [{ kind: 'body-syntax' }],
        }),
      ),
    ...['text/plain', ''].map(
      (media): Partial<Step> => ({
        body: { use: 'named', name: 'body', form: { media } },
        deviations: [{ kind: 'media-type' }],
      }),
    ),
  ];
  return [oddly(scene, 'a body that is not JSON, or of another media type', parts, {})];
}

/** One after the other, and one control for all. */
function oddly(scene: Scene, title: string, all: readonly Partial<Step>[], control: Partial<Step>): Scenario {
  return scenario(scene, title, [
    ...all.map((parts, index) => send(scene, `odd-${index + 1}`, { role: 'test', ...parts })),
    send(scene, 'control', { controls: '*', ...control }),
  ]);
}
