import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** The folder of compiled or plain modules, beside which `suites` and `fixtures` stand. */
export function moduleRoot(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}

/** The configuration to use: the one named, the one in the working directory, or the default of the package. */
export function configFile(named: string | undefined): {
  readonly file: string;
  readonly isDefault: boolean;
} {
  if (named !== undefined) return { file: named, isDefault: false };
  return existsSync('harness.config.yaml')
    ? { file: 'harness.config.yaml', isDefault: false }
    : { file: join(packageRoot(), 'harness.config.yaml'), isDefault: true };
}

/** The configuration of the extended catalogue, at which every seeded fault shows. */
export function extendedConfig(): string {
  return join(packageRoot(), 'fixtures/contracts/extended.config.yaml');
}

/** The contract document of the extended catalogue. */
export function extendedCatalogue(): string {
  return join(packageRoot(), 'fixtures/contracts/extended-catalogue.yaml');
}
