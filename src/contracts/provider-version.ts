import { createHash } from 'node:crypto';
import { canonical } from '../document/canonical.ts';
import type { Observation, RequirementResult, Results } from '../report/results.ts';
import { isBroken, ofKind } from '../report/verdict.ts';

export interface SeenRun extends Pick<Results, 'selection' | 'verdict'> {
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'result'>[];
  readonly observations: readonly Pick<Observation, 'openPoint' | 'aspect' | 'answer'>[];
}

/** Hexadecimal digits kept of the digest: 64 bits. */
const DIGITS = 16;

/**
 * Derives the version of a provider that announces no releases: `observed-` and a digest of the broken requirements and the
 * answers at the open points. The same behaviour is the same version, on staging and in production; when the behaviour changes,
 * so does the version.
 * Ignores everything that depends on the suite: its version, dates, durations, order, addresses, wordings, severity, and every
 * kept requirement. A suite with a further check that the target passes derives the same version, so upgrading blocks no
 * deployment.
 * @returns the reason for a partial run, a broken one, and one with a requirement that did not run: the target would seem to have
 * changed
 */
export function providerVersionOf(
  run: SeenRun,
): { readonly version: string } | { readonly underivable: string } {
  const { selection, verdict, requirements } = run;
  const notRun = ofKind(requirements, 'not-run').length;
  if (selection !== 'complete' || verdict === 'broken' || notRun > 0 || requirements.length === 0)
    return {
      underivable: `no version can be derived from this run (${selection}, ${verdict}, ${notRun} of ${requirements.length} requirements not run): check again without --only, or give the version`,
    };
  const departs = requirements.filter(isBroken).map(({ id }) => id);
  const answers = run.observations.map(({ openPoint, aspect, answer }) =>
    canonical([openPoint, aspect, answer]),
  );
  const seen = canonical([distinct(departs), distinct(answers)]);
  return { version: `observed-${createHash('sha256').update(seen).digest('hex').slice(0, DIGITS)}` };
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
