import { randomBytes } from 'node:crypto';
import type { Application } from '../targets/target.ts';
import type { CheckContext } from './context.ts';
import { ConformanceFailure, NotApplicable } from './outcome.ts';

/** An application created by the owner in the account area (clauses 1 and 5.2), with the id and secret shown there. */
export async function createApplication({ account, target }: CheckContext): Promise<Application> {
  if (account === undefined) throw new NotApplicable('create-application', 'needs create-application');
  const redirectUri = target.application.redirectUris[0];
  const name = `conformance ${randomBytes(4).toString('hex')}`;
  const shown = await account({ name, redirectUri });
  if (shown.clientId === undefined || shown.clientSecret === undefined) {
    throw new ConformanceFailure('the account area to show a client id and a client secret', shown.instead);
  }
  return { clientId: shown.clientId, clientSecret: shown.clientSecret, redirectUris: [redirectUri] };
}
