// Own tests of a client with one negative test, as people write them: a made-up token, code or secret that is an ordinary word.
const { env } = process;
const credentials = { client_id: env.LEGACY_CLIENT_ID, client_secret: env.LEGACY_CLIENT_SECRET };
const redirect = { redirect_uri: env.LEGACY_REDIRECT_URI };
// No argument: the report quotes the command.
const [kind, word] = (env.NEGATIVE ?? '').split(' ');

async function token(fields) {
  const body = new URLSearchParams({ ...credentials, ...fields });
  return (await fetch(`${env.LEGACY_AUTH_URL}/oauth/token`, { method: 'POST', body })).json();
}

async function list(access) {
  const address = `${env.LEGACY_BASE_URL}/v2/projects/${env.LEGACY_PROJECT_ID}/assigned_users`;
  await fetch(address, { headers: { Authorization: `Bearer ${access}` } });
}

const query = new URLSearchParams({
  client_id: env.LEGACY_CLIENT_ID,
  ...redirect,
  response_type: 'code',
  scope: 'read write destroy',
  state: crypto.randomUUID(),
});
const answer = await fetch(`${env.LEGACY_AUTH_URL}/oauth/authorize?${query}`, { redirect: 'manual' });
const code = new URL(answer.headers.get('location')).searchParams.get('code');
const first = await token({ grant_type: 'authorization_code', code, ...redirect });
const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
await list(second.access_token);
const refresh = { grant_type: 'refresh_token', refresh_token: second.refresh_token };
if (kind === 'bearer') await list(word);
if (kind === 'code') await token({ grant_type: 'authorization_code', code: word, ...redirect });
if (kind === 'refresh') await token({ ...refresh, refresh_token: word });
if (kind === 'secret') await token({ ...refresh, client_secret: word });
