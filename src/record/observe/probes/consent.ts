import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import type { AuthorizeOutcome } from '../../../target/agent/user-agent.ts';
import { pageOf } from '../../../target/flow/answer-shape.ts';
import { codeIn } from '../../../target/flow/player.ts';
import type { Application } from '../../../target/target.ts';
import { NotObservable, type Probe, type ProbeContext } from '../probe-context.ts';

const GRANTED =
  'consent was granted before, or the service never asks for it; another application, to which the owner has granted nothing, brings these answers back';

/**
 * Open points 13 and 7 (denial). Needs an application without a grant: one whose consent the target forgets, or the
 * second one, which the smoke flow does not use.
 */
export const consent: Probe = {
  openPoint: 'consent-memory',
  aspects: [...aspectsOfPoint('consent-memory'), 'authorize-failures.denial'],
  requests: 10,
  async run(context) {
    const { target } = context;
    await target.forgetConsent?.();
    const application = target.secondApplication ?? target.application;
    await deny(context, application);
    const ask = (scope: string, decision: 'grant' | 'view') =>
      context.authorize(context.authorization({}, { scope, application }), decision);
    const first = await ask('write read', 'grant');
    if (!first.decided) throw new NotObservable(GRANTED);
    // Some services remember a consent only once there are tokens.
    await context.exchange('exchange the code', codeIn(first), {}, application);
    context.see('consent-memory.remembered', !wasAsked(await ask('read write', 'view')));
    context.see('consent-memory.remembered-for-fewer', !wasAsked(await ask('read', 'view')));
    context.see('consent-memory.asked-for-wider', wasAsked(await ask('read write destroy', 'view')));
  },
};

async function deny(context: ProbeContext, application: Application): Promise<void> {
  if (context.target.pages.deny === undefined) {
    return context.cannot(
      'authorize-failures.denial',
      'the configuration does not say how to deny (configure `consent.deny`)',
    );
  }
  const outcome = await context.authorize(
    context.authorization({}, { scope: 'read write', application }),
    'deny',
  );
  if (outcome.decided) context.see('authorize-failures.denial', pageOf(outcome));
  else context.cannot('authorize-failures.denial', GRANTED);
}

function wasAsked(outcome: AuthorizeOutcome): boolean {
  return outcome.pages.some(({ shows }) => shows === 'consent');
}
