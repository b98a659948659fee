import type { Risk } from '../../catalogue/types.ts';
import { walkBase } from '../../flow/smoke-flow.ts';
import { type Observed, observe } from '../../observe/observe.ts';
import type { RunMessage } from '../../report/channel.ts';
import type { Ground, UsableGround } from './ground.ts';
import { withoutBrowser } from './without-browser.ts';

/**
 * Observes the target of a worker at the open points, and tells the command what was seen. Where the ground is none, its trouble was told
 * already.
 *
 * @param risks what may be done to a live target
 */
export async function observeOpenPoints(
  ground: Ground,
  risks: readonly Risk[],
  send: (message: RunMessage) => void,
): Promise<void> {
  if (!ground.usable) return;
  const { secrets } = ground.surroundings.session;
  const { answers, unseen, evidence, leftBehind } = await observed(ground, new Set(risks));
  const redacted = [...evidence].map(([aspect, line]) => [aspect, secrets.redact(line)] as const);
  send({ kind: 'seen', seen: { answers: [...answers], unseen: [...unseen], evidence: redacted } });
  if (leftBehind !== undefined) send({ kind: 'trouble', trouble: { kind: 'broken', message: leftBehind } });
}

/** A live target is signed in to once; the emulator may be connected to anew, in the way that shows more. */
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
