import type { Settings } from '../src/reference/behaviour.ts';
import { startReference } from '../src/reference/server.ts';
import { machineClock } from '../src/run/clock.ts';
import { openSession, resolveTokens, withTokens } from '../src/run/session.ts';

/** `served.js <configuration> <settings as JSON>` sends its URL to the process that forked it, and ends with that. */
const [file = '', settings = '{}'] = process.argv.slice(2);
const session = await openSession(file, { baseUrl: 'reference' });
const tokens = await resolveTokens(session.config, process.env);
const given: Partial<Settings> = JSON.parse(settings);
const reference = await startReference({
  contract: session.contract,
  principals: withTokens(session.config, tokens),
  clock: machineClock,
  settings: given,
});
process.send?.({ url: reference.url });
process.on('disconnect', () => process.exit(0));
