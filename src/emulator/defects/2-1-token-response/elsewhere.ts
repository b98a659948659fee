import type { ServiceAnswer } from '../../answer.ts';
import { changing, type Defects } from '../define-defect.ts';
import { changeFields } from '../token-responses.ts';

function withField(answer: ServiceAnswer, field: string, value: unknown): ServiceAnswer {
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), [field]: value }) };
}

export const elsewhere: Defects = {
  'expires-in-other-for-one-scope': {
    summary: 'The lifetime is told as 3600 where a single scope was granted.',
    breaks: ['exchange.expires-in-7200'],
    changes: changing('answer.tokens', (base) => (issued) => {
      const told = base(issued);
      return issued.scopes.length === 1 ? withField(told, 'expires_in', 3_600) : told;
    }),
  },

  'token-type-other-for-second-application': {
    summary: 'The token type is Bearer for all applications but the first.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: ({ client, answer }) => {
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
    },
  },

  'refresh-second-lifetime-halved': {
    summary: 'The second refresh of a grant tells half of the lifetime.',
    breaks: ['refresh.expires-in-7200'],
    changes: (policy) => {
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
    },
  },
};
