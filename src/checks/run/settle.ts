import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { rootOfBlock } from '../../report/verdict.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import type { ConformanceFailure } from '../outcome.ts';
import { type CheckOutcome, failureOf } from '../run-check.ts';

/**
 * The requirements that fail although their own check did not: another check was blocked behind each, with an answer that
 * acknowledged what was not done. Without this a service that breaks the second example of everything would come to nothing.
 */
export function settled(outcomes: readonly CheckOutcome[], secrets: SecretRegistry): readonly CheckOutcome[] {
  const byId = new Map(outcomes.map(({ result }) => [result.id, result]));
  const failed = new Map<string, CheckOutcome>();
  for (const { result, seenBroken } of outcomes) {
    const owner = outcomes.find((one) => one.result.id === result.blockedBy);
    if (seenBroken === undefined || owner === undefined || failed.has(owner.result.id)) continue;
    const root = rootOfBlock(result.id, byId)?.result;
    if (root === 'fail' || root === 'warning' || root === 'known-deviation') continue;
    failed.set(
      owner.result.id,
      failedElsewhere(owner, seenBroken, `the check of ${result.id}`, result.evidence, secrets),
    );
  }
  return [...failed.values()];
}

/**
 * The outcome of a requirement that was seen broken outside its own check.
 *
 * @param where what saw it: `the check of list.safe`
 */
export function failedElsewhere(
  own: CheckOutcome,
  seen: ConformanceFailure,
  where: string,
  evidence: CheckOutcome['result']['evidence'],
  secrets: SecretRegistry,
): CheckOutcome {
  const { id, clause, level, result, durationMs } = own.result;
  const failure = failureOf(loadCatalogue().requirement(own.result.id as never), seen, secrets);
  const itself = result === 'pass' ? 'its own check passed' : 'its own check could not be made';
  return {
    observations: [],
    result: {
      id,
      clause,
      level,
      durationMs,
      evidence,
      ...failure,
      reason: `${failure.reason} (seen by ${where}; ${itself})`,
    },
  };
}
