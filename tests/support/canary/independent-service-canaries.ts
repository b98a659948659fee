import type { RunningIndependentService } from '../independent-service/start.ts';
import type { Canary } from './find-canaries.ts';

/** Data of other people in a staging list, which no output may disclose. */
const PEOPLE = [
  'ilse.brandt@people.example.test',
  'tomas.ohara@people.example.test',
  'yuki.tanabe@people.example.test',
  'Brandt',
  'O’Hara',
  'Tanabe',
  'suite.alpha@staging.example.test',
];

/** Settings of an independent service whose secrets have characters that each encoding spells in its own way. */
export const AWKWARD_SECRETS = {
  INDEPENDENT_SERVICE_CLIENT_SECRET: 'canary-client+secret/&="<first>" %20',
  INDEPENDENT_SERVICE_SECOND_CLIENT_SECRET: 'canary-client+secret/&="<second>" %20',
  INDEPENDENT_SERVICE_PASSWORD: 'canary-pass+word/&="<owner>" %20 ü',
} as const;

/** Everything that must be found nowhere after a run against an independent service: its secrets, what it issued, its people. */
export async function canariesOf(independentService: RunningIndependentService): Promise<readonly Canary[]> {
  const { application, secondApplication, owner } = independentService.ready;
  return [
    { kind: 'client secret', value: application.clientSecret },
    { kind: 'client secret', value: secondApplication.clientSecret },
    { kind: 'password', value: owner.password },
    { kind: 'login', value: owner.login },
    ...(await independentService.issued()).map((value) => ({ kind: 'code, token or session', value })),
    ...PEOPLE.map((value) => ({ kind: 'name or address of a person', value })),
  ];
}
