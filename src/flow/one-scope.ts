import type { DocumentedScope } from '../targets/target.ts';
import { freshAccessToken } from './actor.ts';
import type { Conversation } from './conversation.ts';
import type { Operation } from './request-style.ts';

/** Likely scope of each operation; open in the document (clause 5.7). */
const LIKELY: Readonly<Record<Operation, DocumentedScope>> = {
  assign: 'write',
  unassign: 'destroy',
  list: 'read',
};

/**
 * Obtains a token for each operation from a service that grants one scope at a time, or uses only one scope of a token.
 * Conversations send these in place of `token`, so that checks about other matters can run.
 *
 * @param token one with the first scope, or with all
 */
export async function obtainSiblings(conversation: Conversation, token: string): Promise<void> {
  const { session, requestStyle } = conversation;
  const apart = requestStyle.oneScopeOnly || requestStyle.oneScopePerOperation;
  if (!apart || session.siblings.has(token)) return;
  const siblings = new Map<Operation, string>();
  for (const [operation, scope] of Object.entries(LIKELY) as [Operation, DocumentedScope][]) {
    // A token with only the first scope can list.
    if (operation === 'list' && requestStyle.oneScopeOnly) continue;
    const sibling = await freshAccessToken(conversation, { scope });
    if (sibling.ok) siblings.set(operation, sibling.value);
  }
  session.siblings.set(token, siblings);
}
