import type { Defect } from '../../defect.ts';
import type { AuthorizePolicy, ReceivedAuthorizationRequest } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { ALL_SCOPES, parseScopes, type Scopes } from '../../scopes.ts';
import { defect } from '../define-defect.ts';

const READ: Scopes = parseScopes('read') ?? [];

type Granted = ReturnType<AuthorizePolicy['scopes']>;

/** Scopes that are granted in another way than asked for. */
function granting(
  id: string,
  grant: (
    request: ReceivedAuthorizationRequest,
    base: (request: ReceivedAuthorizationRequest) => Granted,
  ) => Granted,
): Defect {
  return defect(id, ({ authorize }) => ({
    authorize: { scopes: (request) => grant(request, (changed) => authorize.scopes(changed)) },
  }));
}

/** Scopes of which some are not to be had. */
function refusing(id: string, refuses: (scopes: Scopes, written: readonly string[]) => boolean): Defect {
  return granting(id, (request, base) => {
    const scopes = base(request);
    if ('refused' in scopes || !refuses(scopes, request.scope?.split(' ') ?? [])) return scopes;
    return refuse('scope-unknown', `these scopes are not granted: ${request.scope}`, 'scope');
  });
}

/** The query read in another way. */
function reading(id: string, read: (query: string) => string): Defect {
  return defect(id, ({ authorize }) => ({
    authorize: { parameters: (query) => authorize.parameters(read(query)) },
  }));
}

/** The known ones among some words. */
function knownOf(written = ''): Scopes {
  const known = written.split(' ').filter((word) => (ALL_SCOPES as readonly string[]).includes(word));
  return parseScopes(known.join(' ')) ?? [];
}

/** Faults in reading and granting scopes (clauses 4.1 and 5.3). */
export const scopes: readonly Defect[] = [
  refusing('authorize-scope-needs-read', (asked) => !asked.includes('read')),

  refusing('authorize-destroy-never-alone', (asked) => asked.length === 1 && asked[0] === 'destroy'),

  granting('authorize-single-scope-becomes-read', (request, base) => {
    const asked = base(request);
    return !('refused' in asked) && asked.length === 1 ? READ : asked;
  }),

  refusing('authorize-one-scope-only', (asked) => asked.length > 1),

  refusing('authorize-scope-pairs-refused', (asked) => asked.length === 2),

  refusing('authorize-scope-order-fixed', (asked, written) => written.join() !== asked.join()),

  granting('authorize-second-scope-dropped', (request, base) => {
    const asked = base(request);
    return !('refused' in asked) && asked.length === 2 ? knownOf(asked[0]) : asked;
  }),

  reading('authorize-plus-kept', (query) => query.replaceAll('+', '%2B')),

  reading('authorize-plus-decoded-once', (query) =>
    query.replace(/(\+[^&+]*)((?:\+[^&+]*)+)/, (_, first, rest) => first + rest.replaceAll('+', '%2B')),
  ),

  reading('authorize-percent20-kept', (query) => query.replaceAll('%20', '%2520')),

  granting('authorize-scope-defaulted', (request, base) =>
    base(request.scope === undefined ? { ...request, scope: 'read' } : request),
  ),

  defect('authorize-scope-empty-is-all', ({ authorize }) => {
    let empty = false;
    return {
      authorize: {
        request(parameters) {
          empty = parameters.get('scope') === '';
          return authorize.request(parameters);
        },
        scopes: (request) => (empty ? ALL_SCOPES : authorize.scopes(request)),
      },
    };
  }),

  granting('authorize-unknown-scope-becomes-read', (request, base) => {
    const asked = base(request);
    if (!('refused' in asked) || asked.refused !== 'scope-unknown') return asked;
    const known = knownOf(request.scope);
    return known.length > 0 ? known : READ;
  }),

  granting('authorize-unknown-scope-dropped', (request, base) => {
    const known = knownOf(request.scope);
    return known.length > 0 ? known : base(request);
  }),

  granting('authorize-scope-case-ignored', (request, base) =>
    base(request.scope === undefined ? request : { ...request, scope: request.scope.toLowerCase() }),
  ),
];
