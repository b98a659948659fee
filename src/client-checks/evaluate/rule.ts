import type { Act, ActName, Episode } from './episode.ts';
import { episodeDuring, stepsOf, type Watched } from './journal.ts';
import { type CitedText, type Line, lineOf, lineText } from './line.ts';

export interface EvaluationSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Smallest `Retry-After` that the suite sends, in seconds. */
  readonly retryAfterSeconds: number;
  /** The `expires_in` that the service announced, in seconds. */
  readonly expiresIn: number;
}

export type Evaluation =
  | { readonly kind: 'kept'; readonly examples: number }
  | { readonly kind: 'broken'; readonly lines: readonly Line[] }
  | { readonly kind: 'not-exercised'; readonly why?: string }
  | { readonly kind: 'observed'; readonly answer: string };

/** @param situations those that the requirement names in `spec/client-requirements` */
export type ClientRule = (
  episodes: readonly Watched[],
  settings: EvaluationSettings,
  situations: Situations,
) => Evaluation;

export type ClientRules = Readonly<Record<string, ClientRule>>;

export interface Findings {
  readonly examples: number;
  readonly broken: readonly CitedText[];
  readonly missed?: string;
}

export const NOTHING: Findings = { examples: 0, broken: [] };

type Situations = readonly Episode['situation'][];

type Look = (episode: Watched, settings: EvaluationSettings, situations: Situations) => Findings;

/** The words of a breach, or of several; nothing for an item that keeps the rule. */
type Breach = CitedText | readonly CitedText[] | false | undefined;

export function byEpisode(look: Look): ClientRule {
  return (episodes, ...more) => {
    const all = episodes.map((episode) => ({ episode, found: look(episode, ...more) }));
    const lines = all.flatMap(({ episode, found }) =>
      found.broken.map((cited) => lineOf(episode.situation, cited)),
    );
    const examples = all.reduce((sum, { found }) => sum + found.examples, 0);
    const missed = new Set(all.flatMap(({ found }) => found.missed ?? []));
    const evaluation = evaluationOf(lines, examples);
    return evaluation.kind === 'not-exercised' && missed.size > 0
      ? { ...evaluation, why: [...missed].join('; ') }
      : evaluation;
  };
}

/** Like {@link byEpisode}, by acts that the suite stages. An incomplete situation can show a breach but is no example. */
export function byStagedEpisode(look: Look): ClientRule {
  return byEpisode((episode, ...more) => {
    const found = look(episode, ...more);
    return episode.gap === undefined ? found : { ...found, examples: 0 };
  });
}

/** Like {@link byStagedEpisode}, for the situations that the requirement names. */
export function inOwnSituations(look: Look): ClientRule {
  return byStagedEpisode((episode, settings, situations) =>
    situations.includes(episode.situation) ? look(episode, settings, situations) : NOTHING,
  );
}

/** One line is a breach; without any, one example is enough. */
export function evaluationOf(lines: readonly Line[], examples: number): Evaluation {
  const apart = new Map(lines.map((line) => [lineText(line), line]));
  if (apart.size > 0) return { kind: 'broken', lines: [...apart.values()] };
  return examples > 0 ? { kind: 'kept', examples } : { kind: 'not-exercised' };
}

export function eachBreach<T>(items: readonly T[], breach: (item: T) => Breach): Findings {
  return { examples: items.length, broken: items.flatMap((item) => breach(item) || []) };
}

/** Takes each item of an episode as an example. */
export function eachOf<T>(
  items: (episode: Watched, settings: EvaluationSettings) => readonly T[],
  breach: (item: T, episode: Watched, settings: EvaluationSettings) => Breach,
): (episode: Watched, settings: EvaluationSettings) => Findings {
  return (episode, settings) =>
    eachBreach(items(episode, settings), (item) => breach(item, episode, settings));
}

export function mustSucceed(steps: readonly Act[], say: (step: Act) => CitedText): Findings {
  return eachBreach(steps, (step) => step.outcome !== 'ok' && say(step));
}

export function mustFail(steps: readonly Act[], say: (step: Act) => CitedText): Findings {
  return eachBreach(steps, (step) => step.outcome === 'ok' && say(step));
}

/**
 * Adds each callback that sent an exchange, got no tokens, and ended well: a breach where a text shows success. Without that text,
 * the page may say anything, so the requirement is not exercised.
 */
export function withShownSignIns(episode: Watched, as: ActName, end: string, found: Findings): Findings {
  const ended = stepsOf(episode, 'callback', as).filter((step) => {
    const { exchanges } = episodeDuring(episode, step);
    return step.outcome === 'ok' && exchanges.length > 0 && !exchanges.some(({ gotTokens }) => gotTokens);
  });
  const open = ended.find(({ shown }) => shown !== true);
  const broken = ended
    .filter(({ shown }) => shown === true)
    .map(
      ({ detail }) => `the exchange ${end}, and the application showed the sign-in as a success (${detail})`,
    );
  const all = { ...found, broken: [...broken, ...found.broken] };
  if (open === undefined) return all;
  const missed = `a sign-in whose exchange ${end} ${open.detail}: put success.contains into the file, a text that only a good sign-in shows`;
  return { ...all, examples: 0, missed };
}

/** Makes a rule that records an answer; undefined if no episode gives one. */
export function observingRule(
  look: (episodes: readonly Watched[], situations: Situations) => string | undefined,
): ClientRule {
  return (episodes, _settings, situations) => {
    const answer = look(episodes, situations);
    return answer === undefined ? { kind: 'not-exercised' } : { kind: 'observed', answer };
  };
}
