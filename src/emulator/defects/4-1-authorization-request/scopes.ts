import type { AuthorizePolicy, ReceivedAuthorizationRequest } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { ALL_SCOPES, parseScopes, type Scopes } from '../../scopes.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

export const READ: Scopes = parseScopes('read') ?? [];

type Granted = ReturnType<AuthorizePolicy['scopes']>;

export function granting(
  grant: (
    request: ReceivedAuthorizationRequest,
    base: (request: ReceivedAuthorizationRequest) => Granted,
  ) => Granted,
): Changes {
  return changing('authorize.scopes', (base) => (request) => grant(request, (changed) => base(changed)));
}

export function refusing(refuses: (scopes: Scopes, written: readonly string[]) => boolean): Changes {
  return granting((request, base) => {
    const scopes = base(request);
    if ('refused' in scopes || !refuses(scopes, request.scope?.split(' ') ?? [])) return scopes;
    return refuse('scope-unknown', `these scopes are not granted: ${request.scope}`, 'scope');
  });
}

export function reading(read: (query: string) => string): Changes {
  return changing('authorize.parameters', (base) => (query) => base(read(query)));
}

export function knownOf(written = ''): Scopes {
  const known = written.split(' ').filter((word) => (ALL_SCOPES as readonly string[]).includes(word));
  return parseScopes(known.join(' ')) ?? [];
}

export const scopes: Defects = {
  'authorize-scope-needs-read': {
    summary: 'No scope is granted without read beside it.',
    breaks: ['authorize.scope-each', 'authorize.scope-combined'],
    changes: refusing((asked) => !asked.includes('read')),
  },

  'authorize-one-scope-only': {
    summary: 'A request for more than one scope is refused.',
    breaks: ['authorize.redirects-with-code'],
    changes: refusing((asked) => asked.length > 1),
  },

  'authorize-scope-pairs-refused': {
    summary: 'One scope or all three are granted, two are not.',
    breaks: ['authorize.scope-combined'],
    changes: refusing((asked) => asked.length === 2),
  },

  'authorize-plus-kept': {
    summary: 'A plus sign in the query is not read as a space, so that several scopes are one unknown scope.',
    breaks: ['authorize.redirects-with-code', 'authorize.scope-plus'],
    changes: reading((query) => query.replaceAll('+', '%2B')),
  },

  'authorize-percent20-kept': {
    summary: 'An encoded space in the query is not read as one.',
    breaks: ['authorize.scope-percent20'],
    changes: reading((query) => query.replaceAll('%20', '%2520')),
  },

  'authorize-scope-defaulted': {
    summary: 'A request without scope is granted read.',
    breaks: ['authorize.scope-required'],
    changes: granting((request, base) =>
      base(request.scope === undefined ? { ...request, scope: 'read' } : request),
    ),
  },

  'authorize-unknown-scope-becomes-read': {
    summary: 'An unknown scope is taken for read.',
    breaks: ['authorize.scope-unknown-refused'],
    changes: granting((request, base) => {
      const asked = base(request);
      if (!('refused' in asked) || asked.refused !== 'scope-unknown') return asked;
      const known = knownOf(request.scope);
      return known.length > 0 ? known : READ;
    }),
  },
};
