import { type Operation, operationOf } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { type JsonPointer, parseJson, pointerTokens } from '../model/json.ts';
import { isUsual, usualMarkers } from '../model/marker.ts';
import { remembered } from '../model/remembered.ts';
import { isAccepted, sentJson } from '../model/response.ts';
import { type BodyValue, bodyNameOf, stepsOf } from '../model/scenario.ts';
import { findingFields } from '../suite-kit/filters.ts';
import type { Planning } from '../suite-kit/suite.ts';
import type { OperationValues } from '../suite-kit/values.ts';
import { effectReadOf, placeName } from './sweep.ts';

/** The text that a record of the run has, if there is one. */
export type Lookup = {
  readonly marker: string;
  readonly text: string;
  /** The command that sent it was accepted. */
  readonly made: boolean;
};

/** How records of a list may be found without reading all of it. */
export type Lookups = {
  readonly fields: readonly string[];
  readonly lookups: readonly Lookup[];
  /** Markers that were sent in other places: no filter by a member finds every record that has them. */
  readonly elsewhere: ReadonlySet<string>;
};

export const noLookups: Lookups = { fields: [], lookups: [], elsewhere: new Set() };

/** Texts that no filter can misread. */
const plainText = /^[\w .,:-]{1,200}$/;

/** Whether a filter that finds one such text finds any of them. */
export function isPlain(text: string): boolean {
  return plainText.test(text);
}

/** What the commands of some traces may have made, by the list that shows it. */
export function lookupsOf(planning: Planning, traces: readonly Trace[]): ReadonlyMap<string, Lookups> {
  const places = new Map<
    string,
    { readonly fields: Set<string>; readonly texts: Map<string, Lookup>; readonly elsewhere: Set<string> }
  >();
  for (const trace of traces) {
    const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step]));
    for (const { answer, operation: id, request, step: stepId } of trace.exchanges) {
      const step = steps.get(stepId);
      const operation = operationOf(planning.contract, id);
      const effectRead = step === undefined ? undefined : effectReadOf(planning, step);
      if (effectRead === undefined) continue;
      const name = placeName(effectRead);
      const place = places.get(name) ?? { fields: new Set(), texts: new Map(), elsewhere: new Set() };
      places.set(name, place);
      const sent = step === undefined ? undefined : trace.scenario.bodies[bodyNameOf(step.body) ?? ''];
      const plainBody = sent?.form === undefined ? plainBodyOf(planning.values(operation)) : sent;
      const { marker: at } = plainBody;
      for (const name of finding(effectRead.list, operation, plainBody)) place.fields.add(name);
      const parsed = sentJson(request);
      // A body may be written in escapes.
      const body = parsed === undefined ? (request.body ?? '') : JSON.stringify(parsed);
      const formed = Object.values(trace.bound.markers).filter(
        (marker) => !isUsual(marker) && body.includes(marker),
      );
      for (const marker of new Set([...(body.match(usualMarkers) ?? []), ...formed])) {
        const text = at === undefined ? undefined : textWith(marker, body, at);
        if (text === undefined) place.elsewhere.add(marker);
        else {
          const made = place.texts.get(text)?.made === true || (answer !== undefined && isAccepted(answer));
          place.texts.set(text, { marker, text, made });
        }
      }
    }
  }
  return new Map(
    [...places].map(([name, { elsewhere, fields, texts }]) => [
      name,
      { fields: [...fields], lookups: [...texts.values()], elsewhere },
    ]),
  );
}

const plainBodyOf = remembered(
  ({ marker, plain = null }: OperationValues): BodyValue => ({ value: plain, marker }),
);

const foundBy = remembered((_: BodyValue) => new Map<string, readonly string[]>());

/** The fields that find a record by its text: each sweep asks for those of each exchange. */
function finding(list: Operation, maker: Operation, body: BodyValue): readonly string[] {
  const known = foundBy(body);
  const key = `${list.id} ${maker.id}`;
  const names = known.get(key) ?? findingFields(list, maker, body).map(({ name }) => name);
  known.set(key, names);
  return names;
}

/** The text of a member that has a marker, where nothing else of the body has it. Malformed JSON may be read all the same. */
export function textWith(marker: string, body: string, at: JsonPointer): string | undefined {
  if (body.split(marker).length !== 2) return undefined;
  const name = JSON.stringify(pointerTokens(at).at(-1) ?? '');
  for (const [, before, text] of body.matchAll(/("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*")/g))
    if (before === name && text?.includes(marker) === true) {
      const value = parseJson(text);
      return typeof value === 'string' ? value : undefined;
    }
  return undefined;
}
