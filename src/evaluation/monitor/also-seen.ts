import type { RequirementId } from '../../../generated/ids.ts';
import { concludeExchanges, findingReason } from '../../report/exchange-findings.ts';
import type { Monitor } from './monitor.ts';

/** Returns one sentence for each requirement that a verb's exchanges broke. `check` evaluates them; the verb does not. */
export function alsoSeen(
  monitor: Monitor,
  requirement: (id: RequirementId) => { readonly level: string },
): readonly string[] {
  monitor.end();
  const concluded = concludeExchanges(monitor, [], (id) => requirement(id).level);
  return [...concluded]
    .filter(([, { broken }]) => broken > 0)
    .map(([id, seen]) => `also seen: ${id}: ${findingReason(seen, '`check` evaluates it')}`);
}
