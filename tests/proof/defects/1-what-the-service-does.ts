import { changing, type Defects } from '../../../src/emulator/defects/define-defect.ts';
import { refuse } from '../../../src/emulator/refusal.ts';
import type { ResourceOwner } from '../../../src/emulator/store/records.ts';

const SHOWN_SECRET = /(<code[^>]* id="client-secret">)([^<]*)(<\/code>)/;

export const defects: Defects = {
  'application-secret-shown-cut': {
    summary: 'The account area shows the secret of a new application without its last character.',
    breaks: ['application.account-area'],
    changes: changing(
      'answer.page',
      (base) => (status, html) =>
        base(
          status,
          html.replace(SHOWN_SECRET, (_, start, secret, end) => `${start}${secret.slice(0, -1)}${end}`),
        ),
    ),
  },

  'application-registered-late': {
    summary:
      'The authorization address reads the applications in once and does not know those created later.',
    breaks: ['application.account-area'],
    changes: changing('authorize.application', (base) => {
      let known: ReadonlySet<string> | undefined;
      return (request, applications) => {
        known ??= new Set([...applications.values()].map(({ clientId }) => clientId));
        const application = base(request, applications);
        if ('refused' in application || known.has(application.clientId)) return application;
        return refuse('client-id-unknown', 'created after the applications were read in', 'client_id');
      };
    }),
  },

  'application-password-case-ignored': {
    summary: 'The sign-in page takes the password in any letter case.',
    breaks: ['application.user-authenticated'],
    changes: changing(
      'authorize.knows',
      () => (password, owner) => password.toLowerCase() === owner.password.toLowerCase(),
    ),
  },

  'application-password-beginning': {
    summary: 'The sign-in page takes any beginning of the password, an empty one too.',
    breaks: ['application.user-authenticated'],
    changes: changing('authorize.knows', () => (password, owner) => owner.password.startsWith(password)),
  },

  'application-anonymous-as-last-owner': {
    summary:
      'A visitor without a session is served with the owner who was last seen, as a shared cache would.',
    breaks: ['application.user-authenticated'],
    changes: changing('authorize.owner', (base) => {
      let last: ResourceOwner | undefined;
      return (session, owners) => {
        last = base(session, owners) ?? last;
        return last;
      };
    }),
  },

  'application-secret-not-shown': {
    summary: 'The account area creates an application and never shows its secret.',
    severity: 'blunt',
    breaks: ['application.account-area'],
    changes: changing(
      'answer.page',
      (base) => (status, html) => base(status, html.replace(SHOWN_SECRET, 'It was sent to you by e-mail.')),
    ),
  },

  'application-anonymous-accepted': {
    summary: 'A visitor without a session is taken for the first owner and may grant in their name.',
    severity: 'blunt',
    breaks: ['application.user-authenticated'],
    changes: changing(
      'authorize.owner',
      (base) => (session, owners) => base(session, owners) ?? [...owners.values()][0],
    ),
  },
};
