import { loadCatalogue } from '../../../src/catalogue/load-catalogue.ts';
import type { RunTrouble } from '../../../src/report/results.ts';
import type { SecretRegistry } from '../../../src/secrets/registry.ts';
import { walkBase } from '../../../src/target/base-walk.ts';
import { connect } from '../../../src/target/connect.ts';
import { openTarget } from '../../../src/target/open-target.ts';
import type { Target } from '../../../src/target/target.ts';
import type { CheckSurroundings } from '../check/run-check.ts';
import { bodyViewFor } from './body-view.ts';
import { browserPath } from './browser-path.ts';
import type { RunPlan } from './plan.ts';

/** What every check of one worker stands on: the target, connected, signed in and walked once. */
export type Ground =
  | { readonly usable: true; readonly surroundings: CheckSurroundings; close(): Promise<void> }
  | {
      /** Nothing can be said about this target; why. */
      readonly usable: false;
      readonly trouble: RunTrouble;
      readonly target: Target | undefined;
      close(): Promise<void>;
    };

/**
 * Opens the target of a plan and walks its base flow once. Never throws: one reason is told for all checks, and no worker is
 * started again only to fail alike (on a live target that would be another sign-in).
 */
export async function openGround(plan: RunPlan, secrets: SecretRegistry): Promise<Ground> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  let target: Target | undefined;
  try {
    target = await openTarget(plan);
    closers.push(target.close);
    const executablePath = await browserPath();
    const connection = await connect(target, secrets, executablePath);
    closers.push(connection.close);
    const walk = await walkBase(connection.session);
    await connection.session.shareCookies();
    const { stopped } = walk;
    // After a departure the service has shown that it speaks, only not as documented: then every check judges for itself.
    const departed = walk.steps.some((step) => step.status === 'departed');
    if (target.kind === 'live' && stopped !== undefined && stopped.status !== 'wrong' && !departed) {
      const message = `${stopped.step}: ${secrets.redact(stopped.message)}`;
      return { usable: false, trouble: { kind: 'inconclusive', message }, target, close };
    }
    const surroundings: CheckSurroundings = {
      catalogue: loadCatalogue(),
      session: { ...connection.session, dialect: walk.dialect },
      walk,
      bodyView: bodyViewFor(target),
      keepEvidence: true,
    };
    return { usable: true, surroundings, close };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { usable: false, trouble: { kind: 'broken', message: secrets.redact(message) }, target, close };
  }
}
