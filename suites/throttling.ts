import type { Step, Wave } from '../src/model/scenario.ts';
import { holders, throttled } from '../src/propose/cast.ts';
import { fresh, named, type Scene, scenario, sceneOf, skip } from '../src/propose/scene.ts';
import { byBudget, defineSuite, type Planning, type Proposal } from '../src/propose/suite.ts';

const aims = ['THR-1', 'THR-2', 'THR-3', 'THR-4', 'THR-5', 'THR-6', 'THR-7', 'THR-8', 'IDM-14'];

export default defineSuite({
  name: 'throttling',
  title: 'Sending too fast: 429, its guidance, the honoured wait, and the key of the throttled command',
  *propose(planning): Iterable<Proposal> {
    const commands = planning.contract.operations.filter((operation) => operation.kind === 'command');
    // One limiter stands before all operations as a rule: bursts at each of them would only cost time.
    const candidates = commands.filter(
      (operation) => operation.pathFields.length === 0 && operation.verification === undefined,
    );
    const [operation] = candidates.length > 0 ? candidates : commands;
    const remedy =
      'The throttling suite bursts at one command, since limiters stand before all of them as a rule; select another with --operation.';
    for (const other of commands)
      if (other !== operation) yield skip(other, aims, { kind: 'budget', remedy });
    if (operation === undefined) return;
    if (planning.declaration.G8 === 'unthrottled') {
      yield skip(operation, aims, {
        kind: 'declaration',
        remedy: 'The vendor declares that nothing is throttled (G8: unthrottled).',
      });
      return;
    }
    const principal = throttled(planning, operation);
    const scene = sceneOf(planning, operation, principal);
    if ('remedy' in scene) {
      yield skip(operation, aims, scene);
      return;
    }
    yield {
      kind: 'probe',
      id: 'burst',
      operation: operation.id,
      clauses: aims,
      alone: true,
      cases: Array.from({ length: byBudget(planning, 1, 2, 3) }, () => episode(planning, scene)),
    };
  },
});

/** One episode: a burst until throttled, the guided wait, and the throttled command again. */
function episode(planning: Planning, scene: Scene): ReturnType<typeof scenario> {
  const { maxRequests, maxSeconds } = planning.throttling;
  const body = scene.operation.body === undefined ? { use: 'none' as const } : named('body');
  const burst: Step = scene.request('burst', {
    role: 'probe',
    key: fresh('key'),
    body,
    deviations: [{ kind: 'pace' }],
  });
  const honoured = (id: string): Step =>
    scene.request(id, { key: fresh('key'), body, deviations: [{ kind: 'pace' }] });
  const other = holders(planning, scene.operation).find(
    (principal) => principal.identity !== scene.lead.identity,
  );
  const bystander: readonly Wave[] =
    other === undefined
      ? []
      : [
          {
            steps: [
              {
                ...scene.request('bystander', {
                  role: 'readback',
                  as: other.name,
                  key: fresh('bystander'),
                  body: scene.operation.body === undefined ? { use: 'none' } : named('bystander'),
                }),
              },
            ],
          },
        ];
  const again = (from: string, id: string, waves: readonly Wave[]): Wave => ({
    when: { step: from, was: 'refused' },
    waves: [{ wait: { guidance: from } }, { steps: [honoured(id)] }, ...waves],
  });
  return scenario(
    scene,
    'too fast, then as guided',
    [
      {
        repeat: burst,
        width: byBudget(planning, 12, 16, 16),
        after: 6,
        max: byBudget(planning, Math.min(400, maxRequests), maxRequests, maxRequests),
        maxSeconds,
      },
      ...bystander,
      { wait: { guidance: 'burst' } },
      { steps: [honoured('honoured')] },
      again('honoured', 'honoured-again', [
        again('honoured-again', 'honoured-thrice', [
          {
            when: { step: 'honoured-thrice', was: 'refused' },
            waves: [
              {
                steps: [
                  scene.request('fresh', {
                    key: fresh('fresh'),
                    body: scene.operation.body === undefined ? { use: 'none' } : named('fresh'),
                  }),
                ],
              },
            ],
          },
        ]),
      ]),
    ],
    { body: scene.body(), fresh: scene.body(), bystander: scene.body() },
  );
}
