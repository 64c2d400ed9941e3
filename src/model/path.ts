/**
 * A path template without its trailing slash, to compare it with others: `/items/` and `/items/{id}/`, as some frameworks
 * write them, are a collection and its records.
 */
export function bare(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
