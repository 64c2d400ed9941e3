import type { Step, Wave } from '../../src/model/scenario.ts';
import { bodyOf, key, type Scene } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';

/** Requests in a window, of the limit that is met most; a quick burst sends so much more than that, or than what is declared. */
const usualLimit = 100;
const beyond = 1.25;

type Burst = Extract<Wave, { readonly repeat: Step }>;

/** A read may show the record a little later (open point G15): the burst would end at once. */
export function visible(scene: Scene): readonly Wave[] {
  return scene.operation.kind === 'read' && scene.operation.pathFields.length > 0
    ? [{ poll: scene.request('visible', { role: 'setup' }), until: 'found', max: 5 }]
    : [];
}

/** A page of one record: a list is to be throttled, not to be slow. */
export function smallest(scene: Scene): Partial<Step> {
  const { pagination } = scene.operation;
  return pagination === undefined ? {} : { query: [[pagination.limit, '1']] };
}

export function extent(planning: Planning): Pick<Burst, 'width' | 'after' | 'max' | 'maxSeconds'> {
  const { maxRequests, maxSeconds } = planning.throttling;
  return {
    width: byBudget(planning, 12, 16, 16),
    after: 6,
    max: byBudget(planning, fewest(planning), maxRequests, maxRequests),
    maxSeconds,
  };
}

function fewest({ declared, throttling: { maxRequests } }: Planning): number {
  const most = Math.max(usualLimit, declared.G8.rate?.requests ?? 0);
  return Math.min(Math.ceil(most * beyond), maxRequests);
}

/** As many requests of another operation as reach the limit. */
export function reaching(planning: Planning, filler: Scene, tag: string, during: Step): Burst {
  return {
    repeat: filler.request(`${tag}burst`, {
      role: 'test',
      ...(filler.operation.kind === 'command' ? { key: key(`${tag}filler`) } : {}),
      body: bodyOf(filler, 'filler'),
      ...smallest(filler),
      deviations: [{ kind: 'pace' }],
    }),
    during,
    ...extent(planning),
  };
}

/** Whether a command can be sent again and again, if only to be refused: each verification would have to be obtained first. */
export function canPress({ operation }: Scene): boolean {
  return operation.verification === undefined;
}

/** The command itself on a record that is used up for it: the limit may be one of commands, or of this command alone. */
export function pressing(planning: Planning, pressed: Scene, during: Step): Burst {
  return {
    repeat: pressed.request('press', {
      role: 'setup',
      key: key('press'),
      body: bodyOf(pressed, 'press'),
      deviations: [{ kind: 'pace' }],
    }),
    during,
    ...extent(planning),
    // A limit of one command is lower than one of all requests.
    max: fewest(planning),
    until: 'throttled',
  };
}
