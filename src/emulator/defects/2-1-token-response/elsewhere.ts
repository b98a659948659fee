import type { ServiceAnswer } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';
import { changeFields } from '../token-responses.ts';

function withField(answer: ServiceAnswer, field: string, value: unknown): ServiceAnswer {
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), [field]: value }) };
}

/** Faults that the first application, or all scopes together, do not show (clause 2.1). */
export const elsewhere: readonly Defect[] = [
  defect('expires-in-other-for-one-scope', ({ answer }) => ({
    answer: {
      tokens(issued) {
        const told = answer.tokens(issued);
        return issued.scopes.length === 1 ? withField(told, 'expires_in', 3_600) : told;
      },
    },
  })),

  defect('token-type-other-for-second-application', ({ client, answer }) => {
    let first: string | undefined;
    let other = false;
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          first ??= [...applications.values()][0]?.clientId;
          other = credentials.clientId !== first;
          return client.authenticate(credentials, applications, grantType);
        },
      },
      answer: {
        tokens(issued) {
          const told = answer.tokens(issued);
          return other ? withField(told, 'token_type', 'Bearer') : told;
        },
      },
    };
  }),

  defect('refresh-second-lifetime-halved', (policy) => {
    const { token } = policy;
    const refreshed = new Set<string>();
    let second = false;
    const changes = changeFields(policy, (of, { expires_in }) =>
      of === 'refresh' && second ? { expires_in: expires_in / 2 } : {},
    );
    return {
      ...changes,
      token: {
        ...changes.token,
        value(kind, randomness, previous) {
          const value = (changes.token?.value ?? token.value)(kind, randomness, previous);
          if (kind === 'access' && previous !== undefined) {
            second = refreshed.has(previous.accessToken);
            refreshed.add(value);
          }
          return value;
        },
      },
    };
  }),
];
