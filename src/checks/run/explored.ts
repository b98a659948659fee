import type { RequirementId } from '../../../generated/ids.ts';
import type { Catalogue } from '../../catalogue/types.ts';
import { type BodyView, toEvidence } from '../../exchange/to-evidence.ts';
import type { Explored, ExploredFinding } from '../../explore/explore.ts';
import { inWords } from '../../explore/steps.ts';
import { standingOf } from '../../monitor/attribution.ts';
import type { ExploredSequence, RequirementResult } from '../../report/results.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import { endingOf } from './monitored.ts';

/** What a report needs besides the findings. */
interface Describing {
  readonly catalogue: Catalogue;
  readonly secrets: SecretRegistry;
  readonly bodyView?: BodyView | undefined;
}

/**
 * Results with what exploration found: its requirement fails at its level, unless a failure that is there already explains it;
 * then it is also seen.
 */
export function withExplored(
  results: readonly RequirementResult[],
  explored: Explored | undefined,
  describing: Describing,
): readonly RequirementResult[] {
  if (explored === undefined || explored.findings.length === 0) return results;
  const counting = countingOf(results, explored, describing.catalogue);
  return results.map((result) => {
    const found = explored.findings.filter(({ id }) => id === result.id);
    const [first] = found.filter((finding) => counting.includes(finding));
    if (first === undefined) {
      const alsoSeen = found.map((finding) => `exploring: ${sentence(finding)}`);
      return alsoSeen.length === 0
        ? result
        : { ...result, alsoSeen: [...(result.alsoSeen ?? []), ...alsoSeen] };
    }
    return failed(result, first, explored.seed, describing);
  });
}

/** The explored sequences for a report, those that fail their requirement and those that others explain. */
export function exploredSequences(
  results: readonly RequirementResult[],
  explored: Explored,
  catalogue: Catalogue,
): readonly ExploredSequence[] {
  const counting = countingOf(results, explored, catalogue);
  return explored.findings.map((finding) => ({
    requirement: finding.id,
    counts: counting.includes(finding),
    expected: finding.expected,
    got: finding.got,
    story: finding.steps.map(inWords),
    steps: finding.steps,
    rate: finding.rate,
    afterRequests: finding.afterRequests,
    ...(finding.again && { again: finding.again }),
    ...(finding.replayOf !== undefined && { replayOf: finding.replayOf }),
  }));
}

function countingOf(
  results: readonly RequirementResult[],
  { findings }: Explored,
  catalogue: Catalogue,
): readonly ExploredFinding[] {
  const endings = results.map(endingOf);
  const levelOf = (id: RequirementId) => catalogue.requirement(id).level;
  return findings.filter(
    ({ id }) => standingOf({ id, during: undefined, uncertain: false }, endings, levelOf) === 'counts',
  );
}

function failed(
  result: RequirementResult,
  finding: ExploredFinding,
  seed: number,
  { secrets, bodyView }: Describing,
): RequirementResult {
  const { blockedBy: _, missing: __, ...judged } = result;
  const { expected, got, steps } = finding;
  const story = steps.map((step, index) => `${index + 1}. ${inWords(step)}`);
  return {
    ...judged,
    result: result.level === 'documented' ? 'fail' : 'warning',
    reason: secrets.redact(
      [
        `clause ${result.clause}: expected ${expected}; got ${got}, ${howFound(finding, seed)}`,
        ...story,
        'A pair is the access token and the refresh token of one token response.',
      ].join('\n'),
    ),
    signature: secrets.redact(`expected ${expected}; got ${got}`),
    evidence: toEvidence(
      finding.exchanges.map((exchange) => ({ kind: 'exchange', exchange })),
      secrets,
      bodyView,
    ),
  };
}

function howFound({ again, rate, replayOf }: ExploredFinding, seed: number): string {
  if (replayOf !== undefined) return `by the sequence of ${replayOf}; not in its own check`;
  const how = `by exploring (seed ${seed}); not in its own check`;
  if (again === undefined) return `${how}; not repeated, in ${rate.broken} of ${rate.examples} examples`;
  if (again.shown === 0)
    return `${how}; it did not show again in ${again.of} repetitions, and came in ${rate.broken} of ${rate.examples} examples. Before it`;
  return `${how}; shown again ${again.shown} of ${again.of} times`;
}

function sentence({ expected, got, steps }: ExploredFinding): string {
  return `expected ${expected}; got ${got}, after ${steps.map(inWords).join('; ')}`;
}
