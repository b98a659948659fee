import type { WireResponse } from '../exchange/exchange.ts';
import { retirementSign } from '../exchange/retirement.ts';
import { ALL_SCOPES } from '../targets/target.ts';
import { Conversation } from './conversation.ts';
import { authorizationParameters } from './parameters.ts';
import { authorizeUrl } from './requests.ts';
import type { Session } from './session.ts';

export interface RetirementProof {
  /** Both addresses announce the retirement in a way that no outage does. */
  readonly proven: boolean;
  readonly signs: readonly string[];
}

/**
 * Sends one read to each address, without token and credentials. Both must agree: a gateway may answer 410 for its own
 * reasons, and a half working service is not retired.
 */
export async function proveRetirement(session: Session): Promise<RetirementProof> {
  const { target, requestStyle } = session;
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  const authorize = await session.newRecorder().send('ask the authorization server whether it is retired', {
    method: 'GET',
    url: authorizeUrl(target, requestStyle, parameters),
    headers: [['Accept', 'text/html']],
  });
  const conversation = new Conversation(session, session.newRecorder());
  const list = await conversation.resource('ask the resource API whether it is retired', {
    operation: 'list',
    project: target.projects[0],
    token: undefined,
  });
  const asked = [
    ['authorization server', authorize.response],
    ['resource API', list.response],
  ] as const;
  return {
    proven: asked.every(([, response]) => response !== undefined && retirementSign(response) !== undefined),
    signs: asked.map(([name, response]) => `${name}: ${saidBy(response)}`),
  };
}

function saidBy(response: WireResponse | undefined): string {
  if (response === undefined) return 'no answer';
  return retirementSign(response) ?? `status ${response.status}, which is no sign of retirement`;
}
