import { isBusy, isSuccess } from '../../../http/exchange.ts';
import { type ConfigurationFinding, type ReliableTarget, type Target, withoutAbility } from '../../target.ts';
import { answerText } from '../answers.ts';
import { isSame, type OwnAssignment, sweepCommand } from '../assigned-by-run.ts';
import { cleanUp, waitForLists } from '../clean-up.ts';
import { FlowSteps, orStopped, Stopped } from '../flow-steps.ts';
import { ServiceClient } from '../service-client.ts';
import type { Session } from '../session.ts';

/** Returns true if a refusal may concern the user rather than the token or a busy service. */
export function mayConcernUser(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && !isBusy(status);
}

/**
 * Tests a configured user: wrong if refused alone, and again after the first user was assigned and unassigned with the same
 * token. A service with a fault for this one id looks the same.
 */
export async function checkUser(session: Session, user: string): Promise<ReliableTarget | undefined> {
  const { target, leftovers, assignedByRun } = session;
  const [project] = target.projects;
  const [first] = target.users;
  const flowSteps = new FlowSteps(new ServiceClient(session));
  const token = await orStopped(flowSteps.freshAccessToken());
  if (token instanceof Stopped) return undefined;
  const send = async (operation: 'assign' | 'unassign', one: string) =>
    (await flowSteps.operation(operation, { user: one, token })).response;
  try {
    const alone = await send('assign', user);
    if (!mayConcernUser(alone?.status)) return undefined;
    if (!isSuccess(await send('assign', first)) || !isSuccess(await send('unassign', first)))
      return undefined;
    const again = await send('assign', user);
    if (again?.status !== alone?.status) return undefined;
    const index = target.users.indexOf(user);
    const users = target.users.filter((one) => one !== user) as [string, ...string[]];
    const known = { ...target, users };
    const why = `the service does not assign \`users[${index}]\``;
    return {
      target: users.length < 3 ? withoutAbility(known, 'three-users', why) : known,
      wrongSettings: [
        {
          observed: `the service refuses to assign user ${user} to project ${project} (status ${alone?.status}, twice, with no other user of the suite assigned), and assigns ${first}`,
          remedy: REMEDY_USER,
        },
      ],
    };
  } finally {
    if (assignedByRun.any) leftovers.add(await cleanUp(flowSteps.serviceClient, token));
  }
}

const REMEDY_PROJECT = 'have the service let `owner` change this project, or remove it from `projects`';

const REMEDY_USER =
  'correct this id in `users`, or have the service let `owner` assign this user; some routers cut an id at its dot';

/**
 * Assigns each own user to the first project, the first one whom the service knows to each other project, and unassigns them. For `doctor`: one
 * request shows if the service knows an id.
 */
export async function refusedAssignments(
  c: ServiceClient,
  token: string,
): Promise<readonly ConfigurationFinding[]> {
  const { projects, users } = c.session.target;
  const [first, ...further] = projects;
  const findings: ConfigurationFinding[] = [];
  const isAssigned = async (project: string, user: string, remedy: string) => {
    const answer = await c.resource('assign', { operation: 'assign', project, user, token });
    if (isSuccess(answer.response)) return true;
    findings.push({
      observed: `assigning user ${user} to project ${project} answered ${answerText(answer)}`,
      remedy,
    });
    return false;
  };
  let known: string | undefined;
  for (const user of users) if (await isAssigned(first, user, REMEDY_USER)) known ??= user;
  if (known !== undefined) for (const project of further) await isAssigned(project, known, REMEDY_PROJECT);
  c.session.leftovers.add(await cleanUp(c, token));
  return findings;
}

interface Preflight {
  readonly assigned: readonly OwnAssignment[];
  /** True if this run has assigned all of them itself: then no other run did. */
  readonly byThisRun: boolean;
  readonly unreadable: readonly string[];
  /** The first project, which this token has just listed, was answered 401. */
  readonly isTokenRefused: boolean;
}

/**
 * Tests if an own user, or the lock user, is assigned in a configured project at the start: the clean-up would remove that
 * assignment. A lock that this run holds does not count. Only reads, in a request style that the API accepts.
 */
export async function ownUsersAssigned(
  serviceClient: ServiceClient,
  token: string,
  users: readonly string[] = serviceClient.session.target.users,
): Promise<Preflight> {
  const { target, assignedByRun } = serviceClient.session;
  const { projects } = target;
  const lock = assignedByRun.lockHeld ? undefined : target.lock;
  const assigned: OwnAssignment[] = [];
  const unreadable: string[] = [];
  let isTokenRefused = false;
  for (const project of new Set([...projects, ...(lock === undefined ? [] : [lock.project])])) {
    const answer = await serviceClient.resource('look who is assigned at the start', {
      operation: 'list',
      project,
      token,
    });
    const { response } = answer;
    if (!isSuccess(response)) {
      isTokenRefused ||= project === projects[0] && response?.status === 401;
      unreadable.push(`the list of project ${project} (${keyOf(project, target)}): ${answerText(answer)}`);
      continue;
    }
    const own = lock?.project === project ? [...users, lock.user] : users;
    for (const user of serviceClient.listedAmong(own, response)) assigned.push({ project, user });
  }
  const byThisRun = assigned.every((one) => assignedByRun.stays(one));
  return { assigned, byThisRun, unreadable, isTokenRefused };
}

/** Milliseconds between two looks at a lock that another run holds. */
const BETWEEN_LOOKS_MS = 5_000;

/**
 * Waits while another run holds the lock, or has own users assigned: for the usual pause of late lists, then up to
 * `lock.waitSeconds`. Only reads. Returns the last look.
 */
export async function waitForOtherRun(
  c: ServiceClient,
  found: Preflight,
  look: () => Promise<Preflight>,
): Promise<Preflight> {
  const { target } = c.session;
  if (found.assigned.length === 0) return found;
  await waitForLists(target);
  let last = await look();
  const { waitSeconds = 0 } = target.lock ?? {};
  if (waitSeconds > 0 && last.assigned.length > 0)
    target.say?.(
      `another run is under way, or was killed: waiting up to ${waitSeconds} s for it to end (\`lock.waitSeconds\`)`,
    );
  for (let left = waitSeconds * 1_000; left > 0 && last.assigned.length > 0; ) {
    const ms = Math.min(left, BETWEEN_LOOKS_MS);
    await target.pause(ms);
    left -= ms;
    last = await look();
  }
  return last;
}

function keyOf(project: string, { projects }: Target): string {
  const index = projects.indexOf(project);
  return index < 0 ? '`lock.project`' : `\`projects[${index}]\``;
}

export function preflightTrouble(
  { assigned, byThisRun, unreadable, isTokenRefused }: Preflight,
  target: Target,
): ConfigurationFinding | undefined {
  if (unreadable.length > 0) {
    return {
      observed: `cannot see who is assigned at the start: ${unreadable.join('; ')}`,
      remedy: isTokenRefused
        ? 'the service accepted this token a moment ago: it must accept it each time, in every instance'
        : 'correct that key, or let `owner` see the project',
    };
  }
  if (assigned.length === 0) return undefined;
  const { lock, userIdPointer, readsList } = target;
  const isGuess = userIdPointer === undefined && readsList === undefined;
  // A service may list users of whom it knows no assignment.
  const isEverybody = assigned.length > 1 && assigned.length >= target.projects.length * target.users.length;
  const otherwise = [
    ...(isGuess ? ['set `list.userId` to the right place'] : []),
    ...(isEverybody ? ['the service lists users who are not assigned'] : []),
  ];
  const neither = otherwise.length === 0 ? '' : `\nneither: ${otherwise.join('; or ')}`;
  const who = assigned.map((one) => {
    const lockKey = isSame(one, lock) ? ' (`lock`)' : '';
    return `user ${one.user}${lockKey} is assigned to project ${one.project}`;
  });
  const sweep = `\`${sweepCommand({ file: target.file })}\``;
  if (byThisRun)
    return { observed: `${who.join(', ')}, as this run has left it`, remedy: `${sweep} unassigns them` };
  return {
    observed: `${who.join(', ')}: another run is under way, or was killed`,
    remedy: `under way: wait, or set \`lock.waitSeconds\`\nkilled: ${sweep}, with that run's \`--report\`${neither}`,
  };
}
