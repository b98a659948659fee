import type { Scope } from '../targets/target.ts';
import { freshAccessToken } from './actor.ts';
import type { Conversation } from './conversation.ts';
import type { Operation } from './requests.ts';

/** The scope that each operation most likely requires; the document does not show it (clause 5.7). */
const LIKELY: Readonly<Record<Exclude<Operation, 'list'>, Scope>> = { assign: 'write', unassign: 'destroy' };

/**
 * Where a service grants one scope at a time, no token may do everything. This obtains one for each other operation, which the
 * session from then on sends in place of `token`: what is not about scopes can be judged all the same.
 *
 * @param token one with the first scope
 */
export async function obtainSiblings(conversation: Conversation, token: string): Promise<void> {
  const { session, dialect } = conversation;
  if (!dialect.oneScopeOnly || session.siblings.has(token)) return;
  const siblings = new Map<Operation, string>();
  for (const [operation, scope] of Object.entries(LIKELY) as [Operation, Scope][]) {
    const sibling = await freshAccessToken(conversation, { scope });
    if (sibling.ok) siblings.set(operation, sibling.value);
  }
  session.siblings.set(token, siblings);
}
