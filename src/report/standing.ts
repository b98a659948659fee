import type { RequirementId } from '../../generated/ids.ts';
import type { ExchangeFinding } from './facts.ts';

/** How a check ended, as far as findings depend on it. */
export interface CheckEnding {
  readonly id: string;
  /** `documented`: a documented requirement failed; `minor`: one of another level. */
  readonly failed: 'documented' | 'minor' | undefined;
}

/** What speaks for a finding, beside what already failed. */
export type FindingStanding =
  | 'counts'
  /** A check failed while it was made, or one of the same family: the finding most likely follows from that. */
  | 'explained'
  /** Others may have done it. */
  | 'uncertain';

const FAMILIES: Readonly<Record<string, string>> = {
  exchange: 'token',
  refresh: 'token',
  token: 'token',
  assign: 'resource',
  unassign: 'resource',
  list: 'resource',
  resource: 'resource',
  scope: 'resource',
  version: 'resource',
  lifetime: 'resource',
  authorize: 'authorize',
  application: 'authorize',
};

/** Requirements of another level with which, once broken, nobody can say any more who is assigned. */
const UPSETTING: readonly string[] = ['list.safe', 'assign.idempotent', 'unassign.idempotent'];

/** The requirements that fail together when one thing is wrong. */
function familyOf(id: string): string {
  return FAMILIES[id.split('.')[0] ?? ''] ?? id;
}

/**
 * Whether a finding fails its requirement. What a failing check sends, and what belongs to a requirement that has failed,
 * shows the same fault again in other words: it is shown beside that failure and fails nothing more.
 *
 * @param levelOf whether a requirement is documented; what is not cannot explain away what is
 */
export function standingOf(
  finding: Pick<ExchangeFinding, 'id' | 'during' | 'uncertain'>,
  checks: readonly CheckEnding[],
  levelOf: (id: RequirementId) => string,
): FindingStanding {
  if (finding.uncertain) return 'uncertain';
  const documented = levelOf(finding.id) === 'documented';
  const explains = ({ id, failed }: CheckEnding) =>
    failed === 'documented' || (failed === 'minor' && (!documented || UPSETTING.includes(id)));
  const explained = checks.some(
    (check) =>
      explains(check) && (check.id === finding.during || familyOf(check.id) === familyOf(finding.id)),
  );
  return explained ? 'explained' : 'counts';
}
