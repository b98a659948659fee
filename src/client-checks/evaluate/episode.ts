import type { SituationId } from '../../catalogue/load-client-requirements.ts';
import type { JournalEntry } from '../../emulator/control-types.ts';

/** The user who acts; in some situations the second one is an attacker. */
export type SessionName = 'first' | 'second';

/** The result of an act as its actor sees it. */
export type Outcome = 'ok' | 'error' | 'no-answer';

/** One act on the application, and the requests that it caused. */
export interface Act {
  readonly act: 'connect' | 'callback' | 'call' | 'restart' | 'kill' | 'time';
  /** Names a special act: `reload`, `after-expiry`, `recover`; empty for an ordinary one. */
  readonly as: string;
  readonly session: SessionName;
  readonly asked?: Asked;
  readonly outcome: Outcome;
  /** For evidence: `answered 500`, `exit code 1`. Holds no secret. */
  readonly detail: string;
  /** Address, body and error output of an act that failed: may hold secrets. */
  readonly why?: string;
  /** Requests of the step: those whose `arrival` is greater than `after` and at most `until`. */
  readonly after: number;
  readonly until: number;
}

export interface Asked {
  readonly operation: 'list' | 'assign' | 'unassign';
  readonly project: string;
  readonly user: string;
  /** The ids that the call named to the client; it chose the others itself. */
  readonly named: readonly ('project' | 'user')[];
}

/** One situation, or the integrator's own tests: what was done, and everything that the client sent meanwhile. */
export interface Episode {
  readonly situation: SituationId | 'own-tests';
  readonly steps: readonly Act[];
  /** In the order of arrival. */
  readonly entries: readonly JournalEntry[];
  /** The owners who sign in, by session. */
  readonly owners: Readonly<Record<SessionName, string>>;
  readonly output?: string;
  /** Why the situation did not come about. Only what every request shows is then evaluated. */
  readonly gap?: Gap;
}

export interface Gap {
  readonly reason: string;
  /** The client is not made for it, as one that has one user at a time: neutral. Else it should have come about. */
  readonly unable: boolean;
}

/** Facts about a run that the journal does not hold. */
export interface EvaluationSettings {
  /** The client's secret, to find it where it does not belong. */
  readonly clientSecret: string;
  /** The service was asked for by its profile, and that takes HTTP Basic: then Basic is a habit, and no breach. */
  readonly basicAgreed: boolean;
  /** Seconds that `Retry-After` asked for at least. */
  readonly retryAfterSeconds: number;
  /** Lifetime of access tokens that was told, in seconds. */
  readonly expiresIn: number;
}

export type Evaluation =
  | { readonly kind: 'kept'; readonly examples: number }
  | { readonly kind: 'broken'; readonly lines: readonly string[] }
  | { readonly kind: 'not-exercised'; readonly why?: string }
  | { readonly kind: 'observed'; readonly answer: string };

/** Evaluates one requirement. Pure. */
export type Rule = (episodes: readonly Episode[], settings: EvaluationSettings) => Evaluation;

/** What one episode adds to a requirement: examples that held, and lines about those that did not. */
export interface Findings {
  readonly examples: number;
  readonly broken: readonly string[];
  /** Why the situation came about and shows nothing, and what helps. */
  readonly missed?: string;
}

export const NOTHING: Findings = { examples: 0, broken: [] };

/** A rule out of what each episode shows. */
export function byEpisode(look: (episode: Episode, settings: EvaluationSettings) => Findings): Rule {
  return (episodes, settings) => {
    const all = episodes.map((episode) => ({ episode, found: look(episode, settings) }));
    const lines = all.flatMap(({ episode, found }) =>
      found.broken.map((line) =>
        episode.situation === 'own-tests' ? line : `${episode.situation}: ${line}`,
      ),
    );
    if (lines.length > 0) return { kind: 'broken', lines: [...new Set(lines)] };
    const examples = all.reduce((sum, { found }) => sum + found.examples, 0);
    if (examples > 0) return { kind: 'kept', examples };
    const missed = new Set(all.flatMap(({ found }) => found.missed ?? []));
    return { kind: 'not-exercised', ...(missed.size === 0 ? {} : { why: [...missed].join('; ') }) };
  };
}

/** The same for situations by name alone; one that did not come about in full shows what is broken, and is no example. */
export function inSituations(
  situations: readonly Episode['situation'][],
  look: (episode: Episode, settings: EvaluationSettings) => Findings,
): Rule {
  return byEpisode((episode, settings) =>
    situations.includes(episode.situation) ? unlessGap(episode, look(episode, settings)) : NOTHING,
  );
}

function unlessGap({ gap }: Episode, found: Findings): Findings {
  return gap === undefined ? found : { ...found, examples: 0 };
}
