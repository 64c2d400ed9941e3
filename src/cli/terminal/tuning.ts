import v8 from 'node:v8';

/** Sets V8 up for a process that does nothing but this. */
export function tuneEngine(): void {
  // A run calls thousands of functions some thousand times each. By default V8 11 (Node 20) spends a fifth of all CPU on
  // optimizing them, often twice; later versions weigh that better, and do not know the setting.
  if (process.versions.v8.startsWith('11.')) v8.setFlagsFromString('--interrupt-budget=270000');
  // Responses come and go, and are long. V8 would let them pile up to several times what is kept. While code is loaded the
  // heap only grows: to look for garbage then would make the start slower by a twelfth.
  setTimeout(() => v8.setFlagsFromString('--heap-growing-percent=30'), 1000).unref();
}
