import { trouble } from '../model/input-error.ts';

/** Bytes of a file that a user wrote, as text. @throws InputError where they are not UTF-8 */
export function utf8Text(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw trouble(file, 'the file is not UTF-8', 'save it as UTF-8');
  }
}
