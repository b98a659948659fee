import type { Risk } from '../../catalogue/types.ts';
import { runSmokeFlow } from '../../flow/smoke-flow.ts';
import { type Observed, observe } from '../../observe/observe.ts';
import type { CollectedRun } from './collected-run.ts';
import type { PreparedTarget, ReadyTarget } from './prepare-target.ts';
import { withoutBrowser } from './without-browser.ts';

export async function observeOpenPoints(
  prepared: PreparedTarget,
  risks: readonly Risk[],
  run: CollectedRun,
): Promise<void> {
  if (!prepared.ready) return;
  const { secrets } = prepared.environment.session;
  const { answers, unseen, evidence, leftBehind } = await observed(prepared, new Set(risks));
  const redacted = [...evidence].map(([aspect, line]) => [aspect, secrets.redact(line)] as const);
  run.found.seen ??= { answers: [...answers], unseen: [...unseen], evidence: redacted };
  if (leftBehind !== undefined) run.trouble({ kind: 'broken', message: leftBehind });
}

async function observed(prepared: ReadyTarget, risks: ReadonlySet<Risk>): Promise<Observed> {
  const { session, walk, catalogue } = prepared.environment;
  if (session.target.shared) return observe(session, walk, catalogue, { risks });
  const connection = await withoutBrowser(session.target, session.secrets);
  try {
    const again = await runSmokeFlow(connection.session);
    const speaking = { ...connection.session, requestStyle: again.requestStyle };
    return await observe(speaking, again, catalogue, { risks });
  } finally {
    await connection.close();
  }
}
