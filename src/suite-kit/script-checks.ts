import { problemAt, type SourceDocument } from '../document/document.ts';
import { suggestion } from '../document/nearest.ts';
import type { InputProblem } from '../model/input-error.ts';
import type { JsonPointer } from '../model/json.ts';
import { pointerOf } from '../model/json.ts';
import type { ScriptedSuite, ScriptStep } from './script-schema.ts';

/** The names that a run has for what scripts refer to. */
export type KnownNames = {
  readonly clauses: readonly string[];
  readonly operations: readonly string[];
  readonly principals: readonly string[];
};

type PlacedStep = { readonly at: JsonPointer; readonly step: ScriptStep };

/** What is wrong with a script apart from its names of other things. A probe with such a mistake would test nothing. */
export function scriptProblems(document: SourceDocument, { probes }: ScriptedSuite): readonly InputProblem[] {
  const ids = probes.map(({ id }) => id);
  return probes.flatMap((probe, index): readonly InputProblem[] => {
    const at = pointerOf(['probes', String(index)]);
    const steps = stepsOf(probe, at);
    const named = steps.map(({ step }, place) => step.id ?? `step-${place + 1}`);
    return [
      ...(ids.indexOf(probe.id) === index
        ? []
        : [
            problemAt(document, `${at}/id`, `there is already a probe '${probe.id}'`, 'give it another name'),
          ]),
      ...((probe.faulty === undefined) === (probe.steps === undefined)
        ? [problemAt(document, at, "a probe has either 'faulty' or 'steps'", 'write one of the two')]
        : []),
      ...steps.flatMap(({ at: place, step: { body, controls } }) => [
        ...(controls === undefined || controls === '*' || named.includes(controls)
          ? []
          : [
              problemAt(
                document,
                `${place}/controls`,
                `this probe has no step '${controls}'`,
                suggestion(controls, named),
              ),
            ]),
        ...Object.keys(body?.set ?? {})
          .filter((pointer) => !isPointer(pointer))
          .map((pointer) =>
            problemAt(document, place + pointerOf(['body', 'set', pointer]), ...noPointer(pointer), 'key'),
          ),
        ...(body?.remove ?? []).flatMap((pointer, item) =>
          isPointer(pointer)
            ? []
            : [problemAt(document, `${place}/body/remove/${item}`, ...noPointer(pointer))],
        ),
      ]),
    ];
  });
}

/** Names in a script that mean nothing in this run: the probe would not run, or count for no clause. */
export function unknownNames(
  document: SourceDocument,
  script: ScriptedSuite,
  { clauses, operations, principals }: KnownNames,
): readonly InputProblem[] {
  const check = (
    at: JsonPointer,
    what: string,
    name: string | undefined,
    known: readonly string[],
  ): readonly InputProblem[] =>
    name === undefined || known.includes(name)
      ? []
      : [problemAt(document, at, `there is no ${what} '${name}'`, suggestion(name, known))];
  const chosen = Array.isArray(script.for) ? script.for : [];
  return [
    ...chosen.flatMap((id, index) => check(`/for/${index}`, 'operation', id, operations)),
    ...script.probes.flatMap((probe, index) => {
      const at = pointerOf(['probes', String(index)]);
      return [
        ...(probe.clauses ?? []).flatMap((code, item) =>
          check(`${at}/clauses/${item}`, 'clause', code, clauses),
        ),
        ...stepsOf(probe, at).flatMap(({ at: place, step }) => [
          ...check(`${place}/operation`, 'operation', step.operation, operations),
          ...check(`${place}/as`, 'principal', step.as, principals),
        ]),
      ];
    }),
  ];
}

function stepsOf(
  { faulty, steps = [] }: ScriptedSuite['probes'][number],
  at: JsonPointer,
): readonly PlacedStep[] {
  return [
    ...(faulty === undefined ? [] : [{ at: `${at}/faulty`, step: faulty }]),
    ...steps.flatMap((item, index): readonly PlacedStep[] =>
      'length' in item
        ? item.map((step, inner) => ({ at: `${at}/steps/${index}/${inner}`, step }))
        : [{ at: `${at}/steps/${index}`, step: item }],
    ),
  ];
}

function isPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)*$/.test(text);
}

function noPointer(text: string): readonly [problem: string, remedy: string] {
  return [`'${text}' is not a JSON Pointer`, `write '/${text.replace(/^[#/]*/, '')}'`];
}
