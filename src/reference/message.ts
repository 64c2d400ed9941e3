import type { Operation } from '../model/contract.ts';
import type { HeaderList } from '../model/exchange.ts';
import type { Json, JsonObject } from '../model/json.ts';

export type Received = {
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Field lines in the order and casing of the wire; repeated lines are kept apart. */
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** True where the body exceeded the limit and was not read to its end. */
  readonly tooLarge: boolean;
  /** Connections are numbered in the order in which they were opened. */
  readonly connection: number;
  readonly remote: string;
};

export type ServiceResponse = {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array | undefined;
  readonly chunked?: boolean;
};

/** One place in a request that does not match what is published. */
export type Mismatch = {
  readonly in: 'body' | 'query' | 'header' | 'cookie';
  /** A JSON pointer into the body, or the name of the query field or header. */
  readonly at: string;
  readonly keyword: string;
  readonly message: string;
};

/** A refusal before it is given a form. */
export type Problem = {
  readonly kind: 'problem';
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly findings: readonly Mismatch[];
  readonly headers: HeaderList;
  readonly members: JsonObject;
};

/** What ends a request early: a problem still to be rendered, or a response as it stands. */
export type Refusal = Problem | ServiceResponse;

/** What a command or a read brought: the body of the success, and headers that belong to it. */
export type Result = { readonly value: Json | undefined; readonly headers: HeaderList };

export type ParsedBody =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly refusal: Refusal };

/** What is known of a command once its path has named an operation. */
export type Arrived = { readonly request: Received; readonly operation: Operation };

/** Values of a header, one for each field line. */
export function headerValues(request: Received, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return request.headers.filter(([given]) => given.toLowerCase() === wanted).map(([, value]) => value);
}
