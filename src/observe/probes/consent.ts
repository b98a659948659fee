import type { AuthorizeOutcome } from '../../agent/user-agent.ts';
import { codesIn } from '../../flow/conversation.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import type { Application } from '../../targets/target.ts';
import type { Lab } from '../lab.ts';
import { notePage } from '../notes.ts';
import { NotObservable, type Probe } from '../probe.ts';

/**
 * Open point 13, and what a denial looks like (open point 7). It takes an application to which the owner has granted nothing yet: one
 * whose consent the target forgets, or the second one, which the base walk leaves alone.
 */
export const consent: Probe = {
  openPoint: 'consent-memory',
  aspects: [...aspectsOfPoint('consent-memory'), 'authorize-failures.denial'],
  requests: 20,
  async run(lab) {
    if (lab.conversation.dialect.oneScopeOnly)
      throw new NotObservable('the target grants one scope at a time');
    const { target } = lab;
    await target.forgetConsent?.();
    const application = target.secondApplication ?? target.application;
    await deny(lab, application);
    const ask = (scope: string, decision: 'grant' | 'leave') =>
      lab.authorize(lab.authorization({}, { scope, application }), decision);
    const first = await ask('read write', 'grant');
    if (!first.decided) {
      throw new NotObservable(
        'the consent page does not come: consent was given before, or is never asked for (an application to which the owner has granted nothing would tell)',
      );
    }
    await exchange(lab, first, application);
    lab.see('consent-memory.remembered', !wasAsked(await ask('read write', 'leave')));
    lab.see('consent-memory.remembered-for-fewer', !wasAsked(await ask('read', 'leave')));
    lab.see('consent-memory.asked-for-wider', wasAsked(await ask('read write destroy', 'leave')));
  },
};

async function deny(lab: Lab, application: Application): Promise<void> {
  if (lab.target.pages.deny === undefined) {
    return lab.cannot(
      'authorize-failures.denial',
      'the configuration does not say how to deny (configure `consent.deny`)',
    );
  }
  const outcome = await lab.authorize(lab.authorization({}, { scope: 'read write', application }), 'deny');
  if (outcome.decided) notePage(lab, 'denial', outcome);
  else
    lab.cannot(
      'authorize-failures.denial',
      'the consent page does not come: consent was given before, or is never asked for',
    );
}

/** Some services remember a consent only once there are tokens. */
async function exchange(lab: Lab, outcome: AuthorizeOutcome, application: Application): Promise<void> {
  const [code] = codesIn(outcome);
  if (code === undefined) throw new NotObservable('granting gave no code');
  await lab.exchange('exchange the code', code, {}, application);
}

function wasAsked(outcome: AuthorizeOutcome): boolean {
  return outcome.pages.some(({ shows }) => shows === 'consent');
}
