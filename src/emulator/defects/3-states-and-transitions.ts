import type { Defects } from './define-defect.ts';

export const defects: Defects = {
  'refresh-token-dies-with-access-token': {
    summary: 'A refresh token dies together with its access token.',
    breaks: ['refresh.after-expiry'],
    changes: ({ lifetime }) => ({
      lifetime: { refreshToken: (previous, now) => lifetime.accessToken(previous, now) },
    }),
  },
};
