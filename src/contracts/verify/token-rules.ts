import { type Exchange, isSuccess, isTokenRequest, jsonOf } from '../../exchange/exchange.ts';
import { tokensIn } from '../../flow/answers.ts';
import type { Interaction } from '../pact/pact.ts';

/**
 * Checks two rules that no pact can express: a refusal holds no token (clauses 2.2, 4.2 and 4.3), and a refresh gives a new
 * refresh token (clause 2.1 rule 1).
 *
 * @returns a sentence for each violation
 */
export function tokenRuleViolations(
  interaction: Interaction,
  exchanges: readonly Exchange[],
): readonly string[] {
  return exchanges.flatMap(({ request, response }) => {
    if (response === undefined || !isTokenRequest(request)) return [];
    const tokens = tokensIn(response, jsonOf(response));
    if (interaction.status >= 400 && !isSuccess(response)) {
      return Object.keys(tokens).length === 0
        ? []
        : [
            `the request is refused (status ${response.status}), and yet the answer holds a token (clause 4.2)`,
          ];
    }
    const sent = new URLSearchParams(request.body ?? '').get('refresh_token');
    return sent !== null && tokens.refreshToken === sent
      ? [
          'the refresh gives the refresh_token back that it was sent; it must be a new one (clause 2.1 rule 1)',
        ]
      : [];
  });
}
