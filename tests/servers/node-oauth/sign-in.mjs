// The application of express for the authorization server, and the sign-in on it.

import express from 'express';
import * as seeds from '../seeds.mjs';
import { escapeHtml, guarded, hidden, page, session } from './pages.mjs';
import { is } from './variants.mjs';

export const auth = express();
auth.disable('x-powered-by');
auth.set('query parser', (text) =>
  Object.fromEntries(
    is('plus-not-space')
      ? (text ?? '')
          .split('&')
          .filter(Boolean)
          .map((pair) => pair.split('=', 2).map(decodeURIComponent))
      : new URLSearchParams(text ?? ''),
  ),
);
export const urlencoded = express.urlencoded({ extended: false });

auth.get('/login', session, (request, response) => {
  response.send(
    page(
      'Who are you?',
      `
<form method="post" action="/login/identify">
  ${hidden('_csrf', request.session.csrf)}
  <label for="identifier">E-mail address</label>
  <input id="identifier" name="identifier" type="email" autocomplete="username" required autofocus>
  <button type="submit">Next</button>
</form>`,
    ),
  );
});

auth.post('/login/identify', urlencoded, session, guarded, (request, response) => {
  request.session.identifier = String(request.body.identifier ?? '')
    .trim()
    .toLowerCase();
  response.redirect(303, '/login/secret');
});

const secretPage = ({ identifier, csrf }, problem = '') =>
  page(
    'Welcome back',
    `
${problem && `<p role="alert">${escapeHtml(problem)}</p>`}
<p>${escapeHtml(identifier)} <a href="/login">Not you?</a></p>
<form method="post" action="/login/secret">
  ${hidden('_csrf', csrf)}
  <label for="passphrase">Password</label>
  <input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus>
  <button type="submit">Sign in</button>
</form>`,
  );

auth.get('/login/secret', session, (request, response) => {
  if (request.session.identifier) response.send(secretPage(request.session));
  else response.redirect(303, '/login');
});

auth.post('/login/secret', urlencoded, session, guarded, (request, response) => {
  const { identifier, next } = request.session;
  const user = seeds.users.find(
    ({ email, password }) => email.toLowerCase() === identifier && password === request.body.passphrase,
  );
  if (!user)
    return response.status(401).send(secretPage(request.session, 'That did not work. Check the password.'));
  request.session.user = user;
  delete request.session.next;
  return response.redirect(303, next ?? '/');
});

auth.get('/', session, (request, response) => {
  if (request.session.user)
    response.send(page('Home', `<p>Signed in as ${escapeHtml(request.session.user.email)}.</p>`));
  else response.redirect(303, '/login');
});
