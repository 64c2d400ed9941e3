import type { Operation } from '../model/contract.ts';
import type { Step } from '../model/scenario.ts';

/** The path of an operation before its fields are filled in, in the form that a step asks for. */
export function templateOf({ otherPath, path, strangePath }: Operation, asked: Step['path']): string {
  switch (asked) {
    case 'other-choice':
      return otherPath ?? path;
    case 'no-choice':
      return strangePath?.path ?? path;
    case 'upper-case':
      return path.replaceAll(/\{[^}]*\}|[^{]+/g, (part) =>
        part.startsWith('{') ? part : part.toUpperCase(),
      );
    default:
      return path;
  }
}

/** A path in another form, which some guards and routers take for the same one and others do not. */
export function inForm(path: string, form: Step['path']): string {
  switch (form) {
    case undefined:
    case 'other-choice':
    case 'no-choice':
    case 'encoded-value':
    case 'upper-case':
      return path;
    case 'trailing-slash':
      return `${path}/`;
    case 'double-slash':
      return `/${path}`;
    case 'encoded':
      return encodedAt(path, /(?<=^\/)./);
    case 'encoded-slash':
      return encodedAt(path, /(?<!^)\//);
    case 'parameter':
      return `${path};x=1`;
    case 'dot-segment':
      return `/.${path}`;
  }
}

/** The first character that matches is percent-encoded. */
export function encodedAt(text: string, letter: RegExp): string {
  return text.replace(letter, (found) => `%${found.charCodeAt(0).toString(16)}`);
}
