import { fairWeather, type Weather } from '../weather.ts';
import type { Variant } from './variant.ts';

const everything = [
  'createCase',
  'listCases',
  'getCase',
  'updateCase',
  'closeCase',
  'createContact',
  'deleteContact',
];

function weather(id: string, describes: string, given: Partial<Weather>): Variant {
  return {
    id,
    group: 'weather',
    describes,
    change: {},
    settings: { weather: { ...fairWeather, ...given } },
    operations: everything,
  };
}

/** A conforming service behind a network and a deployment that are not always in order. */
export const weatherVariants: readonly Variant[] = [
  weather('W41', 'One response in a hundred is a 502 from the gateway.', { badGateway: 0.01 }),
  weather('W41b', 'One connection in a hundred is reset.', { reset: 0.01 }),
  weather('W41c', 'One request in a hundred takes two seconds.', { slow: 0.01, slowMs: 2000 }),
  weather('W41d', 'Instances are restarted in turn: connections are reset for 150 ms every four seconds.', {
    restart: { everyMs: 4000, downMs: 150 },
  }),
  {
    ...weather('W41f', 'All of these at once, except that reads come from one replica.', {
      badGateway: 0.01,
      reset: 0.01,
      slow: 0.01,
      slowMs: 2000,
      restart: { everyMs: 4000, downMs: 150 },
    }),
    alone: true,
  },
  {
    id: 'W41e',
    group: 'weather',
    describes: 'Reads come from two replicas that lag by 0.2 and 1.5 seconds.',
    change: {
      readLag: (service) => ((service.randomBytes(1)[0] ?? 0) < 128 ? 200 : service.settings.readLagMs),
    },
    settings: { readLagMs: 1500 },
    declares: { G15: { seconds: 2 } },
    operations: everything,
  },
];
