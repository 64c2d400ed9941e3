import type { Step } from '../model/scenario.ts';

/** Ids that a client has no say in; middleware believes some of them for their form. */
export const clientRequestIds = [
  'evil-0001',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
];

/** What makes a request one with an ID of the client's own. */
export function withRequestId(value: string): Pick<Step, 'headers'> & {
  readonly deviations: readonly [{ readonly kind: 'header-noise'; readonly header: string }];
} {
  return {
    headers: [['X-Request-Id', value]],
    deviations: [{ kind: 'header-noise', header: 'X-Request-Id' }],
  };
}
