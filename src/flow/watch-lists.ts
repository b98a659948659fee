import { isSuccess } from '../exchange/exchange.ts';
import { waitReally } from './clean-up.ts';
import type { Conversation } from './conversation.ts';

/** Milliseconds between two looks at the same lists. */
const BETWEEN_LOOKS_MS = 1_000;

/**
 * Reads the lists of all projects for some seconds, before the suite changes anything (`pacing.watchSeconds`).
 *
 * @param token an access token that may list
 * @returns the change, with advice; undefined if the lists stayed the same
 */
export async function watchLists(c: Conversation, token: string): Promise<string | undefined> {
  const { projects, watchSeconds = 0, pause = waitReally } = c.session.target;
  const before = new Map<string, string>();
  for (let looks = Math.ceil((watchSeconds * 1_000) / BETWEEN_LOOKS_MS); looks >= 0; looks -= 1) {
    for (const project of projects) {
      const now = await listedNow(c, project, token);
      const first = before.get(project) ?? now;
      if (now !== undefined && first !== now) return changed(project, watchSeconds);
      if (first !== undefined) before.set(project, first);
    }
    if (looks > 0) await pause(BETWEEN_LOOKS_MS);
  }
  return undefined;
}

/** Returns the ids in a list, or its body if the place of ids is unknown; undefined without an answer. */
async function listedNow(c: Conversation, project: string, token: string): Promise<string | undefined> {
  const { response } = await c.resource('watch the lists', { operation: 'list', project, token });
  if (!isSuccess(response)) return undefined;
  const known = c.requestStyle.userIdPointer !== undefined || c.session.target.readsList !== undefined;
  const ids = c.listed(response);
  return known || (ids?.length ?? 0) > 0 ? [...(ids ?? [])].sort().join('\n') : '';
}

function changed(project: string, seconds: number): string {
  return `the list of project ${project} changed within ${seconds} s although the suite sent nothing that changes it: another client (another run, a person) is at work there, or the service's lists differ by themselves; let the other one end, then run again`;
}
