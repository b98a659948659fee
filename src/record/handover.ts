import { LIFETIME } from '../document/lifetime.ts';
import { isSuccess, isUnavailable } from '../http/exchange.ts';
import type { RecordEntry } from '../http/recorder.ts';
import { answerText, type ReceivedPair } from '../service/flow/answers.ts';
import { FlowSteps, orStopped, Stopped } from '../service/flow/flow-steps.ts';
import type { RequestStyle } from '../service/flow/requests.ts';
import { queryCode, ServiceClient, showsConsent } from '../service/flow/service-client.ts';
import type { Session } from '../service/flow/session.ts';
import { flowToToken } from '../service/flow/smoke-flow.ts';
import type { Application } from '../service/target.ts';

/** Grants and an assignment that the old service keeps, to ask the new one about. Holds secrets. */
export interface Handover {
  readonly from: { readonly name: string; readonly authUrl: string; readonly baseUrl: string };
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly requestStyle: RequestStyle;
  readonly assigned: { readonly project: string; readonly user: string };
  readonly pair: ReceivedPair;
  readonly code: string;
  /** A pair whose access token has expired; only a service with a clock has one. */
  readonly expired?: ReceivedPair;
  readonly created?: Application;
  /** A pair that the new service issued, for the way back. */
  readonly issuedByNew?: ReceivedPair;
}

export const HANDOVER_ANSWERS = {
  'access-token': ['works', 'refused'],
  'refresh-token': ['works', 'refused'],
  'refresh-token-after-expiry': ['works', 'refused'],
  'unused-code': ['works', 'refused'],
  consent: ['remembered', 'asked-again'],
  'assigned-user': ['assigned', 'unassigned'],
  'created-application': ['works', 'refused'],
  'new-access-token': ['works', 'refused'],
  'new-refresh-token': ['works', 'refused'],
} as const;

export type HandoverAspect = keyof typeof HANDOVER_ANSWERS;

export interface HandoverObservation {
  readonly aspect: HandoverAspect;
  /** One of the aspect's answers; undefined if the service gave none. */
  readonly answer?: string;
  readonly reason: string;
  readonly entries: readonly RecordEntry[];
}

/**
 * Leaves grants, a code and an assigned user at the old service.
 *
 * @param session its only own user is the reserved one
 * @throws Stopped at the step that the service refused
 */
export async function createHandover(session: Session): Promise<Handover> {
  const { target } = session;
  const [project] = target.projects;
  const [user] = target.users;
  const { stopped, requestStyle } = await flowToToken(session);
  const flowSteps = new FlowSteps(new ServiceClient(session).withStyle(requestStyle));
  if (stopped !== undefined) throw new Stopped(stopped.step, 'refused', stopped.message);
  const created = await createdApplication(flowSteps.serviceClient);
  const expired = target.clock && (await flowSteps.pair());
  if (target.clock) await flowSteps.expire();
  const live = await flowSteps.pair();
  await flowSteps.act('assign', { token: live.accessToken }, 'assign the reserved user');
  // Last, because codes have the shortest life.
  const code = await flowSteps.code();
  const { name, authUrl, baseUrl } = target;
  return {
    from: { name, authUrl, baseUrl },
    at: new Date().toISOString(),
    requestStyle,
    assigned: { project, user },
    pair: live,
    code,
    expired,
    created,
  };
}

async function createdApplication(serviceClient: ServiceClient): Promise<Application | undefined> {
  const { pages, abilities, application } = serviceClient.session.target;
  if (pages.accountArea === undefined || !abilities.has('create-application')) return undefined;
  const [redirectUri] = application.redirectUris;
  const { clientId, clientSecret } = await serviceClient.createApplication(pages.accountArea, {
    name: 'handover',
    redirectUri,
  });
  return clientId && clientSecret ? { clientId, clientSecret, redirectUris: [redirectUri] } : undefined;
}

/**
 * Asks a service which parts of a handover it knows.
 *
 * @param back true at the old service after a roll-back: also asks for the pair that the new one issued
 * @param now milliseconds since the epoch
 */
export async function observeHandover(
  session: Session,
  left: Handover,
  back: boolean,
  now: number,
): Promise<{ readonly seen: readonly HandoverObservation[]; readonly issued?: ReceivedPair }> {
  const seen: HandoverObservation[] = [];
  const ageSeconds = (now - Date.parse(left.at)) / 1000;
  const { project, user } = left.assigned;
  const issuedByNew = back ? left.issuedByNew : undefined;
  let issued: ReceivedPair | undefined;
  let working: string | undefined;

  const ask = async (aspect: HandoverAspect, question: (flowSteps: FlowSteps) => Promise<Answer>) => {
    const flowSteps = new FlowSteps(new ServiceClient(session).withStyle(left.requestStyle));
    const answered = await orStopped(question(flowSteps));
    const [answer, reason] =
      answered instanceof Stopped
        ? [answered.status === 'refused' ? 'refused' : undefined, answered.message]
        : answered;
    seen.push({ aspect, answer, reason, entries: flowSteps.serviceClient.recorder.entries });
  };
  const list = (token: string) => async (flowSteps: FlowSteps) => {
    const answer = await flowSteps.operation('list', { project, token });
    if (isSuccess(answer.response)) working ??= token;
    const fails = isUnavailable(answer.response) ? undefined : 'refused';
    const works = isSuccess(answer.response) ? 'works' : fails;
    return [works, answerText(answer)] as const;
  };
  const pair = async (obtained: Promise<ReceivedPair>, when: string): Promise<Answer> => {
    const { accessToken, refreshToken } = await obtained;
    working ??= accessToken;
    issued ??= { accessToken, refreshToken };
    return ['works', when];
  };
  const refresh = (old: ReceivedPair) => (flowSteps: FlowSteps) =>
    pair(flowSteps.refreshedNow(old), 'a new pair');

  const expired = `it expired: \`before\` ran ${(ageSeconds / 3600).toFixed(1)} hours ago`;
  await ask(
    'access-token',
    ageSeconds > LIFETIME ? async () => [undefined, expired] : list(left.pair.accessToken),
  );
  if (issuedByNew) await ask('new-access-token', list(issuedByNew.accessToken));
  await ask('unused-code', (flowSteps) =>
    pair(flowSteps.exchanged(left.code), `${Math.round(ageSeconds)} s after it was issued`),
  );
  await ask('refresh-token', refresh(left.pair));
  if (left.expired) await ask('refresh-token-after-expiry', refresh(left.expired));
  if (issuedByNew) await ask('new-refresh-token', refresh(issuedByNew));
  // Every grant would affect this question, so it comes first.
  await ask('consent', async ({ serviceClient }) => {
    const outcome = await serviceClient.authorize(serviceClient.authorization(), {
      decision: 'view',
      signedIn: true,
      through: 'page',
    });
    if (showsConsent(outcome)) return ['asked-again', 'the consent page'];
    return queryCode(outcome) === undefined
      ? [undefined, outcome.trouble ?? 'neither the consent page nor a code']
      : ['remembered', 'a code without the page'];
  });
  await ask('assigned-user', async (flowSteps) => {
    const token = working ?? (await orStopped(flowSteps.freshAccessToken()));
    if (token instanceof Stopped) return [undefined, `no token to list with: ${token.message}`];
    const answer = await flowSteps.operation('list', { project, token }, 'list the reserved user');
    if (!isSuccess(answer.response)) return [undefined, `the list answered ${answerText(answer)}`];
    const listed = flowSteps.serviceClient.listsAnyOf(answer.response, [user]);
    return [listed ? 'assigned' : 'unassigned', `user ${user}, project ${project}`];
  });
  const { created } = left;
  if (created)
    await ask('created-application', async (flowSteps) => {
      await flowSteps.pair({ application: created });
      return ['works', 'a token pair'];
    });
  return { seen, issued };
}

type Answer = readonly [answer: string | undefined, reason: string];
