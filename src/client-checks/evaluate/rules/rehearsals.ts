import type { Act, Episode } from '../episode.ts';
import { episodeDuring, type Sent, stepsOf, type Watched } from '../journal.ts';
import { type ClientRule, type ClientRules, observingRule } from '../rule.ts';

/** Situations that rehearse the end of the service. What a client does there is a habit, and no other rule looks at them. */
export const REHEARSALS: readonly Episode['situation'][] = ['brownout', 'sunset-header', 'gone'];

/** The races on services that take a replaced refresh token again, or refuse it. */
export const RACES: Readonly<Partial<Record<Episode['situation'], string>>> = {
  'race-same-pair': 'same pair',
  'race-another-pair': 'another pair',
  'race-refused': 'refused',
};

/** Requests in one call from which it is a loop. */
const LOOP = 5;

export const REHEARSED = {
  'habits.brownout': recorded((episode) => {
    const refused = refusedIn(episode);
    const periods = [...Map.groupBy(refused, ({ status }) => status).entries()];
    return periods.map(([status, entries], index) => {
      const next = periods[index + 1]?.[1][0]?.arrival;
      return `${status}: ${[whileRefused(episode, entries), afterwards(episode, entries, next)].join(', ')}`;
    });
  }),
  'habits.sunset-header': recorded(({ operations: calls, output }) => {
    if (calls.length === 0) return [];
    const well = calls.filter(({ effect }) => effect !== undefined).length;
    const mentioned = /\b(?:sunset|deprecation|Jan 2027|2027-01-31)\b/i.test(output ?? '')
      ? 'mentions'
      : 'does not mention';
    const told = output === undefined ? [] : [`its console output ${mentioned} the end`];
    return [[`${well} of ${calls.length} calls are answered as before`, ...told].join(', ')];
  }),
  'habits.gone': recorded((episode) => {
    const refused = refusedIn(episode);
    return refused.length === 0 ? [] : [whileRefused(episode, refused)];
  }),
  'habits.races': recorded((episode) => {
    const raced = stepsOf(episode, 'call', 'at-once');
    const after = stepsOf(episode, 'call', 'after-race');
    if (after.length === 0 || episode.gap !== undefined) return [];
    const well = (steps: typeof raced) => steps.filter(({ outcome }) => outcome === 'ok').length;
    return [
      `${RACES[episode.situation]}: ${well(raced)} of ${raced.length} calls at once end well, ${well(after)} of ${after.length} after them`,
    ];
  }),
} satisfies ClientRules;

/** Makes a rule that records what each of the requirement's situations shows. */
function recorded(look: (episode: Watched) => readonly string[]): ClientRule {
  return observingRule((episodes, situations) => {
    const own = episodes.filter(({ situation }) => situations.includes(situation));
    return own.flatMap(look).join('. ') || undefined;
  });
}

function refusedIn({ entries }: Watched): readonly Sent[] {
  return entries.filter(({ fault }) => fault === 'status');
}

/** Says how often the client tries, and what it shows to its user. */
function whileRefused(episode: Watched, refused: readonly Sent[]): string {
  const { length } = episode.refreshes.filter((one) => refused.includes(one));
  const sentIn = (step: Act) =>
    episodeDuring(episode, step).refreshes.filter((one) => refused.includes(one)).length;
  const most = Math.max(0, ...episode.steps.map(sentIn));
  const loop = most < LOOP ? '' : `, refreshes in a loop: ${most} in one call`;
  const [first = 0, last = 0] = [refused[0]?.arrival, refused.at(-1)?.arrival];
  // The integrator's own tests are one act, without an outcome.
  const shown = episode.steps.filter(({ as, until }) => as === 'resting' && until >= first && until <= last);
  const worst = WORST.find(([outcome]) => shown.some((act) => act.outcome === outcome));
  return `${length} of ${refused.length} refused requests are refreshes${loop}${worst === undefined ? '' : `, ${worst[1]}`}`;
}

const WORST = [
  ['ok', 'shows its user a success'],
  ['no-answer', 'leaves its user waiting'],
  ['error', 'tells its user'],
] as const;

/** Says with which tokens the client goes on after a brownout. */
function afterwards({ entries }: Watched, refused: readonly Sent[], next = Number.POSITIVE_INFINITY): string {
  const last = refused.at(-1)?.arrival ?? 0;
  // Of the integrator's own tests, the episode does not hold the answer that issued the pair.
  const known = entries
    .filter(({ arrival }) => arrival <= last)
    .flatMap(({ issued, presented }) => [...Object.values(issued), ...Object.values(presented)]);
  const goesOn = entries.find(
    (one) => one.arrival > last && one.arrival < next && (one.gotTokens || one.effect === 'listed'),
  );
  const kept = [goesOn?.presented.refreshToken, goesOn?.presented.accessToken].some(
    (token) => token !== undefined && known.includes(token),
  );
  if (goesOn === undefined) return 'does not go on';
  return kept ? 'keeps its pair' : 'loses its pair';
}
