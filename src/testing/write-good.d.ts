declare module 'write-good' {
  type Suggestion = { readonly index: number; readonly offset: number; readonly reason: string };
  type Options = Readonly<Record<string, boolean | readonly string[]>>;
  export default function writeGood(text: string, options?: Options): readonly Suggestion[];
}
