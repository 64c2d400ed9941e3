/** A path template without its trailing slash, which some frameworks write: `/items/` and `/items/{id}/`. */
export function bare(path: string): string {
  const plain = !path.includes('(') ? path : path.replaceAll(/\((?:\w+=)?('?)(\{[^{}]+\})\1\)/g, '/$2');
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

/** The key of a segment such as `items(7)` or `items('a-1')`; undefined of any other segment. */
export function keyInParentheses(segment: string): string | undefined {
  return /^[a-z_][\w.]*\((?:\w+=)?(?:'([^'()]+)'|(\d+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))\)$/i
    .exec(segment)
    ?.slice(1)
    .find((key) => key !== undefined);
}

/** `approvals` gives `approval`, `entries` gives `entry`. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}
