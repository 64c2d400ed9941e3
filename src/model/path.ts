/**
 * A path template without its trailing slash, to compare it with others: `/items/` and `/items/{id}/`, as some frameworks
 * write them, are a collection and its records.
 */
export function bare(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** `approvals` gives `approval`, `entries` gives `entry`. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}
