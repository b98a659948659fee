import { headerOf, isSuccess, type WireResponse } from '../exchange/exchange.ts';
import { saysRetired } from '../exchange/retirement.ts';
import { ALL_SCOPES } from '../targets/target.ts';
import { Conversation } from './conversation.ts';
import { likelySetting } from './likely-setting.ts';
import { authorizationParameters } from './parameters.ts';
import { authorizeUrl } from './requests.ts';
import { proveRetirement, type RetirementProof } from './retirement-proof.ts';
import type { Session } from './session.ts';
import type { StepOutcome } from './smoke-flow.ts';

/** Why a base walk got no further, as far as it can be told from outside. */
export interface Diagnosis {
  /** The service says that it is no more. */
  readonly retired: boolean;
  /** Where it says so: what both addresses answer. */
  readonly proof?: RetirementProof;
  /** The step, what came, and which setting is likely wrong. */
  readonly message: string;
}

/**
 * Looks into a step of the base walk that was refused, or got no answer, and that no departure from the document mends.
 * Sends at most three reads, and tokens and credentials with none.
 */
export async function diagnose(session: Session, stopped: StepOutcome): Promise<Diagnosis> {
  const seen = answerOf(stopped) ?? (await secondLook(session, stopped));
  const said = `${stopped.step}: ${stopped.message}`;
  if (seen.response !== undefined && saysRetired(seen.response)) {
    const status = seen.response.status === 410 ? 'it answers 410' : 'its answer says so';
    const proof = await proveRetirement(session);
    return { retired: true, proof, message: `retired: the service is no more, ${status} (${said})` };
  }
  if (seen.response !== undefined && isPage(seen.response) && (await answersAnything(session))) {
    const why =
      'both addresses answer everything with a web page: a captive portal or a proxy stands in between, or `authUrl` and `baseUrl` lead elsewhere';
    return { retired: false, message: `${said}; ${why}` };
  }
  const hint = likelySetting(stopped, seen.response);
  const parts = [said, seen.failure, hint].filter(
    (part, i) => part !== undefined && (i === 0 || !said.includes(part)),
  );
  return { retired: false, message: parts.join('; ') };
}

/** What came last, or why nothing did. */
interface Seen {
  readonly response?: WireResponse;
  readonly failure?: string;
}

/**
 * What came to the documented request, which is made first; at the pages, which lead from one to the next, the last. Requests
 * of the browser are not recorded whole.
 */
function answerOf({ step, entries }: StepOutcome): Seen | undefined {
  const exchanges = entries.filter((entry) => entry.kind === 'exchange');
  const decisive = step === 'authorize' || step === 'sign-in' ? exchanges.at(-1) : exchanges[0];
  if (decisive === undefined) return undefined;
  const { response, failure } = decisive.exchange;
  if (response !== undefined) return { response };
  return failure === undefined ? undefined : { failure: failure.message };
}

/** The authorization address once more, without a browser: its words are better, and the page can be read. */
async function secondLook(session: Session, { step }: StepOutcome): Promise<Seen> {
  if (step !== 'authorize' && step !== 'sign-in') return {};
  const { target, dialect } = session;
  const parameters = authorizationParameters(target.application, dialect, { scope: ALL_SCOPES });
  const { response, failure } = await session.newRecorder().send('look again without a browser', {
    method: 'GET',
    url: authorizeUrl(target, dialect, parameters),
    headers: [['Accept', 'text/html']],
  });
  return {
    response,
    failure: failure?.message,
  };
}

function isPage(response: WireResponse): boolean {
  const type = headerOf(response, 'content-type') ?? '';
  return isSuccess(response) && (/html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(response.body));
}

/** Whether the resource API, too, answers with a page: to a list that nobody may see without a token. */
async function answersAnything(session: Session): Promise<boolean> {
  const conversation = new Conversation(session, session.newRecorder());
  const { response } = await conversation.resource('list without a token', {
    operation: 'list',
    project: session.target.projects[0],
    token: undefined,
  });
  return response !== undefined && isPage(response);
}
