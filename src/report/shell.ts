import type { MarkerForm } from '../model/marker.ts';

/** Values that stand for something new in each run, by the name of the variable that holds it. */
export type Variables = ReadonlyMap<string, string>;

/** Name of the variable that holds the same in capitals. */
export const inCapitals = (name: string): string => `${name}_UPPER`;

/**
 * A word for sh, dash, bash and zsh, interactive or not. Text is in single quotes, in which no shell reads anything, and
 * variables are in double quotes. What a terminal or a shell would change, `printf` writes.
 *
 * @param bytes how characters from U+0080 to U+00FF are to be sent: as one byte, or as UTF-8
 */
export function word(text: string, variables: Variables, bytes: 'latin1' | 'utf8'): string {
  const pieces = piecesOf(text, variables);
  const plain = bytes === 'utf8' ? /^[^\0-\x1f\x7f]*$/ : /^[\x20-\x7e\u0100-\uffff]*$/;
  if (!pieces.every((piece) => 'variable' in piece || plain.test(piece.text)))
    return `"$(${printed(text, variables, bytes)})"`;
  if (pieces.length === 0) return "''";
  return pieces
    .map((piece) =>
      'variable' in piece
        ? `"\${${piece.variable}}"`
        : /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(piece.text)
          ? piece.text
          : `'${piece.text.replaceAll("'", "'\\''")}'`,
    )
    .join('');
}

/** Whether a body reaches another program through a word as it is: nothing in it is lost or read by a terminal. */
export function fitsWord(text: string): boolean {
  return !/[\0-\x1f\x7f\ufffd]/.test(text);
}

/** A command that writes the text, every byte of it. */
export function printed(text: string, variables: Variables, bytes: 'latin1' | 'utf8'): string {
  const pieces = piecesOf(text, variables);
  const format = pieces.map((piece) => ('variable' in piece ? '%s' : formatOf(piece.text, bytes))).join('');
  const values = pieces.flatMap((piece) => ('variable' in piece ? [`"\${${piece.variable}}"`] : []));
  return ['printf', `'${format}'`, ...values].join(' ');
}

function formatOf(text: string, bytes: 'latin1' | 'utf8'): string {
  const odd = bytes === 'utf8' ? /[%\\'\0-\x1f\x7f\ufffd]/g : /[%\\'\0-\x1f\x7f-\xff]/g;
  return text.replaceAll(odd, (letter) => {
    if (letter === '%') return '%%';
    // Evidence is text: it shows so the byte 255, which we send where a body is not to be UTF-8.
    if (letter === '\ufffd') return '\\377';
    // An octal escape needs no quoting, whatever the shell.
    return `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

/** A new marker of a form, as the value of an assignment. */
export function newMarker(form: MarkerForm | undefined): string {
  if (form?.kind === 'number')
    return `$(( ($(od -An -N4 -tu4 /dev/urandom) * 65536 + $(od -An -N2 -tu2 /dev/urandom)) % ${form.count} * ${form.step} + ${form.least} ))`;
  if (form?.kind === 'characters')
    return form.sets
      .map(([characters, count]) =>
        characters.length === 1
          ? word(characters.repeat(count), new Map(), 'utf8')
          : `$(LC_ALL=C tr -dc ${characters} </dev/urandom | head -c ${count})`,
      )
      .join('');
  return "asy-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')";
}

type Piece = { readonly text: string } | { readonly variable: string };

/** Where a text holds a value of a variable, that value in capitals, or the placeholder of a token. */
function piecesOf(text: string, variables: Variables): readonly Piece[] {
  const names = new Map<string, string>();
  for (const [value, name] of variables) {
    names.set(value.toUpperCase(), inCapitals(name));
    names.set(value, name);
  }
  // Placeholders of tokens are found by their form: one may begin like another.
  const values = [...names.keys()]
    .filter((value) => !/^\$ASSAY_TOKEN_/.test(value))
    .sort((one, other) => other.length - one.length);
  const known = new RegExp(
    [
      ...values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')),
      '\\$ASSAY_TOKEN_[A-Z0-9_]+',
    ].join('|'),
    'g',
  );
  const pieces: Piece[] = [];
  let taken = 0;
  for (const match of text.matchAll(known)) {
    if (match.index > taken) pieces.push({ text: text.slice(taken, match.index) });
    pieces.push({ variable: names.get(match[0]) ?? match[0].slice(1) });
    taken = match.index + match[0].length;
  }
  if (taken < text.length) pieces.push({ text: text.slice(taken) });
  return pieces;
}
