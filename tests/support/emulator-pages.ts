import {
  applicationCreatedPage,
  applicationsPage,
  editApplicationPage,
  newApplicationPage,
} from '../../src/emulator/pages/account-area.ts';
import { callbackPage } from '../../src/emulator/pages/callback.ts';
import { consentPage } from '../../src/emulator/pages/consent.ts';
import { landingPage } from '../../src/emulator/pages/landing.ts';
import { errorPage } from '../../src/emulator/pages/layout.ts';
import { signInPage } from '../../src/emulator/pages/sign-in.ts';

const CALLBACK = 'http://127.0.0.1:4003/callback';

/** Every page, with `word` wherever somebody else chooses the text. */
export function everyPage(word: string): Record<string, string> {
  const application = { clientId: word, name: word, redirectUris: [CALLBACK, word] };
  const account = { csrf: word, ownerName: word };
  const values = { name: word, redirectUris: word };
  const errors = [
    { field: 'name', message: word },
    { field: 'redirect_uris', message: word },
    { field: 'csrf', message: word },
  ];
  return {
    landing: landing({ word, defects: [word], controlUrl: 'http://127.0.0.1:4009' }),
    'sign-in': signInPage({ csrf: word, returnTo: word }),
    'sign-in, refused': signInPage({ csrf: word, returnTo: word, email: word, error: word }),
    consent: consent(word),
    applications: applicationsPage(account, [application]),
    'no applications': applicationsPage(account, []),
    'new application': newApplicationPage({ csrf: word }, {}),
    'new application, refused': newApplicationPage({ csrf: word }, { values, errors }),
    callback: callbackPage(word, word, word, new URLSearchParams({ code: word }), CALLBACK),
    denied: callbackPage(word, word, word, new URLSearchParams({ error: word }), CALLBACK),
    'application created': applicationCreatedPage(account, { ...application, clientSecret: word }),
    'edit application': editApplicationPage(account, application, { values }, true),
    'edit application, refused': editApplicationPage({ csrf: word }, application, { values, errors }),
    error: errorPage({ status: 400, title: word, message: word, detail: word }),
  };
}

export function landing(options: { word?: string; defects?: string[]; controlUrl?: string } = {}) {
  const { word = 'Photo Sync', defects = [], ...rest } = options;
  const query = new URLSearchParams({
    client_id: word,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'read',
  });
  return landingPage({
    authUrl: 'http://127.0.0.1:4001',
    baseUrl: 'http://127.0.0.1:4002',
    profile: { id: word, title: word, summary: word },
    defects,
    applications: [{ name: word, clientId: word, redirectUris: [CALLBACK, word] }],
    owners: [{ name: word, email: word }],
    projects: [{ id: word, name: word }],
    users: [{ id: word, name: word }],
    authorizeUrl: `http://127.0.0.1:4001/oauth/authorize?${query}`,
    ...rest,
  });
}

export function consent(word = 'Photo Sync') {
  return consentPage({
    csrf: 'csrf-1',
    application: word,
    ownerName: word,
    scopes: ['read', 'write', 'destroy', word],
    redirectHost: word,
    query: 'request=1',
  });
}
