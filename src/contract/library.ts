import type { SourceDocument } from '../document/document.ts';
import type { Json, JsonPointer } from '../model/json.ts';

/** A value of an OpenAPI document together with where it stands. */
export type Place = {
  readonly document: SourceDocument;
  readonly pointer: JsonPointer;
  readonly value: Json | undefined;
};

export type Library = ReadonlyMap<string, SourceDocument>;
