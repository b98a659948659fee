import type { Transport } from '../../http/exchange.ts';
import type { UserAgent } from '../agent/user-agent.ts';
import type { Session } from './session.ts';

type LogRequest = (line: string) => void;

/** Matches path segments long enough for a token, because a service may put codes and sessions into addresses. */
const MAY_BE_SECRET = /[^/]{16,}/g;

/** Wraps a session to report each answered request, without query, body or secret; in the browser, each authorization. */
export function loggedSession(session: Session, log: LogRequest): Session {
  const { target, pageAgent, secrets } = session;
  const line = (method: string, url: string, actual: string, begun: number) =>
    log(secrets.redact(`${method} ${pathOf(url)} ${actual} ${Math.round(performance.now() - begun)} ms`));

  const transport: Transport = async (request, signal) => {
    const begun = performance.now();
    try {
      const response = await target.transport(request, signal);
      line(request.method, request.url, String(response.status), begun);
      return response;
    } catch (error) {
      line(request.method, request.url, 'no answer', begun);
      throw error;
    }
  };

  const logged = (agent: UserAgent): UserAgent => ({
    kind: agent.kind,
    createApplication: (...given) => agent.createApplication(...given),
    authorize: async (url, options, recorder) => {
      const begun = performance.now();
      const outcome = await agent.authorize(url, options, recorder);
      const last = outcome.caught?.status ?? outcome.pages.at(-1)?.status ?? 'no answer';
      line('GET', url, `${last} (browser)`, begun);
      return outcome;
    },
  });

  return {
    ...session,
    target: { ...target, transport },
    // The agent without a browser sends through the recorder, so its requests are logged already.
    pageAgent: pageAgent.kind === 'page' ? logged(pageAgent) : pageAgent,
  };
}

function pathOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? url.replace(/[?#].*$/s, '');
  return path.replace(MAY_BE_SECRET, '…');
}
