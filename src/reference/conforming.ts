import { answerDecisions } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { bodyDecisions } from './body.ts';
import { credentialDecisions } from './credential.ts';
import { recordDecisions } from './execute.ts';
import { keyDecisions } from './keys.ts';
import { listDecisions } from './listing.ts';
import { permissionDecisions } from './permission.ts';
import { phaseDecisions } from './phases.ts';
import { throttleDecisions } from './throttle.ts';
import { verificationDecisions } from './verification.ts';
import { versionDecisions } from './version.ts';

export const conforming: Behaviour = {
  ...phaseDecisions,
  ...answerDecisions,
  ...bodyDecisions,
  ...credentialDecisions,
  ...recordDecisions,
  ...keyDecisions,
  ...listDecisions,
  ...permissionDecisions,
  ...throttleDecisions,
  ...verificationDecisions,
  ...versionDecisions,
};
