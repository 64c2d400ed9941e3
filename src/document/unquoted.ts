/** What to do where a text was meant and YAML read another value: `007`, `1.10`, `true`. */
export function unquoted(value: unknown): string | undefined {
  if (typeof value === 'number') return 'put it in quotes: without them it is read as a number';
  return typeof value === 'boolean'
    ? 'put it in quotes: without them it is read as true or false'
    : undefined;
}
