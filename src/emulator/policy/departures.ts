import type { AnswerPolicy, AuthorizePolicy, CodePolicy, Policy } from '../policy.ts';
import type { Departures } from '../profile.ts';

export function withWorkarounds(policy: Policy, departures: Departures | undefined): Policy {
  if (departures === undefined) return policy;
  const { tokenType, missingScope, redirectAddresses, exchangedAddresses } = departures;
  let { authorize, code, answer } = policy;
  if (tokenType !== undefined) answer = calling(answer, tokenType);
  if (missingScope !== undefined) authorize = defaulting(authorize, missingScope);
  if (redirectAddresses === 'alike') authorize = takingAlike(authorize);
  if (exchangedAddresses === 'alike') code = exchangingAlike(code);
  return { ...policy, authorize, code, answer };
}

function calling(answer: AnswerPolicy, tokenType: string): AnswerPolicy {
  return {
    ...answer,
    tokens(issued) {
      const documented = answer.tokens(issued);
      return {
        ...documented,
        body: JSON.stringify({ ...JSON.parse(documented.body), token_type: tokenType }),
      };
    },
  };
}

function defaulting(authorize: AuthorizePolicy, missingScope: string): AuthorizePolicy {
  return {
    ...authorize,
    scopes: (request) =>
      authorize.scopes(request.scope === undefined ? { ...request, scope: missingScope } : request),
  };
}

function takingAlike(authorize: AuthorizePolicy): AuthorizePolicy {
  return {
    ...authorize,
    redirectUri(request, application) {
      const asked = request.redirectUri;
      const alike = asked !== undefined && application.redirectUris.some((known) => areAlike(asked, known));
      return alike ? asked : authorize.redirectUri(request, application);
    },
  };
}

function exchangingAlike(code: CodePolicy): CodePolicy {
  return {
    ...code,
    check(record, exchange, now) {
      const alike = areAlike(exchange.redirectUri, record.redirectUri);
      return code.check(record, alike ? { ...exchange, redirectUri: record.redirectUri } : exchange, now);
    },
  };
}

const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** `redirectAddresses` in `spec/profile.schema.json` defines the permitted differences. */
function areAlike(asked: string, known: string): boolean {
  const [one, other] = [ADDRESS.exec(asked), ADDRESS.exec(known)];
  if (one === null || other === null || one[4] !== undefined) return false;
  const [, origin = '', path, query = ''] = one;
  const [, knownOrigin = '', knownPath, knownQuery] = other;
  if (origin.toLowerCase() !== knownOrigin.toLowerCase() || path !== knownPath) return false;
  return knownQuery === undefined || sorted(query) === sorted(knownQuery);
}

function sorted(query: string): string {
  return query.slice(1).split('&').sort().join('&');
}
