import type { ResourceOwner } from '../records.ts';
import { refuse } from '../refusal.ts';
import type { Defects } from './define-defect.ts';

const SHOWN_SECRET = /(<code[^>]* id="client-secret">)([^<]*)(<\/code>)/;

export const defects: Defects = {
  'application-secret-not-shown': {
    summary: 'The account area creates an application and never shows its secret.',
    severity: 'blunt',
    breaks: ['application.account-area'],
    changes: ({ answer }) => ({
      answer: {
        page: (status, html) =>
          answer.page(status, html.replace(SHOWN_SECRET, 'It was sent to you by e-mail.')),
      },
    }),
  },

  'application-secret-shown-cut': {
    summary: 'The account area shows the secret of a new application without its last character.',
    severity: 'subtle',
    breaks: ['application.account-area'],
    changes: ({ answer }) => ({
      answer: {
        page: (status, html) =>
          answer.page(
            status,
            html.replace(SHOWN_SECRET, (_, start, secret, end) => `${start}${secret.slice(0, -1)}${end}`),
          ),
      },
    }),
  },

  'application-registered-late': {
    summary:
      'The authorization address reads the applications in once and does not know those created later.',
    severity: 'subtle',
    breaks: ['application.account-area'],
    changes: ({ authorize }) => {
      let known: ReadonlySet<string> | undefined;
      return {
        authorize: {
          application(request, applications) {
            known ??= new Set([...applications.values()].map(({ clientId }) => clientId));
            const application = authorize.application(request, applications);
            if ('refused' in application || known.has(application.clientId)) return application;
            return refuse('client-id-unknown', 'created after the applications were read in', 'client_id');
          },
        },
      };
    },
  },

  'application-anonymous-accepted': {
    summary: 'A visitor without a session is taken for the first owner and may grant in their name.',
    severity: 'blunt',
    breaks: ['application.user-authenticated'],
    changes: ({ authorize }) => ({
      authorize: {
        owner: (session, owners) => authorize.owner(session, owners) ?? [...owners.values()][0],
      },
    }),
  },

  'application-anonymous-as-last-owner': {
    summary:
      'A visitor without a session is served with the owner who was last seen, as a shared cache would.',
    severity: 'subtle',
    breaks: ['application.user-authenticated'],
    changes: ({ authorize }) => {
      let last: ResourceOwner | undefined;
      return {
        authorize: {
          owner(session, owners) {
            last = authorize.owner(session, owners) ?? last;
            return last;
          },
        },
      };
    },
  },
};
