import { type DocumentedScope, SCOPES } from '../targets/target.ts';
import { grantedCode } from './actor.ts';
import type { Conversation } from './conversation.ts';

export interface BarredScope {
  readonly scope: DocumentedScope;
  readonly granted: string;
}

/**
 * The one scope that a service refuses to an application, alone as well as beside others, while it grants the two others together:
 * so does a service where the application may not ask for it. One that cannot combine scopes refuses the two others together, too.
 *
 * @returns undefined where the refusals have no such form
 */
export async function barredScope(c: Conversation): Promise<BarredScope | undefined> {
  for (const scope of SCOPES) {
    const granted = SCOPES.filter((one) => one !== scope).join(' ');
    if (!(await grantedCode(c, { scope: granted })).ok) continue;
    const alone = await grantedCode(c, { scope });
    return !alone.ok && alone.status === 'refused' ? { scope, granted } : undefined;
  }
  return undefined;
}
