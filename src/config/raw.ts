import type { Budget } from '../model/configured.ts';
import type { Json } from '../model/json.ts';
import type { Target, TextSource, TokenSource } from './config.ts';

/** `harness.config.yaml` as its JSON Schema describes it. */
export type RawConfig = {
  readonly target: {
    readonly baseUrl: string;
    readonly environment: Target['environment'];
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly returnSeconds?: number;
    readonly exclusive?: boolean;
    readonly ca?: string;
    readonly clientCertificate?: {
      readonly cert: TextSource;
      readonly key: TextSource;
      readonly passphrase?: TextSource;
    };
    readonly proxy?: string;
    readonly http2?: boolean;
    readonly sign?: RawSigning;
    readonly cleanup?: string;
    readonly product?: string;
    readonly vendor?: string;
    readonly version?: string;
    readonly approvedScope?: string;
  };
  readonly contract: string;
  readonly contractRoot?: string;
  readonly contractMegabytes?: number;
  readonly principals: Readonly<Record<string, RawPrincipal>>;
  readonly operations?: Readonly<Record<string, RawOperation>>;
  readonly declares?: Readonly<Record<`G${number}`, Json>>;
  readonly throttling?: {
    readonly maxRequests?: number;
    readonly maxSeconds?: number;
    readonly maxWaitSeconds?: number;
    readonly limit?: { readonly requests: number; readonly perSeconds: number };
  };
  readonly hooks?: Readonly<Record<string, RawHook>>;
  readonly suites?: readonly string[];
  readonly waivers?: readonly {
    readonly clause: string;
    readonly operation?: string;
    readonly owner: string;
    readonly reason: string;
    readonly link?: string;
    readonly expires: string;
  }[];
  readonly seed?: number;
  readonly budget?: Budget;
  readonly maxRequests?: number;
  readonly maxSeconds?: number;
  readonly concurrency?: number;
  readonly ranBy?: string;
  readonly output?: string;
};

export type RawSigning = ({ readonly module: string } | { readonly command: string }) & {
  readonly timeoutSeconds?: number;
};

export type RawOperation = {
  readonly examples?: readonly Json[];
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly targets?: readonly Readonly<Record<string, string>>[] | { readonly command: string };
  readonly exclude?: true;
};

export type RawPrincipal = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly token: TokenSource;
  readonly permissions: readonly string[];
  readonly scope?: string;
  readonly state?: 'valid' | 'expired' | 'revoked';
  readonly identity?: string;
  readonly use?: 'any' | 'throttling';
};

export type RawHook = {
  readonly http?: {
    readonly url: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly command?: string;
  readonly timeoutSeconds?: number;
};
