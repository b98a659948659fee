import { randomBytes } from 'node:crypto';
import type { Application } from '../targets/target.ts';
import type { CheckContext } from './context.ts';
import { ConformanceFailure, misconfigured, needed } from './outcome.ts';

const ACCOUNT_AREA = '/access-keys/applications';

export async function createApplication({ account, target }: CheckContext): Promise<Application> {
  const redirectUri = target.application.redirectUris[0];
  const name = `conformance ${randomBytes(4).toString('hex')}`;
  const shown = await needed('create-application', account)({ name, redirectUri });
  const { misled } = shown;
  if (target.shared && misled !== undefined)
    throw misconfigured(
      `\`accountArea.${misled}\` finds nothing on a page of the account area that offers something of the kind (${shown.instead})`,
      'correct it, or take create-application out of `abilities`',
    );
  const path = target.pages.accountArea?.path ?? ACCOUNT_AREA;
  const complete = shown.clientId !== undefined && shown.clientSecret !== undefined;
  if (!complete && path !== ACCOUNT_AREA)
    throw misconfigured(
      `\`accountArea.path\` is \`${path}\`, where no application could be created (${shown.instead})`,
      `the document has \`${ACCOUNT_AREA}\` (clause 1): leave the key out`,
    );
  if (shown.clientId === undefined || shown.clientSecret === undefined) {
    throw new ConformanceFailure('the account area to show a client id and a client secret', shown.instead);
  }
  return { clientId: shown.clientId, clientSecret: shown.clientSecret, redirectUris: [redirectUri] };
}
