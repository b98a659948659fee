import type { SituationId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { calls } from './calls.ts';
import { endings } from './endings.ts';
import { races, renewals } from './renewal.ts';
import type { DrivenSituation } from './script.ts';
import { sharedPartsOf } from './shared-parts.ts';
import { signIns } from './sign-in.ts';
import { DURATIONS, type SituationValues } from './situation-context.ts';
import { tokenResponses } from './token-response.ts';

/** Returns every situation in the order in which the suite begins them. */
export function situationsOf(values: SituationValues): Readonly<Record<SituationId, DrivenSituation>> {
  const parts = sharedPartsOf(values);
  return {
    ...renewals(parts, values),
    ...signIns(parts, values),
    ...tokenResponses(parts, values),
    ...calls(parts, values),
    ...endings(parts, values),
    ...races(parts),
  };
}

export const EXAMPLE_VALUES: SituationValues = {
  ...DURATIONS,
  first: 'ada@example.test',
  second: 'bruno@example.test',
  lifetime: LIFETIME,
  authUrl: 'http://127.0.0.1:8700',
  baseUrl: 'http://127.0.0.1:8701',
  emptyProject: '1043',
};

/** Every situation, with addresses of an example: good for what does not name the service. */
export const SITUATIONS = situationsOf(EXAMPLE_VALUES);

export const SITUATION_IDS = Object.keys(SITUATIONS) as readonly SituationId[];
