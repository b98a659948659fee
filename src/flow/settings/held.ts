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

/** Settings that a service contradicts at the start of a run, or in `doctor`. Refusals contradict the others in this folder. */
const HOLDS: readonly Hold[] = [holdPresentation, holdConsent, holdSecondApplication, holdRedirectAddresses];

/** Those that leave the second application without a grant. */
export const HOLDS_BEFORE_CONSENT = HOLDS.filter((hold) => hold !== holdSecondApplication);

/**
 * Compares a configuration with a live service: `consent.shown`, `secondApplication`, further redirect addresses,
 * `token.presentation`. Checks rely on these keys and would blame the service for a wrong one.
 * A refusal alone proves no key wrong, because the service may be at fault. It counts only if the service answers the configured
 * value exactly like a certainly wrong one; the checks evaluate all others.
 *
 * @param holds without {@link holdSecondApplication} where the owner shall not yet give that application consent
 */
export async function heldAgainst(
  session: Session,
  walk: SmokeFlow,
  holds: readonly Hold[] = HOLDS,
): Promise<HeldConfiguration> {
  const { findings } = session;
  const before = findings?.count() ?? 0;
  const contradictions: ConfigurationFinding[] = [];
  const refusals: ConfigurationFinding[] = [];
  let { target } = session;
  const speaking: Session = { ...session, requestStyle: walk.requestStyle };
  for (const hold of holds) {
    const c = new Conversation(speaking, session.newRecorder());
    const held = await hold(c, target, refusals, walk);
    if (held === undefined) continue;
    target = held.target;
    contradictions.push(...held.contradictions);
  }
  // Answers to a wrong configuration are no findings about the service.
  if (contradictions.length > 0) findings?.doubt(before, findings.count());
  return { target, contradictions, refusals };
}
