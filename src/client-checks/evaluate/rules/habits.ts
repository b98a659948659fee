import type { ClientRule, Episode } from '../episode.ts';
import {
  authorizationParameters,
  authorizationRequests,
  formOf,
  headerOf,
  refreshes,
  tokenRequests,
  valuesOf,
} from '../journal.ts';

export const HABITS = {
  'habits.pkce': observed((episodes) => {
    const asked = episodes.flatMap(authorizationRequests);
    if (asked.length === 0) return undefined;
    const challenges = asked.filter(
      (entry) => valuesOf(authorizationParameters(entry), 'code_challenge').length > 0,
    );
    const verifiers = episodes
      .flatMap(tokenRequests)
      .filter((entry) => valuesOf(formOf(entry), 'code_verifier').length > 0);
    return challenges.length === 0
      ? 'no challenge'
      : `a challenge with ${challenges.length} of ${asked.length} requests, ${verifiers.length} verifiers`;
  }),
  'habits.basic': observed((episodes) => {
    const sent = episodes.flatMap(tokenRequests);
    if (sent.length === 0) return undefined;
    const by = (how: string) => sent.filter(({ authentication }) => authentication === how).length;
    const ways = (['form', 'basic', 'both', 'none'] as const).filter((how) => by(how) > 0);
    return ways.map((how) => `${how} ${by(how)}`).join(', ');
  }),
  'habits.early-refresh': observed((episodes) => {
    const ages = episodes.flatMap((episode) =>
      refreshes(episode).flatMap(({ at, presented }) => {
        const issue = episode.entries.find(({ issued }) => issued.refreshToken === presented.refreshToken);
        return issue === undefined ? [] : [Math.round(at - issue.at)];
      }),
    );
    return ages.length === 0
      ? undefined
      : `${ages.length} refreshes, the earliest ${Math.min(...ages)} s after its pair was issued`;
  }),
  'habits.connections': observed((episodes) => {
    const sent = episodes.flatMap(({ situation, entries }) =>
      entries
        .filter(({ endpoint }) => endpoint !== 'page' && endpoint !== 'authorize')
        .map(({ connection }) => `${situation} ${connection}`),
    );
    return sent.length === 0 ? undefined : `${new Set(sent).size} connections for ${sent.length} requests`;
  }),
  'habits.user-agent': observed((episodes) => {
    const names = new Set(
      episodes.flatMap(tokenRequests).map((entry) => headerOf(entry, 'user-agent') ?? 'none'),
    );
    return names.size === 0 ? undefined : [...names].slice(0, 4).join(', ');
  }),
} satisfies Readonly<Record<string, ClientRule>>;

function observed(look: (episodes: readonly Episode[]) => string | undefined): ClientRule {
  return (episodes) => {
    const answer = look(episodes);
    return answer === undefined ? { kind: 'not-exercised' } : { kind: 'observed', answer };
  };
}
