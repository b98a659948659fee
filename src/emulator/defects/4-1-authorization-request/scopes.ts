import type { AuthorizePolicy, ReceivedAuthorizationRequest } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { ALL_SCOPES, formatScopes, parseScopes, type Scopes } from '../../scopes.ts';
import { type Changes, changing, type Defects, whenever } from '../define-defect.ts';

const READ: Scopes = parseScopes('read') ?? [];

type Granted = ReturnType<AuthorizePolicy['scopes']>;

function granting(
  grant: (
    request: ReceivedAuthorizationRequest,
    base: (request: ReceivedAuthorizationRequest) => Granted,
  ) => Granted,
): Changes {
  return changing('authorize.scopes', (base) => (request) => grant(request, (changed) => base(changed)));
}

function refusing(refuses: (scopes: Scopes, written: readonly string[]) => boolean): Changes {
  return granting((request, base) => {
    const scopes = base(request);
    if ('refused' in scopes || !refuses(scopes, request.scope?.split(' ') ?? [])) return scopes;
    return refuse('scope-unknown', `these scopes are not granted: ${request.scope}`, 'scope');
  });
}

function reading(read: (query: string) => string): Changes {
  return changing('authorize.parameters', (base) => (query) => base(read(query)));
}

function knownOf(written = ''): Scopes {
  const known = written.split(' ').filter((word) => (ALL_SCOPES as readonly string[]).includes(word));
  return parseScopes(known.join(' ')) ?? [];
}

export const scopes: Defects = {
  'authorize-scope-needs-read': {
    summary: 'No scope is granted without read beside it.',
    severity: 'blunt',
    breaks: ['authorize.scope-each', 'authorize.scope-combined'],
    changes: refusing((asked) => !asked.includes('read')),
  },

  'authorize-destroy-never-alone': {
    summary: 'The scope destroy is not granted alone.',
    breaks: ['authorize.scope-each'],
    changes: refusing((asked) => asked.length === 1 && asked[0] === 'destroy'),
  },

  'authorize-single-scope-becomes-read': {
    summary: 'Whichever scope is asked for alone, read is granted.',
    breaks: ['authorize.scope-each'],
    changes: granting((request, base) => {
      const asked = base(request);
      return !('refused' in asked) && asked.length === 1 ? READ : asked;
    }),
  },

  'authorize-one-scope-only': {
    summary: 'A request for more than one scope is refused.',
    severity: 'blunt',
    breaks: ['authorize.redirects-with-code', 'authorize.scope-combined'],
    changes: refusing((asked) => asked.length > 1),
  },

  'authorize-scope-pairs-refused': {
    summary: 'One scope or all three are granted, two are not.',
    severity: 'blunt',
    breaks: ['authorize.scope-combined'],
    changes: refusing((asked) => asked.length === 2),
  },

  'authorize-scope-order-fixed': {
    summary: 'Scopes are granted in one order only.',
    breaks: ['authorize.scope-combined'],
    changes: refusing((asked, written) => written.join() !== asked.join()),
  },

  'authorize-second-scope-dropped': {
    summary: 'Of two scopes the first is granted, and nothing is said of the other.',
    breaks: ['authorize.scope-combined'],
    changes: granting((request, base) => {
      const asked = base(request);
      return !('refused' in asked) && asked.length === 2 ? knownOf(asked[0]) : asked;
    }),
  },

  'authorize-plus-kept': {
    summary: 'A plus sign in the query is not read as a space, so that several scopes are one unknown scope.',
    severity: 'blunt',
    breaks: ['authorize.redirects-with-code', 'authorize.scope-plus'],
    changes: reading((query) => query.replaceAll('+', '%2B')),
  },

  'authorize-plus-decoded-once': {
    summary: 'Only the first plus sign of a value is read as a space.',
    breaks: ['authorize.redirects-with-code', 'authorize.scope-plus'],
    changes: reading((query) =>
      query.replace(/(\+[^&+]*)((?:\+[^&+]*)+)/, (_, first, rest) => first + rest.replaceAll('+', '%2B')),
    ),
  },

  'authorize-percent20-kept': {
    summary: 'An encoded space in the query is not read as one.',
    severity: 'blunt',
    breaks: ['authorize.scope-percent20'],
    changes: reading((query) => query.replaceAll('%20', '%2520')),
  },

  'authorize-scope-defaulted': {
    summary: 'A request without scope is granted read.',
    severity: 'blunt',
    breaks: ['authorize.scope-required'],
    changes: granting((request, base) =>
      base(request.scope === undefined ? { ...request, scope: 'read' } : request),
    ),
  },

  'authorize-scope-empty-is-all': {
    summary: 'A request with an empty scope is granted all three.',
    breaks: ['authorize.scope-required'],
    changes: whenever(
      'authorize.request',
      (sent) => sent.get('scope') === '',
      granting(() => ALL_SCOPES),
    ),
  },

  'authorize-unknown-scope-becomes-read': {
    summary: 'An unknown scope is taken for read.',
    severity: 'blunt',
    breaks: ['authorize.scope-unknown-refused'],
    changes: granting((request, base) => {
      const asked = base(request);
      if (!('refused' in asked) || asked.refused !== 'scope-unknown') return asked;
      const known = knownOf(request.scope);
      return known.length > 0 ? known : READ;
    }),
  },

  'authorize-unknown-scope-dropped': {
    summary: 'An unknown scope beside a known one is passed over.',
    breaks: ['authorize.scope-unknown-refused'],
    changes: granting((request, base) => {
      const known = knownOf(request.scope);
      return known.length > 0 ? known : base(request);
    }),
  },

  'authorize-scope-case-ignored': {
    summary: 'A scope in another letter case is granted.',
    breaks: ['authorize.scope-unknown-refused'],
    changes: granting((request, base) =>
      base(request.scope === undefined ? request : { ...request, scope: request.scope.toLowerCase() }),
    ),
  },

  'authorize-percent20-first-scope-alone': {
    summary: 'Of scopes with an encoded space between them the first alone is granted.',
    breaks: ['authorize.scope-percent20'],
    changes: whenever(
      'authorize.parameters',
      (query) => /[?&]?scope=[^&]*%20/.test(query),
      granting((request, base) => {
        const asked = base(request);
        return 'refused' in asked ? asked : (parseScopes(request.scope?.split(' ')[0] ?? '') ?? asked);
      }),
    ),
  },

  'authorize-three-scopes-in-one-order': {
    summary: 'All three scopes are granted in the order of the table alone.',
    breaks: ['authorize.scope-combined'],
    changes: refusing(
      (asked, written) => asked.length === 3 && written.join(' ') !== formatScopes(ALL_SCOPES),
    ),
  },
};
