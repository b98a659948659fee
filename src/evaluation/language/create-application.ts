import { randomBytes } from 'node:crypto';
import { queryCode, showsConsent } from '../../service/flow/service-client.ts';
import { accountAreaFinding } from '../../service/flow/settings/account-area.ts';
import { ALL_SCOPES, type Application, SCOPES } from '../../service/target.ts';
import type { CheckContext } from './context.ts';
import {
  ConformanceFailure,
  misconfiguredEnd,
  NotApplicable,
  notAnswered,
  requireAbility,
} from './outcome.ts';

export interface ConsentPlace {
  readonly application: Application;
  readonly scope: string;
}

/** Finds where a service that remembers consent still asks. @throws NotApplicable listing the attempts, if nowhere */
export async function consentPlace(context: CheckContext): Promise<ConsentPlace> {
  const { authorize, target } = context;
  const tried: string[] = [];
  const asksIn = async (place: ConsentPlace, words: string) => {
    tried.push(words);
    return showsConsent(await authorize.request(changesAt(place)).left().outcome());
  };
  const second = target.secondApplication;
  for (const [application, name] of [
    [target.application, 'the application'],
    ...(second === undefined ? [] : [[second, 'the second application'] as const]),
  ] as const) {
    for (const scope of [ALL_SCOPES, ...SCOPES]) {
      const place = { application, scope };
      if (await asksIn(place, `${name} with ${scope}`)) return place;
    }
  }
  if (mayCreate(context)) {
    const place = { application: await createApplication(context), scope: ALL_SCOPES };
    tried.push('an application created for this');
    const outcome = await authorize.request(changesAt(place)).left().outcome();
    // No owner has granted this application anything: the check must also find a code without a question.
    if (showsConsent(outcome) || queryCode(outcome) !== undefined) return place;
  }
  const untried = [
    ...(second === undefined ? ['configure `secondApplication`, with another application'] : []),
    ...(mayCreate(context) ? [] : ['allow `create-application`, with `accountArea`']),
    'or have the service ask every time (`consent.shown`)',
  ];
  throw new NotApplicable(
    'fresh-consent',
    `the service showed no consent page for ${tried.join(', ')}; ${untried.join(', ')}`,
  );
}

export function changesAt({ application, scope }: ConsentPlace): Readonly<Record<string, string>> {
  return { client_id: application.clientId, redirect_uri: application.redirectUris[0], scope };
}

function mayCreate({ account, target }: CheckContext): boolean {
  return account !== undefined && target.abilities.has('create-application');
}

/** Creates an application whose address has a query; if the service refuses that one, with the configured address. */
export async function createApplication({ account, target }: CheckContext): Promise<Application> {
  const [plain] = target.application.redirectUris;
  const create = requireAbility('create-application', account);
  const name = `conformance ${randomBytes(4).toString('hex')}`;
  let redirectUri = `${plain}${plain.includes('?') ? '&' : '?'}tenant=A&page=b`;
  let shown = await create({ name, redirectUri });
  if (shown.clientId === undefined && shown.trouble === undefined && shown.misled === undefined) {
    redirectUri = plain;
    shown = await create({ name, redirectUri });
  }
  const finding = accountAreaFinding(shown, target);
  if (finding !== undefined) throw misconfiguredEnd(finding.observed, finding.remedy);
  if (shown.trouble !== undefined) throw notAnswered(shown.trouble, shown.cause);
  if (shown.clientId === undefined || shown.clientSecret === undefined) {
    throw new ConformanceFailure('the account area to show a client id and a client secret', shown.instead);
  }
  return { clientId: shown.clientId, clientSecret: shown.clientSecret, redirectUris: [redirectUri] };
}
