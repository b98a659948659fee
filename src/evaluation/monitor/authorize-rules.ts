import type { RequirementId } from '../../../generated/ids.ts';
import type { Exchange } from '../../http/exchange.ts';
import { reaches, redirectParameters } from '../../service/agent/user-agent.ts';
import { codesIn, tokensInAddresses } from '../../service/flow/service-client.ts';
import { lostParameter, redirectMismatch } from '../../service/redirect-address.ts';
import type { MonitorEvent } from './events.ts';
import type { Broken, MonitorFindings } from './findings.ts';
import { type ReadAuthorizationRequest, readAuthorization, SORTED_SCOPES } from './read-request.ts';
import { oddCharacters } from './right-requests.ts';
import { HANDED_OUT_AGAIN, newPair, type TokenModel } from './token-model.ts';

type Authorized = Extract<MonitorEvent, { readonly kind: 'authorized' }>;

/** Seconds. */
const HOUR = 3_600;

export class AuthorizeRules {
  readonly #model: TokenModel;
  readonly #findings: MonitorFindings;
  /** Clients whose request the owner has denied. */
  /** By application, the time of the last denial in seconds. */
  readonly #denied = new Map<string | undefined, number>();

  constructor(model: TokenModel, findings: MonitorFindings) {
    this.#model = model;
    this.#findings = findings;
  }

  authorized(event: Authorized): void {
    const { outcome, options } = event;
    const asked = continued(event);
    const broken = this.#findings.of(exchangeOf(event), event.during);
    const codes = codesIn(outcome);
    const given = codes.length > 0 || tokensInAddresses(outcome).length > 0;
    // Without an answer there is no finding, unless a code or token came.
    if (outcome.trouble !== undefined && !given) return;
    if (options.decision === 'deny' && outcome.decided)
      this.#denied.set(asked.parameters.get('client_id'), event.at);
    const busy = outcome.pages.some((page) => page.status === 429 || page.status >= 500);
    this.#evaluateRepeatedForm(event, broken);
    const refusals = asked.plain ? this.#refusals(asked, event) : [];
    if (!busy || given) {
      for (const id of refusals) {
        if (refusals.length === 1) this.#findings.example(id);
        if (given) broken(id, 'refusal', 'no code', 'a code');
      }
    }
    if (refusals.length === 0 && !busy) this.#evaluateRedirect(asked, event, broken);
    for (const token of tokensInAddresses(outcome)) {
      const family = { changed: HANDED_OUT_AGAIN, latest: undefined };
      this.#model.keep(newPair({ access: token, refresh: token, family, issuedAt: event.at }));
    }
    const wrongly = refusals.length > 0 || !options.signedIn;
    for (const value of codes) this.#keepCode(value, asked, event, wrongly, broken);
  }

  #refusals({ parameters }: ReadAuthorizationRequest, event: Authorized): readonly RequirementId[] {
    const { options, outcome } = event;
    const found: RequirementId[] = [];
    if (!options.signedIn) found.push('application.user-authenticated');
    if (options.decision === 'deny' && outcome.decided) found.push('authorize.grant-needed');
    if (options.decision === 'view' && outcome.pages.at(-1)?.shows === 'consent')
      found.push('authorize.grant-needed');
    const app = this.#model.applications.get(parameters.get('client_id') ?? '');
    if (app === undefined) found.push('authorize.client-id-known');
    const [responseType, scope, address] = REQUIRED.map(([name, id]) => {
      const value = parameters.get(name) ?? '';
      if (value === '') found.push(id);
      return value;
    });
    if (responseType && responseType !== 'code') found.push('authorize.response-type-code-only');
    if (scope && !scope.split(' ').every((one) => KNOWN_SCOPES.includes(one)))
      found.push('authorize.scope-unknown-refused');
    if (address && app !== undefined) {
      const differences = app.redirectUris.map((known) => redirectMismatch(address, known));
      if (!differences.some((difference) => difference === undefined || difference === 'open'))
        found.push(
          differences.includes('near') ? 'authorize.redirect-uri-exact' : 'authorize.redirect-uri-authorized',
        );
    }
    return found;
  }

  #evaluateRedirect(asked: ReadAuthorizationRequest, event: Authorized, broken: Broken): void {
    const { outcome, options } = event;
    const { parameters, scope } = asked;
    if (!asked.documented || options.decision !== 'grant' || !options.signedIn || scope === undefined) return;
    const address = parameters.get('redirect_uri') ?? '';
    const known = this.#model.applications.get(parameters.get('client_id') ?? '')?.redirectUris ?? [];
    if (!known.includes(address)) return;
    const caught = outcome.caught;
    const code = caught && redirectParameters(caught).query.get('code');
    if (!code && (!event.conclusive || options.overtaken)) return;
    const state = parameters.get('state');
    const plain = asked.percent20 ? 'authorize.scope-percent20' : ownerOf(scope);
    // The document has no `state`, so another requirement covers a refusal because of it.
    const owner = state === undefined || state === '' ? plain : 'authorize.state-echoed';
    this.#findings.example(owner);
    const clientId = parameters.get('client_id');
    const deniedAt = this.#denied.get(clientId);
    const right = {
      is: 'authorize',
      traits: () => [
        this.#model.applicationTrait(clientId),
        `the redirect address ${address}`,
        `the scope ${parameters.get('scope')}`,
        ...oddCharacters(state ?? '', 'a `state`'),
        `the first parameter ${[...parameters.keys()][0]}`,
        ...(deniedAt === undefined ? [] : ['a denial of the same application before it']),
        ...(deniedAt !== undefined && event.at - deniedAt < HOUR
          ? ['a denial of the same application less than an hour before']
          : []),
      ],
      credential: { issuedAt: event.at },
      at: event.at,
    };
    this.#findings.right.answered(right, code ? undefined : owner);
    if (caught === undefined || !code) {
      broken(owner, 'no-code', 'a redirect with a code', 'none');
      return;
    }
    if (redirectMismatch(caught.url.split(/[?#]/)[0] ?? '', address.split(/[?#]/)[0] ?? '') !== undefined)
      broken(
        owner === plain ? 'authorize.redirects-with-code' : owner,
        'elsewhere',
        'a redirect to the address asked for',
        'another',
      );
    const given = redirectParameters(caught).query;
    if (address.includes('?')) {
      this.#findings.example('authorize.redirect-query-kept');
      if (lostParameter(address, given) !== undefined)
        broken(
          'authorize.redirect-query-kept',
          'query-lost',
          'the query of the redirect address',
          'none of it',
        );
    }
    if (new Set(given.getAll('code')).size > 1)
      broken('authorize.redirects-with-code', 'two-codes', 'one code', 'several');
    if (given.has('error'))
      broken('authorize.redirects-with-code', 'code-and-error', 'a code and no error', 'both');
    if (state === undefined) return;
    this.#findings.example('authorize.state-echoed');
    if (redirectParameters(caught).query.get('state') !== state)
      broken('authorize.state-echoed', 'state', '`state` unchanged', 'another, or none');
  }

  /** Applies to every form: a browser that follows 307 or 308 sends its data to the client (RFC 9700 section 4.12). */
  #evaluateRepeatedForm(event: Authorized, broken: Broken): void {
    const { caught } = event.outcome;
    if (caught?.form === undefined) return;
    this.#findings.example('authorize.no-307');
    if (caught.form === 'dropped') return;
    const expected = 'a redirect that does not repeat the form (not 307, not 308)';
    broken('authorize.no-307', 'form-repeated', expected, 'one that does');
  }

  #keepCode(
    value: string,
    asked: ReadAuthorizationRequest,
    event: Authorized,
    wrongly: boolean,
    broken: Broken,
  ): void {
    const { codes } = this.#model;
    this.#findings.example('authorize.code-unguessable');
    const before = codes.get(value);
    if (before !== undefined)
      broken('authorize.code-unguessable', 'repeated', 'a code of its own', 'one that was given before');
    // It can be exchanged no more (clause 2.2).
    if (before?.gave !== undefined && !wrongly)
      broken(
        'authorize.redirects-with-code',
        'repeated',
        'a code that can be exchanged',
        'one that gave tokens before',
      );
    const single = codesIn(event.outcome).length === 1;
    codes.set(value, {
      value,
      clientId: asked.parameters.get('client_id'),
      redirectUri: asked.parameters.get('redirect_uri'),
      scope: asked.scope,
      documented: asked.documented && asked.scope !== undefined && !wrongly && single && before === undefined,
      issuedAt: event.at,
      presented: before?.presented ?? 0,
      gave: before?.gave,
      inFlight: 0,
      overlapped: false,
    });
  }
}

/**
 * Returns the request that a redirect answers: the document leaves open which of a browser's open requests a sign-in continues
 * (clause 4.1). If several share the address, any of them may be meant, so nothing is demanded of its code.
 */
function continued({ url, options: { elsewhere }, outcome }: Authorized): ReadAuthorizationRequest {
  const own = readAuthorization(url);
  if (elsewhere?.otherTab === undefined) return own;
  const open = [own, readAuthorization(elsewhere.otherTab)];
  const meant = open.filter(({ parameters }) => reaches(outcome, parameters.get('redirect_uri') ?? ''));
  const [one = own, another] = meant;
  return another === undefined ? one : { ...one, scope: undefined, documented: false };
}

function exchangeOf({ url, options, outcome: { caught }, startedAt }: Authorized): Exchange {
  return {
    purpose: `authorize, ${options.decision}`,
    request: { method: 'GET', url, headers: [] },
    ...(caught && {
      response: {
        status: caught.status ?? 0,
        headers: [['Location', caught.url] as const],
        body: '',
        bytes: 0,
      },
    }),
    startedAt,
    durationMs: 0,
  };
}

const REQUIRED = [
  ['response_type', 'authorize.response-type-required'],
  ['scope', 'authorize.scope-required'],
  ['redirect_uri', 'authorize.redirect-uri-required'],
] as const;

const KNOWN_SCOPES = SORTED_SCOPES.split(' ');

function ownerOf(scope: string): RequirementId {
  const count = scope.split(' ').length;
  if (count === 3) return 'authorize.redirects-with-code';
  return count === 1 ? 'authorize.scope-each' : 'authorize.scope-combined';
}
