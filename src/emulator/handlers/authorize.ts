import type { ServiceAnswer } from '../answer.ts';
import { consentPage } from '../pages/consent.ts';
import type { ReceivedParameters } from '../parameters.ts';
import type { ReceivedAuthorizationRequest } from '../policy/policy.ts';
import { type AuthorizeRefusal, isRefusal, refuse } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { OwnerDecision, Service } from '../service.ts';
import type {
  AuthorizationCode,
  Grant,
  RegisteredApplication,
  ResourceOwner,
  SignedInSession,
} from '../store/records.ts';
import type { Scopes } from '../store/scopes.ts';
import {
  errorAnswer,
  pageAnswer,
  postedForm,
  redirectWithin,
  sessionOf,
  staleFormAnswer,
  startSession,
} from './pages.ts';

interface ValidRequest {
  readonly request: ReceivedAuthorizationRequest;
  readonly application: RegisteredApplication;
  readonly redirectUri: string;
  readonly scopes: Scopes;
}

export function authorize(http: HttpRequest, service: Service): ServiceAnswer {
  const { autoConsent } = service;
  if (autoConsent !== undefined)
    return decided(http, http.query, autoConsent.owner, autoConsent.decision, service);
  return http.method === 'GET' ? ask(http, service) : decide(http, service);
}

function ask(http: HttpRequest, service: Service): ServiceAnswer {
  const { policy, store } = service;
  const session = sessionOf(http, service);
  const owner = policy.authorize.owner(session, store.owners);
  if (owner === undefined) return toSignIn(http.query, service);
  const valid = validated(http.query, service);
  if ('status' in valid) return valid;
  const granted = store.grants.remembered(owner.id, valid.application.clientId);
  if (!policy.authorize.consentNeeded(valid.scopes, granted)) return grantCode(http, valid, owner, service);
  return askConsent(http.query, valid, owner, session, service);
}

function decide(http: HttpRequest, service: Service): ServiceAnswer {
  const { policy, store } = service;
  const posted = postedForm(http, service);
  if (posted === undefined) return staleFormAnswer(service);
  const { form, session } = posted;
  const query = form.get('request') ?? '';
  const owner = policy.authorize.owner(session, store.owners);
  if (owner === undefined) return toSignIn(query, service);
  return decided(http, query, owner, policy.authorize.decision(form.get('decision')), service);
}

function decided(
  http: HttpRequest,
  query: string,
  owner: ResourceOwner,
  decision: OwnerDecision['decision'] | undefined,
  service: Service,
): ServiceAnswer {
  const valid = validated(query, service);
  if ('status' in valid) return valid;
  if (decision === 'grant') return grantCode(http, valid, owner, service);
  if (decision === undefined)
    return errorAnswer(service, 400, 'No decision', 'Go back, and press Authorize or Deny.');
  http.outcome.effect = 'denied';
  const denial = refuse('access-denied', `${owner.email} denied`);
  return service.policy.answer.authorizeFailure(denial, valid.request, valid.redirectUri);
}

/** Validates in the order client, redirect address, response type, scope. */
function validated(query: string, service: Service): ValidRequest | ServiceAnswer {
  const { policy, store } = service;
  const parameters = policy.authorize.parameters(query);
  const request = policy.authorize.request(parameters);
  if (isRefusal(request)) return refuseRepeated(request, parameters, service);
  const failure = (refusal: AuthorizeRefusal, redirectUri?: string) =>
    policy.answer.authorizeFailure(refusal, request, redirectUri);
  const application = policy.authorize.application(request, store.applications);
  if (isRefusal(application)) return failure(application);
  const redirectUri = policy.authorize.redirectUri(request, application);
  if (isRefusal(redirectUri)) return failure(redirectUri);
  const otherType = policy.authorize.responseType(request);
  if (otherType !== undefined) return failure(otherType, redirectUri);
  const scopes = policy.authorize.scopes(request);
  if (isRefusal(scopes)) return failure(scopes, redirectUri);
  return { request, application, redirectUri, scopes };
}

/** Refuses a repeated parameter before reading the rest, unless the profile reports it to the client. */
function refuseRepeated(
  refusal: AuthorizeRefusal,
  parameters: ReceivedParameters,
  service: Service,
): ServiceAnswer {
  const { policy, store, profile } = service;
  const answer = profile.answers['authorize-failures.duplicate-parameter'];
  const redirects = typeof answer === 'object' && answer.kind === 'redirect';
  const clientId = parameters.get('client_id');
  const redirectUri = parameters.get('redirect_uri');
  if (!redirects || clientId === undefined || redirectUri === undefined) {
    return policy.answer.authorizeFailure(refusal, {}, undefined);
  }
  const application = policy.authorize.application({ clientId }, store.applications);
  const known = isRefusal(application)
    ? application
    : policy.authorize.redirectUri({ redirectUri }, application);
  return policy.answer.authorizeFailure(refusal, {}, isRefusal(known) ? undefined : known);
}

function askConsent(
  query: string,
  valid: ValidRequest,
  owner: ResourceOwner,
  session: SignedInSession | undefined,
  service: Service,
): ServiceAnswer {
  const shown = session ?? startSession(service);
  const html = consentPage({
    csrf: shown.csrf,
    application: valid.application.name,
    ownerName: owner.name,
    scopes: valid.scopes,
    redirectHost: URL.parse(valid.redirectUri)?.host || valid.redirectUri,
    // The query as received: a form would change the line breaks of its fields.
    query,
  });
  return pageAnswer(service, 200, html, session === undefined ? shown : undefined);
}

function grantCode(
  http: HttpRequest,
  valid: ValidRequest,
  owner: ResourceOwner,
  service: Service,
): ServiceAnswer {
  const { policy, store, clock, randomness } = service;
  const { request, application, redirectUri, scopes } = valid;
  const now = clock.now();
  const grant: Grant = {
    ordinal: 0,
    clientId: application.clientId,
    ownerId: owner.id,
    scopes,
    revoked: false,
  };
  store.grants.add(grant);
  const code: AuthorizationCode = {
    value: policy.code.value(randomness),
    // Each code has its own grant.
    ordinal: grant.ordinal,
    grant,
    redirectUri,
    issuedAt: now,
    expiresAt: now + policy.lifetime.code(),
    challenge: request.challenge,
  };
  store.codes.set(code.value, code);
  http.outcome.effect = 'code-issued';
  http.outcome.code = code.value;
  return policy.answer.authorization({
    redirectUri,
    parameters: [['code', code.value]],
    state: request.state,
  });
}

function toSignIn(query: string, service: Service): ServiceAnswer {
  const returnTo = new URLSearchParams({ return_to: `/oauth/authorize?${query}` });
  return redirectWithin(service, `/sign-in?${returnTo}`);
}
