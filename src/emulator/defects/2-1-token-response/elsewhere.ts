import { afterFirstRefresh } from '../access-tokens.ts';
import type { Defects } from '../define-defect.ts';
import { changingFields } from '../token-responses.ts';

export const elsewhere: Defects = {
  'expires-in-other-for-one-scope': {
    summary: 'The lifetime is told as 3600 where a single scope was granted.',
    breaks: ['exchange.expires-in-7200'],
    changes: changingFields((_, { scopes }) => (scopes.length === 1 ? { expires_in: 3_600 } : {})),
  },

  'token-type-other-for-second-application': {
    summary: 'The token type is Bearer for all applications but the first.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: (policy) => {
      let other = false;
      return {
        client: {
          authenticate(credentials, applications, grantType) {
            const [first] = applications.values();
            other = credentials.clientId !== first?.clientId;
            return policy.client.authenticate(credentials, applications, grantType);
          },
        },
        ...changingFields(() => (other ? { token_type: 'Bearer' } : {}))(policy),
      };
    },
  },

  'refresh-second-lifetime-halved': {
    summary: 'The second refresh of a grant tells half of the lifetime.',
    breaks: ['refresh.expires-in-7200'],
    changes: afterFirstRefresh((policy, isLater) =>
      changingFields(({ expires_in }, { accessToken }) =>
        isLater(accessToken) ? { expires_in: expires_in / 2 } : {},
      )(policy),
    ),
  },
};
