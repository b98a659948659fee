import type { Profile } from '../emulator/profile.ts';

/**
 * The profile with client credentials taken in the form alone, as clauses 4.2 and 4.3 have them. A client that presents them elsewhere is
 * told so alike for both grants: some services take a refresh without credentials for one with a dead token.
 */
export function credentialsInFormOnly(profile: Profile): Profile {
  const { answers } = profile;
  const failures = answers['token-failures'];
  return {
    ...profile,
    answers: {
      ...answers,
      'client-authentication': {
        ...answers['client-authentication'],
        basic: 'ignored',
        queryString: 'ignored',
        jsonBody: 'refused',
        multipartBody: 'refused',
      },
      'token-failures': {
        ...failures,
        cases: { ...failures.cases, 'client-missing-on-refresh': failures.cases['client-missing'] },
      },
    },
  };
}

/** Whether a profile takes HTTP Basic. */
export function takesBasic({ answers }: Profile): boolean {
  return answers['client-authentication'].basic === 'accepted';
}
