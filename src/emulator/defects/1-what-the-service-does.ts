import type { Defect } from '../defect.ts';
import type { ResourceOwner } from '../records.ts';
import { refuse } from '../refusal.ts';
import { defect } from './define-defect.ts';

/** The element of the account area that shows a new application's secret. */
const SHOWN_SECRET = /(<code[^>]* id="client-secret">)([^<]*)(<\/code>)/;

/** Faults of clause 1: the owner, and the application that they create. */
export const defects: readonly Defect[] = [
  defect('application-secret-not-shown', ({ answer }) => ({
    answer: {
      page: (status, html) =>
        answer.page(status, html.replace(SHOWN_SECRET, 'It was sent to you by e-mail.')),
    },
  })),

  defect('application-secret-shown-cut', ({ answer }) => ({
    answer: {
      page: (status, html) =>
        answer.page(
          status,
          html.replace(SHOWN_SECRET, (_, start, secret, end) => `${start}${secret.slice(0, -1)}${end}`),
        ),
    },
  })),

  defect('application-registered-late', ({ authorize }) => {
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
  }),

  defect('application-anonymous-accepted', ({ authorize }) => ({
    authorize: {
      owner: (session, owners) => authorize.owner(session, owners) ?? [...owners.values()][0],
    },
  })),

  defect('application-anonymous-as-last-owner', ({ authorize }) => {
    let last: ResourceOwner | undefined;
    return {
      authorize: {
        owner(session, owners) {
          last = authorize.owner(session, owners) ?? last;
          return last;
        },
      },
    };
  }),
];
