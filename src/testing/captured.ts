import pc from 'picocolors';
import type { Output } from '../cli/terminal/output.ts';

/** An output that keeps what a command says, without colours. */
export function capture(): { readonly output: Output; readonly text: () => string } {
  let text = '';
  const take = (more: string): void => {
    text += more;
  };
  return {
    output: { out: take, err: take, live: false, columns: 100, colours: pc.createColors(false) },
    text: () => text,
  };
}
