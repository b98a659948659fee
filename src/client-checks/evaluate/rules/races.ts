import type { Act, Episode } from '../episode.ts';
import {
  asServed,
  episodeDuring,
  isTokenRefused,
  stepsOf,
  survivesExpiry,
  type Watched,
} from '../journal.ts';
import {
  type ClientRule,
  type ClientRules,
  type Findings,
  inOwnSituations,
  mustSucceed,
  NOTHING,
} from '../rule.ts';

/** The situations whose calls meet in an order that the suite fixes, on a service of the run's profile. */
const FIXED: readonly Episode['situation'][] = ['calls-at-expiry', 'refresh-overtaken', 'browser-gone'];

export const RACING = {
  'renewal.keeps-user': renewing((episode) =>
    FIXED.includes(episode.situation) ? afterRace(episode) : userAfterLoss(episode),
  ),
  'renewal.keeps-calls': renewing((episode) => {
    if (episode.situation === 'killed-during-refresh') {
      const { examples, first, isNeedless, recovered } = failedAfterLoss(episode);
      if (recovered.some(({ outcome }) => outcome !== 'ok')) return NOTHING;
      return {
        examples,
        broken: first && isNeedless ? [`the user must sign in again: ${signedOut(first)}`] : [],
      };
    }
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
function renewing(look: (one: Watched) => Findings): ClientRule {
  return (episodes, settings, situations) =>
    inOwnSituations(look)(survivesExpiry(episodes) ? episodes : [], settings, situations);
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

/** The calls of a user whose refresh got no answer, if each failed; and those after a new sign-in. */
function failedAfterLoss(episode: Watched) {
  const calls = stepsOf(episode, 'call', 'after-loss').map((step) => asServed(episode, step));
  const sent = calls.flatMap((step) => episodeDuring(episode, step).refreshes);
  const [first] = calls.some(({ outcome }) => outcome === 'ok') ? [] : calls;
  return {
    examples: calls.length,
    first,
    recovered: stepsOf(episode, 'call', 'recovered'),
    /** The client sent no refresh, although the service takes the old token again. */
    isNeedless: episode.forgives === true && !sent.some((one) => one.gotTokens || isTokenRefused(one)),
  };
}

/** The next call succeeds, or a new sign-in helps. Where the service takes the old token again, an answer that is lost costs no user. */
function userAfterLoss(episode: Watched): Findings {
  const { examples, first, recovered, isNeedless } = failedAfterLoss(episode);
  if (first === undefined) return { ...NOTHING, examples };
  if (isNeedless && episode.situation === 'refresh-lost')
    return { examples, broken: [`the user is signed out: ${signedOut(first)}`] };
  return mustSucceed(
    recovered,
    ({ detail }) =>
      `the user is signed out for ever: the refresh got no answer, and after a new sign-in the call at the next expiry ${detail}`,
  );
}

function signedOut({ detail }: Act): string {
  return `the refresh got no answer, the next call ${detail}, and no refresh was sent, although the service takes the old token again`;
}

/** Says what a race costs under the run's profile, and on a service that treats the second refresh the other way. */
export function costOf(episodes: readonly Watched[]): string {
  const own = 'calls-at-expiry';
  // Tests of an integrator's own show no outcome, and no `forgives`.
  const isMild = episodes.find(({ situation }) => situation === own)?.forgives;
  const there = isMild ? 'race-refused' : 'race-another-pair';
  const like = ` on a service like the profile ${isMild ? 'by-the-rfc' : 'doorkeeper-5'}`;
  return episodes
    .filter(({ situation, gap }) => gap === undefined && (situation === own || situation === there))
    .map((episode) => {
      // The first of two races: after it the user may be signed out.
      const calls = stepsOf(episode, 'call', 'at-once').slice(0, 5);
      const { length } = calls.filter(({ outcome }) => outcome !== 'ok');
      const isOut = afterRace(episode).broken.length > 0;
      const user = isOut ? ', and the user, who must sign in again' : '';
      return isMild === undefined
        ? ''
        : `; lost${episode.situation === own ? '' : like}: ${length} of ${calls.length} calls${user}`;
    })
    .join('');
}
