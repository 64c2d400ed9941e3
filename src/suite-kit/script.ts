import { validator } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import { isObject, type Json, withValueAt } from '../model/json.ts';
import type { BodyEdit, BodySpec, Deviation, How, KeySpec, Step, Wave } from '../model/scenario.ts';
import { mutatedTokens } from '../model/token-variants.ts';
import { outsiders } from './cast.ts';
import { readings } from './readback.ts';
import { negative, type Scene, scenario, sceneOf, skip } from './scene.ts';
import type { ScriptedSuite, ScriptProbe, ScriptStep } from './script-schema.ts';
import { type Planning, type Proposal, probesOf, type Suite } from './suite.ts';

/** A script as a suite: its deviations are worked out from what it says, so that the oracle knows what to expect. */
export function suiteOfScript(script: ScriptedSuite): Suite {
  return {
    name: script.suite,
    title: script.title ?? script.suite,
    *propose(planning): Iterable<Proposal> {
      for (const operation of planning.contract.operations) {
        if (!isFor(script.for ?? 'all', operation)) continue;
        const scene = sceneOf(planning, operation);
        // Reads of the target may have to wait (G15): one probe of a suite shows what a refusal leaves.
        const watched = script.probes.find(({ faulty }) => faulty !== undefined);
        for (const probe of script.probes) {
          const clauses = probe.clauses ?? [];
          if ('remedy' in scene) yield skip(operation, clauses, scene);
          else
            yield probesOf(operation)(probe.id, clauses, [
              scenarioOf(planning, scene, probe, probe === watched),
            ]);
        }
      }
    },
  };
}

function isFor(wanted: NonNullable<ScriptedSuite['for']>, operation: Operation): boolean {
  if (typeof wanted !== 'string') return wanted.includes(operation.id);
  return wanted === 'all' || (wanted === 'commands') === (operation.kind === 'command');
}

function scenarioOf(
  planning: Planning,
  scene: Scene,
  probe: ScriptProbe,
  watched: boolean,
): ReturnType<typeof scenario> {
  const title = probe.title ?? probe.id;
  if (probe.faulty !== undefined) {
    const { id: _, ...parts } = partsOf(planning, scene, probe.faulty, []);
    return negative(scene, title, parts, {
      sameKey: probe.sameKey === true,
      bodies: { faulty: scene.body() },
      // A refusal must leave the target as it was, which only reads of it show.
      ...(watched && parts.deviations.length > 0 ? { around: readings(planning, scene) } : {}),
    });
  }
  const before: Step[] = [];
  const bodies = new Set(['body']);
  const waves = (probe.steps ?? []).map((item): Wave => {
    const written: readonly ScriptStep[] = 'length' in item ? item : [item];
    const steps = written.map((one) => {
      const step = partsOf(planning, scene, one, before, `step-${before.length + 1}`);
      if (step.body?.use === 'named') bodies.add(step.body.name);
      const made = scene.request(step.id, step);
      before.push(made);
      return made;
    });
    return { steps };
  });
  return scenario(
    scene,
    title,
    waves,
    Object.fromEntries(
      [...bodies].map((name, index) => [
        name,
        index === 0 ? scene.body() : (scene.different ?? scene.body()),
      ]),
    ),
  );
}

type StepParts = Partial<Step> & { readonly id: string; readonly deviations: readonly Deviation[] };

function partsOf(
  planning: Planning,
  scene: Scene,
  written: ScriptStep,
  before: readonly Step[],
  fallbackId = 'test',
): StepParts {
  const deviations: Deviation[] = [];
  const key = keyOf(written, fallbackId);
  if (key?.use === 'none' && scene.operation.kind === 'command')
    deviations.push({ kind: 'key', how: 'absent' });
  if (key?.use === 'literal')
    deviations.push({ kind: 'key', how: key.value.trim() === '' ? 'blank' : 'odd' });
  if (written.token !== undefined) deviations.push({ kind: 'credential', how: howOf(written.token) });
  const outsider = outsiders(planning, scene.operation).find((one) => one.principal.name === written.as);
  if (outsider !== undefined) deviations.push({ kind: 'permission', how: outsider.how });
  const stated = planning.principals.find((principal) => principal.name === written.as)?.state;
  if (stated === 'expired' || stated === 'revoked') deviations.push({ kind: 'credential', how: stated });
  for (const header of Object.keys(written.headers ?? {})) deviations.push({ kind: 'header-noise', header });
  const body = bodyOf(planning, scene, written, deviations);
  const id = written.id ?? fallbackId;
  if (key?.use === 'named') {
    const first = before.find((step) => step.key.use === 'named' && step.key.name === key.name);
    if (first !== undefined)
      deviations.push({
        kind: 'key-reuse',
        of: first.id,
        difference: differenceOf(first, written, body, scene),
      });
  }
  return {
    id,
    ...(written.role === undefined ? {} : { role: written.role }),
    ...(written.controls === undefined ? {} : { controls: written.controls }),
    ...(written.observes === undefined ? {} : { observes: written.observes }),
    ...(written.as === undefined ? {} : { as: written.as }),
    ...(key === undefined ? {} : { key }),
    ...(written.token === undefined ? {} : { token: written.token }),
    ...(body === undefined ? {} : { body }),
    ...(written.headers === undefined ? {} : { headers: Object.entries(written.headers) }),
    ...(written.query === undefined ? {} : { query: Object.entries(written.query) }),
    ...(written.transport === undefined ? {} : { transport: written.transport }),
    deviations,
  };
}

function keyOf(written: ScriptStep, id: string): KeySpec | undefined {
  if (written.key === undefined) return undefined;
  if (typeof written.key === 'object') return { use: 'literal', value: written.key.text };
  if (written.key === 'none') return { use: 'none' };
  return {
    use: 'named',
    name: written.key === 'new' || written.key === 'fresh' ? `new ${written.id ?? id}` : written.key,
  };
}

function howOf(token: NonNullable<ScriptStep['token']>): How<'credential'> {
  if (token === 'absent' || token === 'unknown') return token;
  if (token.startsWith('in-')) return 'elsewhere';
  return mutatedTokens.some((one) => one === token) ? 'mutated' : 'malformed';
}

function differenceOf(
  first: Step,
  written: ScriptStep,
  body: BodySpec | undefined,
  scene: Scene,
): Extract<Deviation, { kind: 'key-reuse' }>['difference'] {
  if (written.as !== undefined && written.as !== first.as) return 'caller';
  if (written.query !== undefined) return 'query';
  return JSON.stringify(body ?? scene.request('x').body) === JSON.stringify(first.body) ? 'none' : 'request';
}

/** The body as written, and what is wrong with it as the validator sees it. */
function bodyOf(
  planning: Planning,
  scene: Scene,
  { body }: ScriptStep,
  deviations: Deviation[],
): BodySpec | undefined {
  if (body === undefined) return undefined;
  const name =
    body.name ??
    (body.value === undefined &&
    body.set === undefined &&
    body.remove === undefined &&
    body.text === undefined
      ? 'body'
      : 'faulty');
  if (body.text !== undefined) {
    deviations.push({ kind: 'body-syntax' });
    return { use: 'text', text: body.text, name };
  }
  const edits: BodyEdit[] = [
    ...(body.value === undefined ? [] : [{ at: '', set: body.value }]),
    ...Object.entries(body.set ?? {}).map(([at, set]): BodyEdit => ({ at, set })),
    ...(body.remove ?? []).map((at): BodyEdit => ({ at, remove: true })),
  ];
  const schema = scene.operation.body?.schema;
  if (schema !== undefined && edits.length > 0) {
    let value: Json = planning.values(scene.operation).plain ?? null;
    for (const edit of edits)
      if ('at' in edit)
        value =
          edit.at === '' && 'set' in edit
            ? edit.set
            : withValueAt(value, edit.at, 'set' in edit ? edit.set : undefined);
    if (typeof schema !== 'boolean' || isObject(schema))
      for (const error of validator(schema, { formats: 'assert' })(value))
        deviations.push({ kind: 'body', at: error.pointer, keyword: error.keyword });
  }
  return edits.length === 0 ? { use: 'named', name } : { use: 'named', name, edit: { all: edits } };
}
