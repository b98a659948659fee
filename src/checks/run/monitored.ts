import type { RequirementId } from '../../../generated/ids.ts';
import type { Catalogue } from '../../catalogue/types.ts';
import { type BodyView, toEvidence } from '../../exchange/to-evidence.ts';
import { type CheckEnding, isAboutProjects } from '../../monitor/attribution.ts';
import { type Concluded, concludeMonitoring, reasonOf } from '../../monitor/conclude.ts';
import type { MonitorFinding } from '../../monitor/tally.ts';
import type { RequirementResult } from '../../report/results.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import type { UsableGround } from './ground.ts';

/** What the exchanges of one lane showed, whatever they were sent for. */
export interface Monitored {
  readonly examples: ReadonlyMap<RequirementId, number>;
  readonly findings: readonly MonitorFinding[];
  readonly bodyView: BodyView | undefined;
}

/**
 * What was seen on a ground.
 *
 * @param disturbed another client changes its projects: what concerns who is assigned may be its doing
 */
export function monitoredIn({ watched, surroundings }: UsableGround, disturbed: boolean): Monitored {
  const { monitor } = watched;
  monitor.end();
  const findings = monitor.findings.map((finding) => ({
    ...finding,
    uncertain: finding.uncertain || (disturbed && isAboutProjects(finding.id)),
  }));
  return { examples: monitor.examples, findings, bodyView: surroundings.bodyView };
}

/**
 * Results with what the exchanges of the run add to them: the number of examples, and where a check passed and an exchange shows its
 * requirement broken all the same, a failure at the requirement's level.
 *
 * @param doubtful the run has shown that the target cannot be spoken about: nothing fails for it
 */
export function withMonitored(
  results: readonly RequirementResult[],
  lanes: readonly Monitored[],
  { catalogue, secrets }: { readonly catalogue: Catalogue; readonly secrets: SecretRegistry },
  doubtful: boolean,
): readonly RequirementResult[] {
  const examples = new Map<RequirementId, number>();
  for (const lane of lanes) {
    for (const [id, count] of lane.examples) examples.set(id, (examples.get(id) ?? 0) + count);
  }
  const findings = lanes.flatMap((lane) =>
    lane.findings.map((finding) => ({ ...finding, uncertain: finding.uncertain || doubtful })),
  );
  const endings = results.map(endingOf);
  const levelOf = (id: RequirementId) => catalogue.requirement(id).level;
  const concluded = concludeMonitoring({ examples, findings }, endings, levelOf);
  const bodyView = lanes.find((lane) => lane.bodyView !== undefined)?.bodyView;
  return results.map((result) => {
    const seen = concluded.get(result.id as RequirementId);
    return seen === undefined ? result : withSeen(result, seen, { secrets, bodyView });
  });
}

/** How a check ended, as far as findings depend on it. */
export function endingOf({ id, result }: Pick<RequirementResult, 'id' | 'result'>): CheckEnding {
  if (result === 'fail' || result === 'known-deviation') return { id, failed: 'documented' };
  return { id, failed: result === 'warning' ? 'minor' : undefined };
}

function withSeen(
  result: RequirementResult,
  seen: Concluded,
  { secrets, bodyView }: { readonly secrets: SecretRegistry; readonly bodyView: BodyView | undefined },
): RequirementResult {
  const counted = {
    ...result,
    examples: { seen: seen.examples, broken: seen.broken },
    ...(seen.alsoSeen.length === 0 ? {} : { alsoSeen: seen.alsoSeen }),
  };
  const failed = result.result === 'fail' || result.result === 'warning';
  const { first } = seen;
  if (first === undefined || failed) return counted;
  const { blockedBy: _, missing: __, ...judged } = counted;
  return {
    ...judged,
    result: result.level === 'documented' ? 'fail' : 'warning',
    reason: secrets.redact(reasonOf(seen, result.clause)),
    signature: secrets.redact(`expected ${first.expected}; got ${first.got}`),
    evidence: toEvidence(
      seen.exchanges.map((exchange) => ({ kind: 'exchange', exchange })),
      secrets,
      bodyView,
    ),
  };
}
