import { headerOf, isSuccess, type WireResponse } from '../exchange/exchange.ts';
import { saysRetired } from '../exchange/retirement.ts';
import { ALL_SCOPES } from '../targets/target.ts';
import { Conversation } from './conversation.ts';
import { edgeRefusal } from './edge-refusal.ts';
import { authorizationParameters } from './parameters.ts';
import { authorizeUrl } from './requests.ts';
import { proveRetirement, type RetirementProof } from './retirement-proof.ts';
import type { Session } from './session.ts';
import { likelySetting } from './settings/likely.ts';
import type { StepOutcome } from './smoke-steps.ts';

export interface Diagnosis {
  readonly retired: boolean;
  readonly proof?: RetirementProof;
  readonly message: string;
}

/**
 * Diagnoses a step of the smoke flow that failed and that no workaround fixes. Sends at most four reads, without tokens
 * and credentials.
 */
export async function diagnose(session: Session, stopped: StepOutcome): Promise<Diagnosis> {
  const seen = answerOf(stopped) ?? (await secondLook(session, stopped)) ?? { url: '' };
  const said = `${stopped.step}: ${stopped.message}`;
  if (seen.response !== undefined && saysRetired(seen.response)) {
    const status = seen.response.status === 410 ? 'it answers 410' : 'its answer says so';
    const proof = await proveRetirement(session);
    return { retired: true, proof, message: `retired: the service is no more, ${status} (${said})` };
  }
  const edge = seen.response && (await edgeRefusal(session.target, seen.url, seen.response));
  if (edge !== undefined) return { retired: false, message: `${said}; ${edge.saw}: ${edge.remedy}` };
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

interface Seen {
  readonly url: string;
  readonly response?: WireResponse;
  readonly failure?: string;
}

/**
 * Returns the answer to the documented request, which is sent first; for pages, the answer of the last one. Browser
 * requests are not recorded completely.
 */
function answerOf({ step, entries }: StepOutcome): Seen | undefined {
  const exchanges = entries.filter((entry) => entry.kind === 'exchange');
  const decisive = step === 'authorize' || step === 'sign-in' ? exchanges.at(-1) : exchanges[0];
  if (decisive === undefined) return undefined;
  const { request, response, failure } = decisive.exchange;
  return { url: request.url, response, failure: failure?.message };
}

/** Requests the authorization address again without a browser, which gives better errors and a readable page. */
async function secondLook(session: Session, { step }: StepOutcome): Promise<Seen | undefined> {
  if (step !== 'authorize' && step !== 'sign-in') return undefined;
  const { target, requestStyle } = session;
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  const url = authorizeUrl(target, requestStyle, parameters);
  const { response, failure } = await session.newRecorder().send('look again without a browser', {
    method: 'GET',
    url,
    headers: [['Accept', 'text/html']],
  });
  return { url, response, failure: failure?.message };
}

function isPage(response: WireResponse): boolean {
  const type = headerOf(response, 'content-type') ?? '';
  return isSuccess(response) && (/html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(response.body));
}

/** Returns true if the resource API answers a list without a token with a page too. */
async function answersAnything(session: Session): Promise<boolean> {
  const conversation = new Conversation(session, session.newRecorder());
  const { response } = await conversation.resource('list without a token', {
    operation: 'list',
    project: session.target.projects[0],
    token: undefined,
  });
  return response !== undefined && isPage(response);
}
