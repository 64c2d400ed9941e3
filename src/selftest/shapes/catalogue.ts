import { bodyShapes } from './bodies.ts';
import type { Shape } from './document.ts';
import { documentShapes } from './documents.ts';
import { relationShapes } from './relations.ts';
import { requestShapes } from './requests.ts';

/** Every shape that a contract may have and the harness must be right on. */
export const shapes: readonly Shape[] = [
  ...bodyShapes,
  ...relationShapes,
  ...requestShapes,
  ...documentShapes,
];
