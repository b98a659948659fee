import { mediaTypeOf, parseForm } from '../parameters.ts';
import { refuse } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import { formatScopes, includesScopes, parseScopes, type Scopes } from '../store/scopes.ts';
import type { TokenPolicy } from './policy.ts';
import type { Answers, TokenPlace } from './profile.ts';

export function tokenPolicy(answers: Answers): TokenPolicy {
  const places = tokenPlaces(answers);
  const distinctTokens = answers['token-response-fields.distinct-tokens'];
  const onExchange = answers['scope-requests.on-exchange'];
  const sufficient = {
    assign: scopeSets(answers['scope-per-operation.assign']),
    unassign: scopeSets(answers['scope-per-operation.unassign']),
    list: scopeSets(answers['scope-per-operation.list']),
  };
  const scheme =
    answers['token-presentation.scheme-case'] !== 'exact' ? /^bearer +(.*)$/is : /^Bearer +(.*)$/s;

  function valueAt(place: TokenPlace, request: HttpRequest): string | undefined {
    switch (place) {
      case 'authorization-header':
        return request.authorization === '' ? undefined : scheme.exec(request.authorization)?.[1];
      case 'query-access-token':
        return request.query === '' ? undefined : parseForm(request.query).get('access_token');
      case 'query-bearer-token':
        return request.query === '' ? undefined : parseForm(request.query).get('bearer_token');
      case 'form-access-token':
        return mediaTypeOf(request.contentType) === 'application/x-www-form-urlencoded'
          ? parseForm(request.body).get('access_token')
          : undefined;
    }
  }

  return {
    value: (_kind, randomness) => randomness.token(),

    scopes(code, { scope }) {
      if (scope !== undefined && onExchange === 'refused') {
        return refuse('scope-unwanted', 'scope has no place in an exchange (clause 4.2)', 'scope');
      }
      return code.grant.scopes;
    },

    existing(code, granted, now) {
      if (distinctTokens) return undefined;
      return granted.find(
        (grant) =>
          grant.scopes === code.grant.scopes &&
          !grant.revoked &&
          grant.latest !== undefined &&
          !grant.latest.refreshRevoked &&
          // A response always says 7200 (clause 2.1), so only a pair with its whole life ahead can be reissued.
          grant.latest.issuedAt === now,
      )?.latest;
    },

    presented(request) {
      for (const place of places) {
        const value = valueAt(place, request);
        if (value) return value;
      }
      return undefined;
    },

    find(presented, store) {
      if (presented === undefined) return refuse('token-missing', `no token at ${places.join(', ')}`);
      return (
        store.tokens.byAccessToken(presented) ?? refuse('token-unknown', 'no such access token was issued')
      );
    },

    check(pair, now) {
      if (pair.accessRevoked || pair.grant.revoked) {
        return refuse('token-revoked', 'the access token was revoked');
      }
      if (now < pair.expiresAt) return undefined;
      return refuse('token-expired', `the access token expired ${now - pair.expiresAt} s ago`);
    },

    permits(operation, pair) {
      if (sufficient[operation].some((set) => includesScopes(pair.scopes, set))) return undefined;
      const needed = sufficient[operation].map(formatScopes);
      const detail = `${operation} needs ${needed.join(' or ')}, the token has ${formatScopes(pair.scopes)}`;
      return refuse('scope-insufficient', detail);
    },
  };
}

export function tokenPlaces(answers: Answers): readonly TokenPlace[] {
  const order = answers['token-presentation.precedence'];
  if (Array.isArray(order)) return order;
  const accepted = {
    'authorization-header': answers['token-presentation.bearer-header'],
    'query-access-token': answers['token-presentation.query-access-token'],
    'query-bearer-token': answers['token-presentation.query-bearer-token'],
    'form-access-token': answers['token-presentation.form-access-token'],
  };
  return (Object.keys(accepted) as TokenPlace[]).filter((place) => accepted[place]);
}

function scopeSets(values: readonly string[]): readonly Scopes[] {
  return values.map((value) => {
    const scopes = parseScopes(value);
    if (scopes === undefined) {
      throw new TypeError(
        `Profile, scope-per-operation: expected sets of read, write and destroy, got ${JSON.stringify(value)}.`,
      );
    }
    return scopes;
  });
}
