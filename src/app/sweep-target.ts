import { loadConfiguration } from '../config/load-configuration.ts';
import { Conversation } from '../flow/conversation.ts';
import type { Session } from '../flow/session.ts';
import { walkToToken } from '../flow/smoke-flow.ts';
import { type SweptProject, sweepProjects } from '../flow/sweep.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, type ExitCode } from '../report/verdict.ts';
import { print } from './print.ts';
import { requireLive, withLiveSession } from './sessions.ts';

/** What a sweep came to: what to print, and how it ends. */
export interface Swept {
  readonly lines: readonly string[];
  readonly troubles: readonly RunTrouble[];
  /** Projects that were looked at. */
  readonly judged: number;
}

/**
 * The verb `sweep`: unassigns the suite's own users in all configured projects and prints what it did. Needs nothing but the
 * configuration.
 *
 * @returns the exit code: 0, 3 when the service could not be heard, 4 when something could not be put right
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function sweepTarget(target: string): Promise<ExitCode> {
  requireLive('sweep', target);
  const configuration = await loadConfiguration(target, process.env);
  const text = await withLiveSession(configuration, async (session) => {
    const { lines, troubles, judged } = await sweep(session);
    const outcome = conclude({ troubles, violations: [], gaps: [], judged });
    const verdict = ENDINGS[outcome.exitCode];
    const said = [`sweep ${configuration.name} (${configuration.baseUrl})`, ...lines, ...outcome.because];
    const printed = `${said.join('\n  ')}\n${verdict} (exit ${outcome.exitCode})\n`;
    return { printed: session.secrets.redact(printed), exitCode: outcome.exitCode };
  });
  print(text.printed);
  return text.exitCode;
}

const ENDINGS: Readonly<Record<ExitCode, string>> = {
  0: "none of the suite's own users is assigned",
  1: 'violates',
  2: 'wrong usage',
  3: 'inconclusive: run `sweep` again when the service answers',
  4: 'something is left that the suite cannot put right',
};

/** Unassigns the suite's own users through a connection that is not signed in to anything yet. */
export async function sweep(session: Session): Promise<Swept> {
  const { users } = session.target;
  const { tokens, dialect, stopped } = await walkToToken(session);
  if (tokens === undefined) {
    const why = stopped === undefined ? 'no token' : `${stopped.step}: ${stopped.message}`;
    const message = `no token to work with, nothing was changed (${why}); \`doctor\` shows where it breaks`;
    return { lines: [], troubles: [{ kind: 'inconclusive', message }], judged: 0 };
  }
  const conversation = new Conversation(session, session.newRecorder(), dialect);
  const swept = await sweepProjects(conversation, tokens.accessToken);
  return {
    lines: swept.filter(({ unreadable }) => unreadable === undefined).map(done),
    troubles: swept.flatMap((one) => left(one, users)),
    judged: swept.length,
  };
}

function done({ project, unassigned, left: still }: SweptProject): string {
  if (unassigned.length > 0) return `project ${project}: unassigned ${unassigned.join(', ')}`;
  return still.length > 0
    ? `project ${project}: no user could be unassigned`
    : `project ${project}: nothing to do`;
}

/** What is left in a project, said so that somebody can put it right by hand. */
function left(swept: SweptProject, users: readonly string[]): RunTrouble[] {
  const { project, unreadable, othersLost } = swept;
  if (unreadable !== undefined) {
    const message = `project ${project}: the list answered ${unreadable.answer}, so it is not known which of ${users.join(', ')} are assigned there`;
    if (unreadable.unheard) return [{ kind: 'inconclusive', message }];
    return [{ kind: 'broken', message: `${message}; look by hand, or correct \`projects\`` }];
  }
  const still = swept.left.map(({ user, answer }) => ({
    kind: 'broken' as const,
    message: `project ${project}: user ${user} is still assigned (unassign answered ${answer}); unassign by hand`,
  }));
  if (othersLost.length === 0) return still;
  const who = othersLost.map(shown).join(', ');
  const message = `project ${project}: ${who}, not the suite's own, was in the list before and not after, although the suite did not ask for it: assign again by hand`;
  return [...still, { kind: 'broken', message }];
}

/** Ids may be printed; an id that is somebody's address may not. */
function shown(id: string): string {
  return id.includes('@') ? 'a user whose id is an e-mail address' : `user ${id}`;
}
