import type { Json } from '../model/json.ts';
import { observations, transports } from '../model/scenario.ts';
import { type Described, list, oneOf, record, type Schema, schemaOf } from '../model/schema.ts';
import { scriptedTokens } from '../model/token-variants.ts';

const text = (description?: string) =>
  schemaOf<string>({ type: 'string', ...(description === undefined ? {} : { description }) });
const name = (description: string) => schemaOf<string>({ type: 'string', minLength: 1, description });
const texts = schemaOf<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

const stepMembers = {
  id: name('Name of the step; later steps and rulings refer to it.'),
  role: oneOf(
    ['test', 'control', 'readback', 'setup'],
    'test: the request that is judged; control: a valid request that differs from it in one thing only.',
  ),
  observes: oneOf(
    observations,
    'What the read shows, if clauses compare it with other reads of the scenario.',
  ),
  controls: text('For a control: the ID of its test request, or * for all.'),
  operation: text('Operation ID; default: the operation that the probe is for.'),
  as: text('Principal; default: the first that holds the permission.'),
  key: schemaOf<string | { readonly text: string }>({
    description:
      'none; new (a key of this step alone); a name (the same name is the same key, with a new value in every attempt); or { text } as written.',
    oneOf: [{ type: 'string', minLength: 1 }, record('', { text: text() })],
  }),
  token: oneOf(scriptedTokens),
  body: record(
    'If left out, a valid body is sent.',
    {},
    {
      name: text('Steps with the same name send the same body; default: body.'),
      value: schemaOf<Json>({ description: 'The whole body.' }),
      set: schemaOf<Readonly<Record<string, Json>>>({
        type: 'object',
        description: 'Members to replace, by JSON Pointer.',
      }),
      remove: list(text(), 'JSON Pointers of members to leave out.'),
      text: text('Bytes as written.'),
    },
  ),
  headers: texts,
  query: texts,
  transport: oneOf(transports),
};
const step = record('', {}, stepMembers);
/** A step as written; everything left out is as in a valid request. */
export type ScriptStep = Described<typeof step>;

const probe = record(
  '',
  { id: schemaOf<string>({ type: 'string', minLength: 1 }) },
  {
    title: text(),
    clauses: list(schemaOf<string>({ type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' })),
    faulty: record(
      'One request that differs from a valid one in the given way. It is sent, then the valid one.',
      {},
      stepMembers,
    ),
    sameKey: schemaOf<boolean>({
      type: 'boolean',
      description: 'Whether the valid request uses the key of the faulty one.',
    }),
    steps: schemaOf<readonly (ScriptStep | readonly ScriptStep[])[]>({
      type: 'array',
      minItems: 1,
      description: 'Steps in sequence; a list of steps is sent at once.',
      items: { oneOf: [step, { type: 'array', minItems: 1, items: step }] },
    }),
  },
);
export type ScriptProbe = Described<typeof probe>;

const script = record(
  '',
  {
    suite: schemaOf<string>({
      type: 'string',
      pattern: '^[a-z][a-z0-9-]*$',
      description: 'Name, as --suite takes it.',
    }),
    probes: schemaOf<readonly ScriptProbe[]>({ type: 'array', minItems: 1, items: probe }),
  },
  {
    title: text(),
    for: schemaOf<'commands' | 'reads' | 'all' | readonly string[]>({
      description: 'commands, reads, all, or a list of operation IDs. Default: all.',
      oneOf: [
        { enum: ['commands', 'reads', 'all'] },
        { type: 'array', minItems: 1, items: { type: 'string' } },
      ],
    }),
  },
);
/** A scripted suite: plain data, checked against its schema before it gets here. */
export type ScriptedSuite = Described<typeof script>;

export const scriptSchema: Schema<ScriptedSuite> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Assay scripted suite',
  ...script,
};
