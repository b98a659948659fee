import type { WholeProfile } from '../emulator/profile.ts';

/**
 * The profile with client credentials taken in the form alone, as clauses 4.2 and 4.3 have them. A client that presents them elsewhere is
 * told so alike for both grants: some services take a refresh without credentials for one with a dead token.
 */
export function credentialsInFormOnly(profile: WholeProfile): WholeProfile {
  const { answers } = profile;
  const wording = answers['token-failures.wording'];
  return {
    ...profile,
    answers: {
      ...answers,
      'client-authentication.basic': false,
      'client-authentication.query-string': false,
      'client-authentication.json-body': false,
      'client-authentication.multipart': false,
      'token-failures.refresh.no-client-id': answers['token-failures.exchange.no-client-id'],
      'token-failures.wording': {
        ...wording,
        'refresh.no-client-id': wording['exchange.no-client-id'] ?? '',
      },
    },
  };
}

/** Whether a profile takes HTTP Basic. */
export function takesBasic({ answers }: WholeProfile): boolean {
  return answers['client-authentication.basic'];
}
