import { applyRepeatedRule, parseForm } from '../parameters.ts';
import { refuse } from '../refusal.ts';
import { equalSecrets } from '../store/randomness.ts';
import type { RegisteredApplication } from '../store/records.ts';
import { includesScopes, parseScopes } from '../store/scopes.ts';
import { areAlike } from './are-alike.ts';
import { isRefusedAtExchange } from './code.ts';
import type { AuthorizePolicy } from './policy.ts';
import type { Answers, Departures } from './profile.ts';

export function authorizePolicy(
  answers: Answers,
  { missingScope, redirectAddresses }: Departures,
): AuthorizePolicy {
  const repeated = answers['authorize-failures.duplicate-parameter'];
  const anyLoopbackPort = answers['loopback-ports.other-port'];
  const remembered = answers['consent-memory.remembered'];
  const rememberedForFewer = answers['consent-memory.remembered-for-fewer'];
  const pkce = answers['pkce.support'];
  const refusedAtExchange = isRefusedAtExchange(answers);

  return {
    parameters: parseForm,

    request(sent) {
      const parameters = applyRepeatedRule(sent, repeated);
      if ('refused' in parameters) return parameters;
      const value = pkce === 'ignored' ? undefined : parameters.value('code_challenge');
      const method = parameters.get('code_challenge_method') === 'S256' ? 'S256' : 'plain';
      return {
        clientId: parameters.value('client_id'),
        redirectUri: parameters.value('redirect_uri'),
        responseType: parameters.value('response_type'),
        scope: parameters.value('scope'),
        state: parameters.value('state'),
        challenge: value === undefined ? undefined : { value, method },
      };
    },

    application({ clientId }, applications) {
      if (clientId === undefined) return refuse('client-id-missing', 'client_id is missing', 'client_id');
      return (
        applications.get(clientId) ??
        refuse('client-id-unknown', `no application has the client_id ${clientId}`, 'client_id')
      );
    },

    redirectUri({ redirectUri }, application) {
      if (redirectUri === undefined) {
        return refuse('redirect-uri-missing', 'redirect_uri is missing', 'redirect_uri');
      }
      const alike =
        redirectAddresses === 'alike' &&
        application.redirectUris.some((known) => areAlike(redirectUri, known));
      if (alike || isAuthorized(redirectUri, application, anyLoopbackPort)) return redirectUri;
      return refuse(
        'redirect-uri-unauthorized',
        `${redirectUri} is none of ${application.redirectUris.join(' ')}`,
        'redirect_uri',
      );
    },

    responseType({ responseType, challenge }) {
      if (responseType === undefined) {
        return refuse('response-type-missing', 'response_type is missing', 'response_type');
      }
      if (responseType === 'code') {
        if (pkce !== 'refused' || refusedAtExchange || challenge === undefined) return undefined;
        return refuse('response-type-unsupported', 'a code challenge is not supported', 'code_challenge');
      }
      return refuse(
        'response-type-unsupported',
        `response_type must be code, got ${responseType}`,
        'response_type',
      );
    },

    scopes({ scope = missingScope }) {
      if (scope === undefined) return refuse('scope-missing', 'scope is missing', 'scope');
      const scopes = parseScopes(scope);
      if (scopes === undefined)
        return refuse('scope-unknown', `scope holds more than the three: ${scope}`, 'scope');
      if (scopes.length === 0) return refuse('scope-missing', 'scope is blank', 'scope');
      return scopes;
    },

    knows: (password, owner) => equalSecrets(password, owner.password),

    owner(session, owners) {
      return session?.ownerId === undefined ? undefined : owners.get(session.ownerId);
    },

    consentNeeded(scopes, granted) {
      if (!remembered) return true;
      return !granted.some(
        (grant) =>
          !grant.revoked &&
          grant.latest !== undefined &&
          (rememberedForFewer ? includesScopes(grant.scopes, scopes) : grant.scopes === scopes),
      );
    },

    decision(submitted) {
      return submitted === 'grant' || submitted === 'deny' ? submitted : undefined;
    },
  };
}

/** Compares strings exactly (RFC 9700 section 2.1), except for the port of a loopback address (RFC 8252 section 7.3). */
function isAuthorized(
  address: string,
  application: RegisteredApplication,
  anyLoopbackPort: boolean,
): boolean {
  if (application.redirectUris.includes(address)) return true;
  if (!anyLoopbackPort) return false;
  const portless = withoutLoopbackPort(address);
  return (
    portless !== undefined &&
    application.redirectUris.some((known) => withoutLoopbackPort(known) === portless)
  );
}

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?(?=[/?]|$)(.*)$/s;

function withoutLoopbackPort(address: string): string | undefined {
  const match = LOOPBACK.exec(address);
  if (match === null || Number(match[2] ?? 80) > 65_535) return undefined;
  return `${match[1]}${match[3]}`;
}
