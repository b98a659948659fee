import type { Episode } from '../episode.ts';
import { asServed, renews, type Sent, stepsOf, type Watched, within } from '../journal.ts';
import {
  type ClientRule,
  type ClientRules,
  type Findings,
  inSituations,
  mustSucceed,
  NOTHING,
} from '../rule.ts';

/** The situations whose calls meet in an order that the suite fixes, on a service of the run's profile. */
const FIXED: readonly Episode['situation'][] = ['calls-at-expiry', 'refresh-overtaken', 'browser-gone'];

export const RACING = {
  'renewal.keeps-user': renewing([...FIXED, 'refresh-lost', 'killed-during-refresh'], (episode) =>
    FIXED.includes(episode.situation) ? afterRace(episode) : afterLoss(episode),
  ),
  'renewal.keeps-calls': renewing(FIXED, (episode) => {
    // A client may give up a refresh before the suite lets it go on.
    const isGivenUp = episode.refreshes.some(({ clientGone }) => clientGone);
    if (isGivenUp && episode.situation !== 'browser-gone') return NOTHING;
    const calls = stepsOf(episode, 'call', 'at-once');
    const lost = calls.filter(({ outcome, asksAgain }) => outcome !== 'ok' && asksAgain !== true);
    const details = [...new Set(lost.map(({ detail }) => detail))].join('; ');
    const broken = `${lost.length} of ${calls.length} calls at the time of the refresh were lost: ${details}`;
    return { examples: calls.length, broken: lost.length === 0 ? [] : [broken] };
  }),
} satisfies ClientRules;

/** A client that gets over no expiry shows nothing here. */
function renewing(situations: readonly Episode['situation'][], look: (one: Watched) => Findings): ClientRule {
  return (episodes, settings) => inSituations(situations, look)(renews(episodes) ? episodes : [], settings);
}

function afterRace(episode: Watched): Findings {
  const calls = stepsOf(episode, 'call', 'after-race').filter(({ asksAgain }) => asksAgain !== true);
  const found = mustSucceed(
    calls.map((step) => asServed(episode, step)),
    ({ detail }) =>
      `the user is signed out: after the calls at the time of the refresh, the next one ${detail}`,
  );
  return { ...found, broken: found.broken.slice(0, 1) };
}

/** After an answer that never came: the next call succeeds, or where the service takes the old token no more, a sign-in helps. */
function afterLoss(episode: Watched): Findings {
  const calls = stepsOf(episode, 'call', 'after-loss').map((step) => asServed(episode, step));
  const [first] = calls;
  if (first === undefined || calls.some(({ outcome }) => outcome === 'ok'))
    return { ...NOTHING, examples: calls.length };
  const refreshes = calls.flatMap((step) => within(episode, step).refreshes);
  const isTaken = episode.forgives === true && !refreshes.some(isRefused);
  if (isTaken && !refreshes.some(({ gotTokens }) => gotTokens))
    return {
      examples: 1,
      broken: [
        `the user is signed out: the refresh got no answer, the next call ${first.detail}, and ${refreshes.length} refreshes were sent, although the service takes the old token again`,
      ],
    };
  return mustSucceed(
    stepsOf(episode, 'call', 'recovered'),
    ({ detail }) =>
      `the user is signed out for ever: the refresh got no answer, and after a new sign-in the call at the expiry ${detail}`,
  );
}

function isRefused({ refusal }: Sent): boolean {
  return refusal?.refused.startsWith('refresh-token-') === true;
}

/** Returns the words for the calls, and the user, that a race cost in this situation; undefined if it was not produced. */
export function costIn(episodes: readonly Watched[], situation: Episode['situation']): string | undefined {
  const episode = episodes.find((one) => one.situation === situation && one.gap === undefined);
  const next = episode === undefined ? [] : stepsOf(episode, 'call', 'after-race');
  if (episode === undefined || next.length === 0) return undefined;
  // The first race alone: after it the user may be signed out.
  const calls = stepsOf(episode, 'call', 'at-once').filter(({ after }) => after < (next[0]?.after ?? 0));
  const { length } = calls.filter(({ outcome }) => outcome !== 'ok');
  const isOut = next.some((step) => asServed(episode, step).outcome !== 'ok');
  const lost = length === 0 ? 'no call' : `${length} of ${calls.length} calls`;
  return isOut ? `${lost} and the user, who must sign in again` : lost;
}
