/** A text within a flow collection of YAML: names of operations may have braces, those of fields brackets. */
export function flowText(text: string): string {
  return /^[a-z_/][\w./@~-]*( [\w./@~-]+)*$/i.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
