import { dirname, resolve } from 'node:path';
import type { Config } from './config.ts';

/** The folder of the configuration: its paths start there, and its commands run there. */
export function folderOf({ file }: Pick<Config, 'file'>): string {
  return dirname(resolve(file));
}
