import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { commandFor } from '../../document/input/program-name.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { isUnavailable } from '../../http/exchange.ts';
import type { Environment } from '../../http/proxy.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import type { RunTrouble } from '../../report/results.ts';
import { type ExitCode, VERDICT_OF_EXIT, worstExitCode } from '../../report/verdict.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { loadConfiguration } from '../../service/configuration/load-configuration.ts';
import { answerText } from '../../service/flow/answers.ts';
import {
  ASSIGNED_FILE,
  type RecordedAssignment,
  readAssigned,
  stillAssigned,
} from '../../service/flow/assigned-by-run.ts';
import { type SweptProject, sweepProjects } from '../../service/flow/clean-up.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { ownUsersAssigned } from '../../service/flow/settings/users.ts';
import { flowToToken } from '../../service/flow/smoke-flow.ts';
import { stoppedText } from '../../service/flow/smoke-steps.ts';
import { onLiveTarget, type ResultWithSecrets } from '../shared/connection.ts';
import { printError } from '../shared/print.ts';
import { printConclusion, type VerbResult } from '../shared/print-result.ts';
import { requireLive, type TargetRequest } from '../shared/target.ts';

interface SweepRequest {
  readonly target: string;
  /** The configuration itself; then `target` is only its name. */
  readonly given?: TargetRequest['given'];
  /** Folder of a run's report. */
  readonly report?: string | undefined;
  /** Unassign all own users, also those of a run that is under way. */
  readonly yes: boolean;
  readonly env?: Environment | undefined;
}

type Swept = Required<Pick<VerbResult, 'lines' | 'troubles' | 'violations' | 'evaluatedCount'>>;

/**
 * The verb `sweep`: unassigns the users that a run has left assigned, as listed in its report's folder. Without that file
 * it only prints them; with `yes` it unassigns all own users.
 *
 * @returns the exit code: 0; 1 if the service was asked to unassign a user and still lists the user; 3 if users stay assigned
 * and nothing was changed, or without an answer.
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function sweepTarget(request: SweepRequest): Promise<ExitCode> {
  if (request.yes) printError(WAITING);
  const codes: ExitCode[] = [];
  for (const { end, secrets } of await sweepRuns(request)) codes.push(await printConclusion(end, secrets));
  return worstExitCode(codes);
}

/** Sweeps after the run of a folder, or after each run below `report`. */
export async function sweepRuns({
  target,
  given,
  report,
  yes,
  env,
}: SweepRequest): Promise<readonly ResultWithSecrets[]> {
  requireLive('sweep', target);
  const configuration = withLockAsUser(await loadConfiguration(target, env ?? process.env, true, given));
  const headline = `sweep ${configuration.name} (${configuration.baseUrl})`;
  if (report === undefined && !yes) {
    const folders = foldersOfRuns().filter((folder) => (recordedFor(configuration, folder) ?? []).length > 0);
    const ended: ResultWithSecrets[] = [];
    for (const folder of folders)
      ended.push(...(await sweepRuns({ target, given, report: folder, yes, env })));
    if (ended.length > 0) return ended;
  }
  const recorded = report === undefined ? undefined : recordedFor(configuration, report);
  if (recorded?.length === 0) {
    const lines = [`no run that reported to ${report} has left a user assigned`];
    return [{ end: { headline, lines, endings: ENDINGS }, secrets: new SecretRegistry() }];
  }
  const folder = recorded && report && resolve(report);
  const work = async (session: Session) => {
    if (yes) session.assignedByRun.claimAll();
    const swept = yes || folder !== undefined ? await sweepSession(session) : await lookOnly(session, report);
    return { headline, ...swept, endings: ENDINGS };
  };
  return [await onLiveTarget(configuration, work, folder)];
}

const WAITING =
  'note: --yes also unassigns the users of a run that is under way. The user of `lock` is assigned as long as one lasts.\n';

/** Returns the folders of runs below the default folders of all verbs. */
function foldersOfRuns(): readonly string[] {
  if (!existsSync(REPORTS)) return [];
  const files = readdirSync(REPORTS, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => basename(file) === ASSIGNED_FILE).map((file) => join(REPORTS, dirname(file)));
}

const REPORTS = 'report';

/** A killed run may have left the lock user assigned too. */
export function withLockAsUser({ lock, ...configuration }: Configuration): Configuration {
  if (lock === false) return { ...configuration, lock };
  const projects = new Set([...configuration.projects, lock.project]);
  return {
    ...configuration,
    projects: [...projects] as Configuration['projects'],
    users: [...configuration.users, lock.user],
    lock: false,
  };
}

const ENDINGS: Readonly<Record<ExitCode, string>> = {
  ...VERDICT_OF_EXIT,
  0: "the suite's own users are unassigned now",
  1: 'the service violates clause 4.4',
};

function recordedFor(
  { baseUrl, projects, users }: Configuration,
  report: string,
): readonly RecordedAssignment[] | undefined {
  let all: readonly RecordedAssignment[] | undefined;
  try {
    all = readAssigned(report);
  } catch (error) {
    throw new UsageError(`--report: ${(error as Error).message}`, { cause: error });
  }
  const recorded = all?.filter((one) => one.baseUrl === baseUrl);
  const foreign = recorded?.filter(
    ({ project, user }) => !projects.includes(project) || !users.includes(user),
  );
  if (foreign === undefined || foreign.length === 0) return recorded;
  throw new UsageError(
    `--report: a run has assigned ${stillAssigned(foreign)}, which the configuration does not name any more; put them back into \`projects\` and \`users\`, or unassign them by hand`,
  );
}

/** Milliseconds after which a cached list has expired. */
const LIST_AGE_MS = 10_000;

export async function sweepSession(session: Session): Promise<Swept> {
  const { users, pause } = session.target;
  const ready = await obtainToken(session);
  if ('lines' in ready) return ready;
  const { serviceClient, token } = ready;
  const first = await sweepProjects(serviceClient, token, session.assignedByRun.assigned);
  const stay = first.flatMap(leftIn);
  let last = first;
  if (stay.length > 0) {
    await pause(LIST_AGE_MS);
    last = await sweepProjects(serviceClient, token, stay);
  }
  const stayed = last.flatMap(leftIn);
  return {
    lines: first.flatMap(({ project, unassigned, left, unreadable }) => {
      const stays = stayed.flatMap((one) => (one.project === project ? [one.user] : []));
      const gone = [...unassigned, ...left.map(({ user }) => user)].filter((user) => !stays.includes(user));
      if (unreadable !== undefined) return [];
      if (gone.length > 0) return [`project ${project}: not assigned any more: ${gone.join(', ')}`];
      return [`project ${project}: ${left.length > 0 ? 'no user could be unassigned' : 'nothing to do'}`];
    }),
    troubles: [...first.flatMap(lost), ...last.flatMap((one) => unread(one, users))],
    violations: stayed.map(
      ({ project, user, answer }) =>
        `unassign.removes-user (clause 4.4): project ${project}: unassign of user ${user} answered ${answer}, and ${LIST_AGE_MS / 1_000} s later the list still shows the user`,
    ),
    evaluatedCount: last.length,
  };
}

function leftIn({ project, left }: SweptProject) {
  return left.map((one) => ({ project, ...one }));
}

async function lookOnly(session: Session, report: string | undefined): Promise<Swept> {
  const ready = await obtainToken(session);
  if ('lines' in ready) return ready;
  const { assigned, unreadable } = await ownUsersAssigned(ready.serviceClient, ready.token);
  const troubles = unreadable.map((message): RunTrouble => ({ kind: 'inconclusive', message }));
  if (assigned.length > 0) {
    const why =
      report === undefined
        ? 'which of them a run has assigned stands in the folder of its report (`--report DIR`)'
        : `${report} has no ${ASSIGNED_FILE}, so no run is known to have assigned them`;
    troubles.push({
      kind: 'inconclusive',
      message: `nothing was changed: ${why}; if these are users that only the suite uses, \`--yes\` unassigns them, else correct \`users\``,
    });
  }
  return {
    lines: assigned.map(({ project, user }) => `project ${project}: would unassign ${user}`),
    troubles,
    violations: [],
    evaluatedCount: session.target.projects.length,
  };
}

async function obtainToken(
  session: Session,
): Promise<{ readonly serviceClient: ServiceClient; readonly token: string } | Swept> {
  const { tokens, requestStyle, stopped } = await flowToToken(session);
  if (tokens !== undefined) {
    const serviceClient = new ServiceClient(session).withStyle(requestStyle);
    return { serviceClient, token: tokens.accessToken };
  }
  const why = stopped === undefined ? 'no token' : stoppedText(stopped);
  const message = `no token to work with, nothing was changed (${why}); \`${commandFor('doctor --walk', 'FILE')}\` shows where it breaks`;
  return { lines: [], troubles: [{ kind: 'inconclusive', message }], violations: [], evaluatedCount: 0 };
}

function unread({ project, unreadable }: SweptProject, users: readonly string[]): RunTrouble[] {
  if (unreadable === undefined) return [];
  const message = `project ${project}: the list answered ${answerText(unreadable)}, so it is not known which of ${users.join(', ')} are assigned there`;
  if (isUnavailable(unreadable.response)) return [{ kind: 'inconclusive', message }];
  return [{ kind: 'inconclusive', message: `${message}; look by hand, or correct \`projects\`` }];
}

function lost({ project, othersLost }: SweptProject): RunTrouble[] {
  if (othersLost.length === 0) return [];
  // An id may be an email address; it is not printed then.
  const who = othersLost.map((id) =>
    id.includes('@') ? 'a user whose id is an e-mail address' : `user ${id}`,
  );
  const message = `project ${project}: ${who.join(', ')}, not the suite's own, was in the list before and not after, although the suite did not ask for it: assign again by hand`;
  return [{ kind: 'inconclusive', message }];
}
