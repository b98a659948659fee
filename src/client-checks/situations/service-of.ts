import type { SituationId } from '../../document/load-client-requirements.ts';
import type { EmulatorOptions } from '../../emulator/emulator-options.ts';
import type { WholeProfile } from '../../emulator/profile.ts';
import type { Places } from '../service.ts';

export const UNKNOWN_PROJECT = '999999';

/** Returns the project of a situation. An application with a fixed project starts with it. */
export function projectOf(situation: SituationId, { project, emptyProject, longProject }: Places): string {
  const others: Partial<Record<SituationId, string>> = {
    'list-empty': emptyProject,
    'list-long': longProject,
    'unknown-project': UNKNOWN_PROJECT,
  };
  return others[situation] ?? project;
}

/** RFC 6749 section 3.1.2 allows it in a redirect address, and the client must encode it. */
export const QUERY = '?app=1&from=a%2Fb';

const GRACE = { 'refresh-fate.old-refresh-token': 'never', 'refresh-fate.grace-seconds': 60 } as const;

interface SituationService {
  /** True for HTTPS with a certificate of an authority that no client knows. */
  readonly tls?: true;
  readonly answers?: Partial<WholeProfile['answers']>;
  readonly retirement?: EmulatorOptions['retirement'];
  /** Follows the redirect address. */
  readonly query?: string;
}

export const SERVICE_OF: Readonly<Partial<Record<SituationId, SituationService>>> = {
  'race-same-pair': { answers: { ...GRACE, 'refresh-fate.successor': 'same-pair' } },
  'race-another-pair': { answers: { ...GRACE, 'refresh-fate.successor': 'another-pair' } },
  'race-refused': {
    answers: {
      'refresh-fate.old-refresh-token': 'at-once',
      'refresh-fate.grace-seconds': null,
      'refresh-fate.successor': 'refused',
      'refresh-fate.reuse': 'revokes-the-grant',
    },
  },
  'empty-answers': {
    answers: {
      'operation-answers.assign.status': 204,
      'operation-answers.assign.content-type': null,
      'operation-answers.assign.body': 'none',
    },
  },
  'documented-fields': { answers: { 'token-response-fields.extra-fields': [] } },
  'sunset-header': { retirement: { announced: true } },
  'untrusted-certificate': { tls: true },
  'redirect-with-query': { query: QUERY },
};
