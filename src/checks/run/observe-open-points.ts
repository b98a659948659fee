import type { Risk } from '../../catalogue/types.ts';
import { walkBase } from '../../flow/smoke-flow.ts';
import { type Observed, observe } from '../../observe/observe.ts';
import type { CollectedRun } from './collected-run.ts';
import type { Ground, UsableGround } from './ground.ts';
import { withoutBrowser } from './without-browser.ts';

export async function observeOpenPoints(
  ground: Ground,
  risks: readonly Risk[],
  run: CollectedRun,
): Promise<void> {
  if (!ground.usable) return;
  const { secrets } = ground.surroundings.session;
  const { answers, unseen, evidence, leftBehind } = await observed(ground, new Set(risks));
  const redacted = [...evidence].map(([aspect, line]) => [aspect, secrets.redact(line)] as const);
  run.sawOpenPoints({ answers: [...answers], unseen: [...unseen], evidence: redacted });
  if (leftBehind !== undefined) run.trouble({ kind: 'broken', message: leftBehind });
}

async function observed(ground: UsableGround, risks: ReadonlySet<Risk>): Promise<Observed> {
  const { session, walk, catalogue } = ground.surroundings;
  if (session.target.kind === 'live') return observe(session, walk, catalogue, { risks });
  const connection = await withoutBrowser(session.target, session.secrets);
  try {
    const again = await walkBase(connection.session);
    const speaking = { ...connection.session, dialect: again.dialect };
    return await observe(speaking, again, catalogue, { risks });
  } finally {
    await connection.close();
  }
}
