import type { AbilityId, RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../document/types.ts';
import type { Configuration } from '../target/configuration/configuration.ts';
import { liveAbilities } from '../target/live-abilities.ts';

/** Requests of a full run without abilities, on a service that remembers consent. */
const BARE = 1_420;

const ADDED: Readonly<Record<AbilityId, number>> = {
  clock: 150,
  'second-application': 115,
  'second-redirect-uri': 10,
  'second-project': 220,
  'three-users': 230,
  'fresh-consent': 0,
  'scope-visible': 0,
  'destructive-ids': 160,
  'create-application': 30,
};

/** Factor for a consent page at each authorization: 1.15 with one page, 1.5 with redirects between several. */
const ALWAYS_ASKED = 1.28;

/** Part of a full run that `care: careful` leaves. */
const CAREFUL = 0.88;

const TOLERANCE = 0.2;

/** Share of each method in the requests of a full run. */
export const SHARES = { GET: 0.5, POST: 0.28, PUT: 0.11, DELETE: 0.11 } as const;

/** Returns the seconds that so many requests of a run take at the configured pace, by the slowest limit. */
export function secondsAtPace(
  requests: number,
  { requestsPerSecond, perMinute }: Configuration['pacing'],
): { readonly seconds: number; readonly limit: string } {
  const limits = [{ seconds: requests / requestsPerSecond, limit: `${requestsPerSecond} a second` }];
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    const most = perMinute[method];
    if (most === undefined) continue;
    limits.push({ seconds: ((requests * SHARES[method]) / most) * 60, limit: `${most} ${method} a minute` });
  }
  return limits.reduce((slowest, one) => (one.seconds > slowest.seconds ? one : slowest));
}

/** Returns the number of requests of a full run, within 20 %, exploration excluded. */
export function forecast(configuration: Configuration): number {
  const { abilities } = liveAbilities(configuration);
  const { care, consent } = configuration;
  const careful = care === 'careful';
  const added = [...abilities].map((ability) =>
    careful && ability === 'destructive-ids' ? 0 : ADDED[ability],
  );
  const sent = added.reduce((sum, requests) => sum + requests, BARE) * (careful ? CAREFUL : 1);
  return Math.round(consent.shown === 'always' ? sent * ALWAYS_ASKED : sent);
}

/** Returns the reason why a run must exceed its budget; undefined if it may fit. */
export function misfit(
  configuration: Configuration,
  catalogue: Catalogue,
  ids: readonly RequirementId[],
): string | undefined {
  const { budget, pacing } = configuration;
  const { abilities } = liveAbilities(configuration);
  const all = catalogue.requirements.filter(({ needs }) => needs.every((ability) => abilities.has(ability)));
  const applicable = all.filter(({ id }) => ids.includes(id)).length;
  const part = applicable / all.length;
  const least = Math.floor(forecast(configuration) * (1 - TOLERANCE) * (part < 1 ? part / 2 : 1));
  const what = `the ${applicable} requirements that apply take ${least} requests at least`;
  if (least > budget.requests)
    return `budget.requests: ${what}, and the budget is ${budget.requests}; raise it, or select fewer with --only`;
  const { seconds: exact, limit } = secondsAtPace(least, pacing);
  const seconds = Math.floor(exact);
  if (seconds > budget.seconds)
    return `budget.seconds: ${what}, which is ${seconds} s at ${limit} (\`pacing\`), and the budget is ${budget.seconds} s; raise it, or select fewer with --only`;
  return undefined;
}
