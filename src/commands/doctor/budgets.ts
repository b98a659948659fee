import { FlowSteps, orStopped } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import type { TokenFlow } from '../../service/flow/smoke-steps.ts';
import type { ConfigurationFinding } from '../../service/target.ts';

/** Finds budgets and limits that a run on this service would use up. */
export async function smallBudgets(
  flow: TokenFlow,
  session: Session,
): Promise<readonly ConfigurationFinding[]> {
  return [...signedInAgain(session), ...(await byBrowserAlone(flow, session)), ...lowLimits(session)];
}

/** Fewer requests of a method than a run sends. */
const FEW = 300;

/** Finds limits in the service's own headers (`RateLimit`) that a run would meet and not wait for. */
function lowLimits({ target: { traffic } }: Session): readonly ConfigurationFinding[] {
  return (traffic?.longLimits ?? [])
    .filter(({ left }) => left < FEW)
    .map(({ method, left, resetMs }) => ({
      observed: `the service says that ${left} more ${method} requests may come within ${Math.ceil(resetMs / 1_000)} s, and a run sends some hundred`,
      remedy: 'have it lift that limit for the suite',
    }));
}

/** More than the authorizations of a run. */
const SIGN_INS_WITHOUT_SESSION = 1_000;

function signedInAgain({
  target: { mostSignIns = 0 },
  signInsLeft,
}: Session): readonly ConfigurationFinding[] {
  const typed = mostSignIns - signInsLeft();
  // The browser signs in once, and so does the agent without one.
  if (typed <= 2 || mostSignIns >= SIGN_INS_WITHOUT_SESSION) return [];
  return [
    {
      observed: `the service asked for the password ${typed} times: it does not keep the owner signed in`,
      remedy: `set \`budget.signIns\` to ${SIGN_INS_WITHOUT_SESSION}: a run has some hundred authorizations`,
    },
  ];
}

/** Requests of a run without those of the browser, and its authorizations. */
const BESIDE_PAGES = 2_700;
const AUTHORIZATIONS = 350;

/** Finds that each authorization of a run needs the browser, because a script or a module decides, and that the budget is too small. */
async function byBrowserAlone(
  { requestStyle }: TokenFlow,
  session: Session,
): Promise<readonly ConfigurationFinding[]> {
  const { grants, target } = session;
  const { traffic } = target;
  if (traffic === undefined) return [];
  const before = grants.cookies;
  await orStopped(new FlowSteps(new ServiceClient(session).withStyle(requestStyle)).code());
  if (grants.cookies > before || grants.page === 0) return [];
  const each = traffic.used.browserRequests / grants.page;
  const needed = Math.ceil((BESIDE_PAGES + AUTHORIZATIONS * each) / 500) * 500;
  if (needed <= traffic.used.requests + traffic.requestsLeft) return [];
  return [
    {
      observed: `the browser alone can grant, with about ${Math.ceil(each)} requests each time`,
      remedy: `set \`budget.requests\` to ${needed}`,
    },
  ];
}
