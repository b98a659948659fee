// A client without a server, written after the README of simple-oauth2: login, callback ADDRESS, list PROJECT.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuthorizationCode } from 'simple-oauth2';

const { env, argv } = process;
const client = new AuthorizationCode({
  client: { id: env.LEGACY_CLIENT_ID, secret: env.LEGACY_CLIENT_SECRET },
  auth: { tokenHost: env.LEGACY_AUTH_URL },
});
const file = join(env.LEGACY_STATE, 'token.json');
const redirect = { redirect_uri: env.LEGACY_REDIRECT_URI };
const save = (token) => writeFileSync(file, JSON.stringify(token));
const [, , command, value] = argv;

if (command === 'login') {
  console.log(client.authorizeURL({ ...redirect, scope: 'read write destroy', state: 'xyz' }));
} else if (command === 'callback') {
  const code = new URL(value).searchParams.get('code');
  if (code === null) throw new Error('access was not granted');
  save(await client.getToken({ code, ...redirect }));
} else {
  let token = client.createToken(JSON.parse(readFileSync(file, 'utf8')));
  if (token.expired(60)) {
    token = await token.refresh();
    save(token);
  }
  const answer = await fetch(`${env.LEGACY_BASE_URL}/v2/projects/${value}/assigned_users`, {
    headers: { Authorization: `Bearer ${token.token.access_token}` },
  });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  console.log(await answer.text());
}
