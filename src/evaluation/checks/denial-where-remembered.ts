import { advanceOrSleep } from '../../service/flow/clean-up.ts';
import { queryCode } from '../../service/flow/service-client.ts';
import { ALL_SCOPES } from '../../service/target.ts';
import { expectDenialTold, expectState, STATES } from '../language/authorize-outcome.ts';
import { type Check, provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { type ConsentPlace, changesAt, consentPlace } from '../language/create-application.ts';
import { Blocked, NotApplicable } from '../language/outcome.ts';
import {
  A_MOMENT,
  actWithFirstToken,
  codeOfShownRequest,
  expectGrantsToStayApart,
} from '../language/stories.ts';

/**
 * Returns the denial checks of clause 4.1 for a service that remembers consent, at one place where it still asks. The
 * last of them grants, so the order matters.
 */
export function denialWhereRemembered(): readonly Check[] {
  let found: Promise<ConsentPlace> | undefined;
  const at = async (context: CheckContext) => {
    found ??= consentPlace(context);
    return found;
  };
  return [
    provokingCheck('authorize.denial-redirects', async (context) => {
      const place = await at(context);
      expectDenialTold(await denied(context, place));
    }),

    provokingCheck('authorize.state-echoed-on-denial', async (context) => {
      const place = await at(context);
      for (const state of STATES) expectState((await denied(context, place, { state })).caught, state);
    }),

    provokingCheck('authorize.grant-needed', async (context) => {
      const { authorize } = context;
      const place = await at(context);
      const request = () => authorize.request(changesAt(place));
      // The service asked the owner here, and the owner has only denied since: no code was granted.
      await request().denied().expectNoCode();
      await request().left().expectNoCode();
      await request().byHead().expectNoCode();
      await actWithFirstToken(context);
      if (place.scope === ALL_SCOPES) await expectGrantsToStayApart(context, request, place.application);
      await codeOfShownRequest(context, place.application, ALL_SCOPES);
      await request()
        .after(() => advanceOrSleep(context.target, A_MOMENT))
        .expectTwinAccepted();
    }),
  ];
}

async function denied({ authorize }: CheckContext, place: ConsentPlace, more: { state?: string } = {}) {
  const outcome = await authorize
    .request({ ...changesAt(place), ...more })
    .denied()
    .outcome();
  if (outcome.decided) return outcome;
  if (queryCode(outcome) !== undefined)
    throw new Blocked('be asked for consent', 'authorize.grant-needed', 'a code came without a question');
  throw new NotApplicable('fresh-consent', 'the service did not show the consent page again after a denial');
}
