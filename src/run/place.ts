import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trouble } from '../model/input-error.ts';

/** The folder of the package: the one with its package.json, whether run from sources or from dist. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return process.cwd();
    folder = parent;
  }
  return folder;
}

/** The folder of compiled or plain modules, next to `suites` and `fixtures`. */
export function moduleRoot(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}

/** The configuration in the working directory that is used where none is named. */
const usual = 'harness.config.yaml';

/**
 * The configuration to use: the one named, the one in the working directory, or that of the built-in service where
 * nothing else is the target.
 * @throws InputError if there is none: a run without a configuration must not look like a test
 */
export function configFile({
  config,
  baseUrl,
}: {
  readonly config?: string;
  readonly baseUrl?: string | undefined;
}): string {
  if (config === '') throw trouble('--config', 'the name of the file is empty', 'name a configuration');
  if (config !== undefined) return config;
  if (existsSync(usual)) return usual;
  if (baseUrl === 'reference') return builtInConfig();
  throw trouble(
    usual,
    'there is no such file',
    'name one with --config, write one with assay init, or add --base-url reference to test the built-in reference service',
  );
}

export function builtInConfig(): string {
  return join(packageRoot(), usual);
}

/** The configuration of the extended catalogue, on which every seeded fault can be seen. */
export function extendedConfig(): string {
  return join(packageRoot(), 'fixtures/contracts/extended.config.yaml');
}

/** The configuration of `serve`: its principals are the ones that the service knows. */
export function servedConfig(named: string | undefined, fault: string | undefined): string {
  if (named === undefined && fault !== undefined) return extendedConfig();
  return configFile({ baseUrl: 'reference', ...(named === undefined ? {} : { config: named }) });
}

export function extendedCatalogue(): string {
  return join(packageRoot(), 'fixtures/contracts/extended-catalogue.yaml');
}
