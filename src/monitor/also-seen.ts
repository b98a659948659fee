import type { RequirementId } from '../../generated/ids.ts';
import { concludeExchanges, reasonOf } from '../report/exchange-findings.ts';
import type { Monitor } from './monitor.ts';

/**
 * What the exchanges of a verb show that is no check: one sentence for each requirement that they show broken. It decides nothing
 * there; `check` evaluates it.
 *
 * @param requirement what the catalogue says of it
 */
export function alsoSeen(
  monitor: Monitor,
  requirement: (id: RequirementId) => { readonly clause: string; readonly level: string },
): readonly string[] {
  monitor.end();
  const concluded = concludeExchanges(monitor, [], (id) => requirement(id).level);
  return [...concluded]
    .filter(([, { broken }]) => broken > 0)
    .map(([id, seen]) => `also seen: ${id}: ${reasonOf(seen, requirement(id).clause)}`)
    .map((sentence) => sentence.replace(/; not in its own check$/, '; `check` evaluates it'));
}
