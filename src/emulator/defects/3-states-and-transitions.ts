import type { Defect } from '../defect.ts';
import { defect } from './define-defect.ts';

/** Faults of clause 3: an access token that has expired can be refreshed. */
export const defects: readonly Defect[] = [
  defect('refresh-token-dies-with-access-token', ({ lifetime }) => ({
    lifetime: { refreshToken: (previous, now) => lifetime.accessToken(previous, now) },
  })),

  defect('refresh-token-of-refresh-dies-with-access-token', ({ lifetime }) => ({
    lifetime: {
      refreshToken: (previous, now) =>
        previous === undefined ? lifetime.refreshToken(previous, now) : lifetime.accessToken(previous, now),
    },
  })),

  defect('refresh-after-expiry-born-dead', ({ lifetime }) => ({
    lifetime: {
      accessToken: (previous, now) =>
        previous !== undefined && now >= previous.expiresAt ? 0 : lifetime.accessToken(previous, now),
    },
  })),
];
