import type { RequirementId } from '../../generated/ids.ts';
import type { ExchangeFinding } from './facts.ts';

export interface CheckEnding {
  readonly id: string;
  /** `documented`: a documented requirement failed; `minor`: one of another level. */
  readonly failed: 'documented' | 'minor' | undefined;
}

export type FindingStanding =
  | 'counts'
  /** A check of the same family failed meanwhile: the finding most likely follows from that. */
  | 'explained'
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

/** Requirements of another level that, once broken, leave the assignments unknown. */
const UPSETTING: readonly string[] = ['list.safe', 'assign.idempotent', 'unassign.idempotent'];

/** Requirements of one family fail together because of one fault. */
function familyOf(id: string): string {
  return FAMILIES[id.split('.')[0] ?? ''] ?? id;
}

/**
 * Decides if a finding fails its requirement. A failing check's requests, and a failed requirement's findings, show the same
 * fault in other words: they appear beside that failure and fail nothing more.
 *
 * @param levelOf an undocumented requirement cannot explain a documented one
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
