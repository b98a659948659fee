import type { Catalogue, Risk } from '../../document/types.ts';
import { withoutBrowser } from '../../target/flow/connect.ts';
import type { Session } from '../../target/flow/session.ts';
import { runSmokeFlow } from '../../target/flow/smoke-flow.ts';
import type { SmokeFlow } from '../../target/flow/smoke-steps.ts';
import { type Observed, observe } from './observe.ts';

/** A prepared target, as a run of checks has it. */
interface Prepared {
  readonly session: Session;
  readonly smokeFlow: SmokeFlow;
  readonly catalogue: Catalogue;
}

/**
 * Observes the open points of a target that a run of checks has prepared. An emulator is observed through a connection of its own,
 * without a browser.
 *
 * @param risks accepted for the probes
 */
export function observingIn(risks: ReadonlySet<Risk>): (prepared: Prepared) => Promise<Observed> {
  return async ({ session, smokeFlow, catalogue }) => {
    if (session.target.shared) return observe(session, smokeFlow, catalogue, { risks });
    const connection = await withoutBrowser(session.target, session.secrets);
    try {
      const again = await runSmokeFlow(connection.session);
      const speaking = { ...connection.session, requestStyle: again.requestStyle };
      return await observe(speaking, again, catalogue, { risks });
    } finally {
      await connection.close();
    }
  };
}
