import { isBusy, isSuccess } from '../../../http/exchange.ts';
import { answerText } from '../answers.ts';
import { cleanUp } from '../clean-up.ts';
import { Conversation } from '../conversation.ts';
import { Player, Stopped, tried } from '../player.ts';
import type { Session } from '../session.ts';
import { type ConfigurationFinding, type Reliable, without } from './finding.ts';

/** Returns true if a refusal may concern the user rather than the token or a busy service. */
export function isWordOnTheUser(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && !isBusy(status);
}

/**
 * Tests a configured user: wrong if refused alone, and again after the first user was assigned and unassigned with the same
 * token. A service with a fault for this one id looks the same.
 *
 * @returns undefined if the user can be assigned, or without proof
 */
export async function checkUser(session: Session, user: string): Promise<Reliable | undefined> {
  const { target, leftovers, assignedByRun } = session;
  const [project] = target.projects;
  const [first] = target.users;
  const player = new Player(new Conversation(session));
  const token = await tried(player.freshAccessToken());
  if (token instanceof Stopped) return undefined;
  const send = async (operation: 'assign' | 'unassign', one: string) =>
    (await player.operation(operation, { user: one, token })).response;
  try {
    const alone = await send('assign', user);
    if (!isWordOnTheUser(alone?.status)) return undefined;
    if (!isSuccess(await send('assign', first)) || !isSuccess(await send('unassign', first)))
      return undefined;
    const again = await send('assign', user);
    if (again?.status !== alone?.status) return undefined;
    const index = target.users.indexOf(user);
    const users = target.users.filter((one) => one !== user) as [string, ...string[]];
    const known = { ...target, users };
    const why = `the service does not assign \`users[${index}]\``;
    return {
      target: users.length < 3 ? without(known, 'three-users', why) : known,
      wrongSettings: [
        {
          observed: `the service refuses to assign user ${user} to project ${project} (status ${alone?.status}, twice, with no other user of the suite assigned), and assigns ${first}`,
          remedy: REMEDY_USER,
        },
      ],
    };
  } finally {
    if (assignedByRun.any) leftovers.add(await cleanUp(player.conversation, token));
  }
}

const REMEDY_USER = 'correct this id in `users`, or have the service let `owner` assign this user';

/**
 * Assigns each own user to the first project and the first user to each other project, and unassigns them. For `doctor`: one
 * request shows if the service knows an id.
 *
 * @param token an access token that may assign
 */
export async function refusedAssignments(
  c: Conversation,
  token: string,
): Promise<readonly ConfigurationFinding[]> {
  const { projects, users } = c.session.target;
  const [first, ...further] = projects;
  const findings: ConfigurationFinding[] = [];
  const tries = [
    ...users.map((user) => ({ project: first, user, remedy: REMEDY_USER })),
    ...further.map((project) => ({
      project,
      user: users[0],
      remedy: 'have the service let `owner` change this project, or remove it from `projects`',
    })),
  ];
  for (const { remedy, ...call } of tries) {
    const answer = await c.resource('assign', { operation: 'assign', ...call, token });
    if (!isSuccess(answer.response))
      findings.push({
        observed: `assigning user ${call.user} to project ${call.project} answered ${answerText(answer)}`,
        remedy,
      });
  }
  c.session.leftovers.add(await cleanUp(c, token));
  return findings;
}
