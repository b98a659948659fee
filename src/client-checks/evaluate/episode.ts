import type { SituationId } from '../../document/load-client-requirements.ts';
import type { JournalEntry } from '../../emulator/control-types.ts';

export type SessionName = 'first' | 'second';

export type Outcome = 'ok' | 'error' | 'no-answer';

export interface Seen {
  readonly outcome: Outcome;
  /** Evidence such as `answered 500` or `exit code 1`. Holds no secret. */
  readonly detail: string;
  /** True if the client showed a success by the text that `success.contains` names. */
  readonly shown?: true;
  /** True if an answer came after the deadline. */
  readonly late?: true;
  /** Cookies that the browser kept back on the way from the service. */
  readonly keptBack?: readonly string[];
  /** Address, body and error output of a failed act; may hold secrets. */
  readonly why?: string;
}

export interface Act extends Seen {
  readonly act: 'connect' | 'callback' | 'call' | 'restart' | 'kill' | 'time';
  /** Names a special act: `reload`, `after-expiry`, `recover`; empty for an ordinary one. */
  readonly as: string;
  readonly session: SessionName;
  readonly asked?: Asked;
  /** The step's requests have an `arrival` greater than `after` and at most `until`. */
  readonly after: number;
  readonly until: number;
}

export interface Asked {
  readonly operation: 'list' | 'assign' | 'unassign';
  readonly project: string;
  readonly user: string;
  readonly named: readonly ('project' | 'user')[];
}

export interface Episode {
  readonly situation: SituationId | 'own-tests';
  readonly steps: readonly Act[];
  readonly entries: readonly JournalEntry[];
  readonly owners: Readonly<Record<SessionName, string>>;
  readonly output?: string;
  /** The redirect address that the service knows. */
  readonly redirectUri?: string;
  /** Reason why the situation did not come about. Only what every request shows is then evaluated. */
  readonly gap?: Gap;
}

export interface Gap {
  readonly reason: string;
  /** True when the client does not support the situation, such as two users at a time: neutral. Otherwise it should occur. */
  readonly unable: boolean;
}

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
  | { readonly kind: 'broken'; readonly lines: readonly string[]; readonly advice?: Advice }
  | { readonly kind: 'not-exercised'; readonly why?: string }
  | { readonly kind: 'observed'; readonly answer: string };

/** Effect and fix in place of the requirement's own, for evidence that they do not fit. */
export interface Advice {
  readonly suffers: string;
  readonly fix: readonly string[];
}

export type ClientRule = (episodes: readonly Episode[], settings: EvaluationSettings) => Evaluation;

export interface Findings {
  readonly examples: number;
  readonly broken: readonly string[];
  readonly missed?: string;
}

export const NOTHING: Findings = { examples: 0, broken: [] };

export function byEpisode(look: (episode: Episode, settings: EvaluationSettings) => Findings): ClientRule {
  return (episodes, settings) => {
    const all = episodes.map((episode) => ({ episode, found: look(episode, settings) }));
    const lines = all.flatMap(({ episode, found }) => found.broken.map((line) => lineOf(episode, line)));
    const examples = all.reduce((sum, { found }) => sum + found.examples, 0);
    const missed = new Set(all.flatMap(({ found }) => found.missed ?? []));
    const evaluation = evaluationOf(lines, examples);
    return evaluation.kind === 'not-exercised' && missed.size > 0
      ? { ...evaluation, why: [...missed].join('; ') }
      : evaluation;
  };
}

/** Prefixes a line with its situation; the integrator's own tests have none. */
export function lineOf({ situation }: Episode, line: string): string {
  return situation === 'own-tests' ? line : `${situation}: ${line}`;
}

/** One line is a breach; without any, one example is enough. */
export function evaluationOf(lines: readonly string[], examples: number): Evaluation {
  if (lines.length > 0) return { kind: 'broken', lines: [...new Set(lines)] };
  return examples > 0 ? { kind: 'kept', examples } : { kind: 'not-exercised' };
}

/** Takes each item as an example. Its breach is a line or several; undefined if it keeps the rule. */
export function each<T>(
  items: readonly T[],
  breach: (item: T) => string | readonly string[] | undefined,
): Findings {
  return { examples: items.length, broken: items.flatMap((item) => breach(item) ?? []) };
}

export function mustSucceed(steps: readonly Act[], say: (step: Act) => string): Findings {
  return each(steps, (step) => (step.outcome === 'ok' ? undefined : say(step)));
}

export function mustFail(steps: readonly Act[], say: (step: Act) => string): Findings {
  return each(steps, (step) => (step.outcome === 'ok' ? say(step) : undefined));
}

/** Makes a rule that records an answer; undefined if no episode gives one. */
export function observed(look: (episodes: readonly Episode[]) => string | undefined): ClientRule {
  return (episodes) => {
    const answer = look(episodes);
    return answer === undefined ? { kind: 'not-exercised' } : { kind: 'observed', answer };
  };
}

/** Like {@link byEpisode}, for named situations only. An incomplete situation can show a breach but is no example. */
export function inSituations(
  situations: readonly Episode['situation'][],
  look: (episode: Episode, settings: EvaluationSettings) => Findings,
): ClientRule {
  return byEpisode((episode, settings) => {
    if (!situations.includes(episode.situation)) return NOTHING;
    const found = look(episode, settings);
    return episode.gap === undefined ? found : { ...found, examples: 0 };
  });
}
