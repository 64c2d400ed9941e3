import fc from 'fast-check';
import { bounded, validator } from '../src/generate/index.ts';
import type { Operation } from '../src/model/contract.ts';
import { type Json, type JsonPointer, withValueAt } from '../src/model/json.ts';
import { type Scenario, type Step, stepsOf, type Wave } from '../src/model/scenario.ts';
import { largestPage } from '../src/oracle/paging.ts';
import { standIn } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { ownFilter } from '../src/suite-kit/filters.ts';
import { leftAlone, readings } from '../src/suite-kit/readback.ts';
import { clientRequestIds, withRequestId } from '../src/suite-kit/request-ids.ts';
import {
  key,
  named,
  negative,
  readStep,
  type Scene,
  scenario,
  sceneOf,
  skip,
} from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { filled, longText, textPlaces, textsAt } from '../src/suite-kit/text-places.ts';
import { shown } from './valid-commands/shown.ts';

/** Texts that careless services stumble over; all are legal free text. The likeliest first. */
const texts = [
  `"double" 'single' \`back\` \\slash\\ /slash/`,
  '👩‍👩‍👧‍👦 🏳️‍🌈 💥',
  'Größe, naïveté, 客户无法登录',
  'line one\nline two\r\nline three\ttab',
  '<script>alert(1)</script> &amp; <b>',
  "Robert'); DROP TABLE cases;--",
  '$' + '{7*7} {{7*7}} %s %d %00 %20',
  'العميل لا يستطيع',
  'null',
  '0',
  'x',
  'zalgo z̴͖a̷̢l̵̫g̶̱o̸̠',
];

/** None of them means anything to the contract; tracing takes its own from the last. */
const oddHeaders: readonly Header[] = [
  ['X-Assay-Noise', 'a'.repeat(200)],
  ['X-Forwarded-For', '127.0.0.1, 10.0.0.1'],
  ['Accept-Language', 'xx-invalid;q=7'],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
];

/** The list that would show the target of a command, asked for it alone where it has a filter for that. */
function listed(planning: Planning, scene: Scene): readonly Wave[] {
  const { effect, pathFields } = scene.operation;
  const list = planning.contract.operations.find(({ id }) => id === effect?.list);
  const { target = {} } = scene.request('listed');
  const ref = target[pathFields.at(-1)?.name ?? ''];
  if (list?.pagination === undefined || ref === undefined) return [];
  if (!list.pathFields.every(({ name }) => Object.hasOwn(target, name))) return [];
  const reader = standIn(planning, list, scene.lead);
  if (reader === undefined) return [];
  const made = 'step' in ref ? stepsOf(scene.prelude).find(({ id }) => id === ref.step) : undefined;
  const maker = planning.contract.operations.find(({ id }) => id === made?.operation);
  const body = made === undefined ? undefined : scene.bodies[made.id];
  const filter =
    maker === undefined || made === undefined || body === undefined
      ? undefined
      : ownFilter(list, maker, body, made.id);
  return [
    {
      steps: [
        {
          ...readStep('listed', list, reader, target, 'readback'),
          observes: 'list-after',
          query: [
            [list.pagination.limit, String(Math.min(100, largestPage(list)))],
            ...(filter === undefined ? [] : [filter]),
          ],
        },
      ],
    },
  ];
}

type Header = readonly [string, string];

const request = ['RID-1', 'RID-2', 'RID-4', 'RID-5', 'RID-6', 'RID-7', 'RID-8'];
const result = ['CMD-1', 'CMD-2', 'CMD-3', 'CMD-4', 'CMD-5', 'CMD-6'];

export default defineSuite({
  name: 'valid-commands',
  title: 'Commands that meet the contract, in all the variety that it allows',
  for: 'commands',
  clauses: [...request, ...result, 'VAL-15', 'ERR-1'],
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    // What was deleted must not read as before, nor what was changed.
    const deletes = operation.method === 'DELETE';
    const around =
      deletes || operation.effect?.read !== undefined ? readings(planning, scene) : { before: [], after: [] };
    yield probe(
      'plain',
      [...request, ...result],
      [
        scenario(scene, 'a plain valid command', [
          ...around.before,
          { steps: [scene.request('command', { role: 'test' })] },
          ...around.after,
          ...(deletes ? listed(planning, scene) : shown(planning, scene)),
        ]),
      ],
    );
    const alone = leftAlone(planning, scene, 'start');
    if (alone.length > 0)
      yield probe(
        'left-alone',
        ['CMD-1'],
        [
          scenario(scene, 'a record that is left alone, the command, and the record left alone again', [
            ...alone,
            { steps: [scene.request('command', { role: 'test' })] },
            ...(deletes ? [] : leftAlone(planning, scene, 'command')),
          ]),
        ],
      );
    yield probe(
      'foreign-request-id',
      ['RID-7'],
      [
        ...noises(
          planning,
          scene,
          (scene.prelude.length === 0
            ? clientRequestIds
            : byBudget(planning, clientRequestIds.slice(0, 2), clientRequestIds, clientRequestIds)
          ).map((value) => ['X-Request-Id', value]),
        ),
        refusedWithRequestId(scene),
      ],
    );
    yield probe('odd-headers', ['ERR-1'], noises(planning, scene, oddHeaders));
    yield probe(
      'burst',
      ['RID-5'],
      Array.from({ length: byBudget(planning, 1, 2, 4) }, () => burst(scene)),
      {
        concurrent: true,
      },
    );
    const values = planning.values(operation);
    const base = values.plain;
    const at =
      base === undefined
        ? undefined
        : values.texts.find((text) => fitting(operation, base, text, values.marker)('x'));
    if (at !== undefined && base !== undefined) {
      const fits = fitting(operation, base, at, values.marker);
      const long = longest(operation, base, at, values.marker);
      const some = [...texts.filter(fits), ...(long === undefined ? [] : [long])];
      yield probe(
        'free-text',
        ['VAL-15'], // What is accepted moves a target on: there each text has its own, and its own control.
        scene.prelude.length === 0
          ? [
              freeTexts(
                scene,
                at,
                some.map((text) => withValueAt(base, at, text)),
              ),
            ]
          : byBudget(planning, [...some.slice(0, 4), ...some.slice(-1)], some, some).map((text) =>
              freeText(planning, scene, at, withValueAt(base, at, text)),
            ),
        {
          random: {
            runs: byBudget(planning, 5, 30, 150),
            arbitrary: bounded(
              fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60, size: 'max' }),
              (text) =>
                text.trim() !== '' &&
                text.length <= 150 &&
                !text.includes('\u0000') &&
                !/\p{Surrogate}/u.test(text),
              'x',
            ).map((text) => freeText(planning, scene, at, withValueAt(base, at, shortened(text, fits)))),
          },
        },
      );
    }
    const places = textPlaces(operation, values).filter((place) => place.at !== at);
    const others = places.slice(
      0,
      scene.prelude.length === 0 ? byBudget(planning, 3, 6, 12) : byBudget(planning, 1, 2, 4),
    );
    const isRoomy =
      base !== undefined &&
      at !== undefined &&
      fitting(operation, base, at, values.marker)('x'.repeat(longText));
    const main = isRoomy && scene.prelude.length === 0 ? [{ at, base }] : [];
    if (others.length + main.length > 0)
      yield probe(
        'other-texts',
        ['VAL-15'],
        [
          ...main.flatMap((place) => textsAt(planning, scene, { ...place, most: undefined })),
          ...others.flatMap((place) => textsAt(planning, scene, place)),
        ],
      );
    if (base !== undefined && values.valid !== undefined && at === undefined && places.length === 0)
      yield skip(operation, ['VAL-15'], {
        kind: 'inapplicable',
        remedy: 'Its body has no member that may hold any text.',
      });
    if (values.valid !== undefined)
      yield probe('any-valid-body', result, [], {
        random: {
          runs: byBudget(planning, 3, 15, 60),
          arbitrary: values.valid.map((value) =>
            scenario(scene, 'a valid body', [{ steps: [scene.request('command', { role: 'test' })] }], {
              body: scene.body(value),
            }),
          ),
        },
      });
  },
});

/** Whether a text with its marker is as long as the schema allows, be it counted in characters or in UTF-16 units. */
function fitting(
  operation: Operation,
  base: Json,
  at: JsonPointer,
  marker: JsonPointer | undefined,
): (text: string) => boolean {
  const check = validator(operation.body?.schema ?? true);
  const valid = (text: string): boolean => check(withValueAt(base, at, text)).length === 0;
  return (text) => {
    const sent = at === marker ? `${text} asy-0123456789abcdef` : text;
    return valid(sent) && valid('x'.repeat(sent.length));
  };
}

/** The longest text that the schema declares it takes, up to some thousand characters. */
function longest(
  operation: Operation,
  base: Json,
  at: JsonPointer,
  marker: JsonPointer | undefined,
): string | undefined {
  const check = validator(operation.body?.schema ?? true);
  const valid = (length: number): boolean => check(withValueAt(base, at, 'x'.repeat(length))).length === 0;
  const bound = 20_000;
  if (valid(bound + 1)) return undefined;
  let [low, high] = [1, bound];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (valid(middle)) low = middle;
    else high = middle - 1;
  }
  // The engine appends a blank and the marker.
  const length = at === marker ? low - ' asy-0123456789abcdef'.length : low;
  return length > 0 && valid(low) ? filled(length) : undefined;
}

/** The beginning of a text that fits, which may be all of it. */
function shortened(text: string, fits: (text: string) => boolean): string {
  let characters = [...text];
  while (characters.length > 1 && !fits(characters.join('')))
    characters = characters.slice(0, Math.floor(characters.length / 2));
  const short = characters.join('');
  return fits(short) && short.trim() !== '' ? short : 'x';
}

/** A second scene of its own, so that a control never meets the state that the probe left. */
function twin(planning: Planning, scene: Scene): Scene {
  const other = sceneOf(planning, scene.operation, scene.lead, 'other-');
  return 'remedy' in other ? scene : other;
}

function paired(
  planning: Planning,
  scene: Scene,
  title: string,
  probe: Partial<Step>,
  body: ReturnType<Scene['body']>,
): Scenario {
  const other = twin(planning, scene);
  const plain = scene.operation.body === undefined ? { use: 'none' as const } : named('plain');
  return {
    title,
    bodies: { ...scene.bodies, ...other.bodies, body, plain: scene.body() },
    waves: [
      ...scene.prelude,
      { steps: [scene.request('test', { role: 'test', key: key('key'), ...probe })] },
      ...(other === scene ? [] : other.prelude),
      { steps: [other.request('control', { controls: 'test', key: key('fresh'), body: plain })] },
    ],
  };
}

/** One request for each header: on targets of their own, or one after the other with one plain control for all. */
function noises(planning: Planning, scene: Scene, headers: readonly Header[]): readonly Scenario[] {
  const parts = ([header, value]: Header): Pick<Step, 'headers' | 'deviations'> => ({
    headers: [[header, value]],
    deviations: [{ kind: 'header-noise', header }],
  });
  const titled = `with ${[...new Set(headers.map(([header]) => header))].join(', ')}`;
  return scene.prelude.length === 0
    ? [
        inTurn(
          scene,
          titled,
          headers.map((header) => ({ parts: parts(header), value: undefined })),
        ),
      ]
    : headers.map((header) => paired(planning, scene, `with ${header[0]}`, parts(header), scene.body()));
}

/** What refuses a request may not be what gives the others their ids. */
function refusedWithRequestId(scene: Scene): Scenario {
  const { deviations, headers } = withRequestId(clientRequestIds[1] ?? '');
  return negative(
    scene,
    'with X-Request-Id, and without a credential',
    {
      token: 'absent',
      ...(headers === undefined ? {} : { headers }),
      deviations: [...deviations, { kind: 'credential', how: 'absent' }],
    },
    { sameKey: true },
  );
}

function freeText(
  planning: Planning,
  scene: Scene,
  at: string,
  value: Parameters<Scene['body']>[0],
): Scenario {
  return paired(
    planning,
    scene,
    `free text at ${at}`,
    { deviations: [{ kind: 'text-noise', at }] },
    scene.body(value),
  );
}

/** Several texts one after the other, and one plain control for all. */
function freeTexts(scene: Scene, at: string, values: readonly Json[]): Scenario {
  const deviations = [{ kind: 'text-noise', at } as const];
  return inTurn(
    scene,
    `free texts at ${at}`,
    values.map((value) => ({ parts: { deviations }, value })),
  );
}

type Tried = { readonly parts: Partial<Step>; readonly value: Json | undefined };

/** Several commands one after the other, and one plain control for all. */
function inTurn(scene: Scene, title: string, all: readonly Tried[]): Scenario {
  const bodied = scene.operation.body !== undefined;
  const sent = (id: string, body: string, parts: Partial<Step>): Wave => ({
    steps: [scene.request(id, { key: key(id), ...(bodied ? { body: named(body) } : {}), ...parts })],
  });
  const names = all.map((_, index) => `probe-${index + 1}`);
  return scenario(
    scene,
    title,
    [
      ...all.map(({ parts }, index) =>
        sent(names[index] ?? '', names[index] ?? '', { role: 'test', ...parts }),
      ),
      sent('control', 'plain', { controls: '*' }),
    ],
    bodied
      ? {
          ...Object.fromEntries(all.map(({ value }, index) => [names[index] ?? '', scene.body(value)])),
          plain: scene.body(),
        }
      : {},
  );
}

function burst(scene: Scene): Scenario {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const steps = names.map((name) =>
    scene.request(name, {
      role: 'test',
      key: key(name),
      body: scene.operation.body === undefined ? { use: 'none' } : named(name),
    }),
  );
  return scenario(
    scene,
    'five distinct commands at once',
    [{ steps }],
    Object.fromEntries(names.map((name) => [name, scene.body()])),
  );
}
