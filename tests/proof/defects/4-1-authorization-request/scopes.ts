import { granting, reading, refusing } from '../../../../src/emulator/defects/4-1-authorization-request.ts';
import { type Defects, whenever } from '../../../../src/emulator/defects/define-defect.ts';
import {
  EVERY_SCOPE,
  formatScopes,
  parseScopes,
  type Scopes,
} from '../../../../src/emulator/store/scopes.ts';

const READ: Scopes = parseScopes('read') ?? [];

function knownOf(written = ''): Scopes {
  const known = written.split(' ').filter((word) => (EVERY_SCOPE as readonly string[]).includes(word));
  return parseScopes(known.join(' ')) ?? [];
}

export const scopes: Defects = {
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

  'authorize-plus-decoded-once': {
    summary: 'Only the first plus sign of a value is read as a space.',
    breaks: ['authorize.redirects-with-code', 'authorize.scope-plus'],
    changes: reading((query) =>
      query.replace(/(\+[^&+]*)((?:\+[^&+]*)+)/, (_, first, rest) => first + rest.replaceAll('+', '%2B')),
    ),
  },

  'authorize-scope-empty-is-all': {
    summary: 'A request with an empty scope is granted all three.',
    breaks: ['authorize.scope-required'],
    changes: whenever(
      'authorize.request',
      (sent) => sent.get('scope') === '',
      granting(() => EVERY_SCOPE),
    ),
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
      (asked, written) => asked.length === 3 && written.join(' ') !== formatScopes(EVERY_SCOPE),
    ),
  },

  'authorize-scope-pairs-refused': {
    summary: 'One scope or all three are granted, two are not.',
    severity: 'blunt',
    breaks: ['authorize.scope-combined'],
    changes: refusing((asked) => asked.length === 2),
  },

  'authorize-scope-defaulted': {
    summary: 'A request without scope is granted read.',
    severity: 'blunt',
    breaks: ['authorize.scope-required'],
    changes: granting((request, base) =>
      base(request.scope === undefined ? { ...request, scope: 'read' } : request),
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
};
