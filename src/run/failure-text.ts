import { messageOf } from '../model/thrown.ts';
/** The message for a failure of the harness; ASSAY_DEBUG adds the stack. */
export function failureText(error: unknown, env: Readonly<Record<string, string | undefined>>): string {
  const what = messageOf(error);
  const stack = env['ASSAY_DEBUG'] !== undefined && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  return `the harness itself failed, which says nothing about the target: ${what}${stack}`;
}
