import { changing, type Defects } from './define-defect.ts';

export const SHOWN_SECRET = /(<code[^>]* id="client-secret">)([^<]*)(<\/code>)/;

export const defects: Defects = {
  'application-secret-not-shown': {
    summary: 'The account area creates an application and never shows its secret.',
    breaks: ['application.account-area'],
    changes: changing(
      'answer.page',
      (base) => (status, html) => base(status, html.replace(SHOWN_SECRET, 'It was sent to you by e-mail.')),
    ),
  },

  'application-anonymous-accepted': {
    summary: 'A visitor without a session is taken for the first owner and may grant in their name.',
    breaks: ['application.user-authenticated'],
    changes: changing(
      'authorize.owner',
      (base) => (session, owners) => base(session, owners) ?? [...owners.values()][0],
    ),
  },
};
