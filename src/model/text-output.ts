export type TextOutput = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};
