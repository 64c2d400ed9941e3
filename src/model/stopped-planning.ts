/** Thrown where the user stops a command while its plan is made: no scenario has been sent then. */
export class StoppedPlanning extends Error {}
