import type { Target } from '../../targets/target.ts';
import { Conversation } from '../conversation.ts';
import type { Session } from '../session.ts';
import type { SmokeFlow } from '../smoke-steps.ts';
import { holdRedirectAddresses, holdSecondApplication } from './applications.ts';
import { holdConsent } from './consent.ts';
import type { ConfigurationFinding, Reliable } from './finding.ts';
import { holdPresentation } from './lists.ts';

/** Adds refusals that prove no key wrong: `doctor` reports them, a run leaves them to its checks. */
export interface HeldConfiguration extends Reliable {
  readonly refusals: readonly ConfigurationFinding[];
}

type Hold = (
  c: Conversation,
  target: Target,
  refusals: ConfigurationFinding[],
  walk: SmokeFlow,
) => Promise<Reliable | undefined>;

/** The settings that a service contradicts at the start of a run, or under `doctor`. A refusal contradicts the others, in this folder. */
const HOLDS: readonly Hold[] = [holdPresentation, holdConsent, holdSecondApplication, holdRedirectAddresses];

/**
 * Holds what a configuration says of a live service against what the service does: `consent.shown`, `secondApplication`, the
 * further redirect addresses, `token.presentation`. A check that takes such a key on trust would blame the service for it.
 *
 * A refusal alone proves no key wrong, because a service may be at fault there. It counts where the service answers the configured value
 * exactly as it answers one that certainly is wrong; every other refusal is left to the checks.
 */
export async function heldAgainst(session: Session, walk: SmokeFlow): Promise<HeldConfiguration> {
  const { findings } = session;
  const before = findings?.count() ?? 0;
  const contradictions: ConfigurationFinding[] = [];
  const refusals: ConfigurationFinding[] = [];
  let { target } = session;
  const speaking: Session = { ...session, requestStyle: walk.requestStyle };
  for (const hold of HOLDS) {
    const c = new Conversation(speaking, session.newRecorder());
    const held = await hold(c, target, refusals, walk);
    if (held === undefined) continue;
    target = held.target;
    contradictions.push(...held.contradictions);
  }
  // What the service answered to a wrong configuration is no word on the service.
  if (contradictions.length > 0) findings?.doubt(before, findings.count());
  return { target, contradictions, refusals };
}
