// An integrator's own test, as `client -- node simple-oauth2.mjs` runs it: written after the library's README.
import { AuthorizationCode } from 'simple-oauth2';

const { env } = process;
const method = process.argv.includes('--basic') ? 'header' : 'body';
const client = new AuthorizationCode({
  client: { id: env.LEGACY_CLIENT_ID, secret: env.LEGACY_CLIENT_SECRET },
  auth: { tokenHost: env.LEGACY_AUTH_URL },
  options: { authorizationMethod: method, bodyFormat: process.argv.includes('--json') ? 'json' : 'form' },
});
const redirect = env.LEGACY_REDIRECT_URI;
const users = `${env.LEGACY_BASE_URL}/v2/projects/${env.LEGACY_PROJECT_ID}/assigned_users`;

async function signIn() {
  const address = client.authorizeURL({
    redirect_uri: redirect,
    scope: 'read write destroy',
    state: crypto.randomUUID(),
  });
  const answer = await fetch(address, { redirect: 'manual' });
  const code = new URL(answer.headers.get('location')).searchParams.get('code');
  return client.getToken({ code, redirect_uri: redirect });
}

function headers({ token }) {
  return { headers: { Authorization: `Bearer ${token.access_token}` } };
}

async function list(token) {
  const { status } = await fetch(users, headers(token));
  console.log(`list: ${status}`);
}

if (process.argv.includes('--wait')) {
  process.on('SIGTERM', () => {
    console.log('told SIGTERM');
    process.exit(5);
  });
  console.log('waiting');
  setInterval(() => undefined, 1_000);
} else {
  const token = await signIn();
  await list(token);
  const fresh = await token.refresh();
  await list(process.argv.includes('--old-token') ? token : fresh);
  if (process.argv.includes('--old-token')) {
    const { promise, resolve } = Promise.withResolvers();
    setTimeout(resolve, 1_200);
    await promise;
    await list(token);
  }
  if (process.argv.includes('--old-refresh-token')) await token.refresh();
  if (process.argv.includes('--get-user')) await fetch(`${users}/${env.LEGACY_USER_ID}`, headers(fresh));
  if (process.argv.includes('--expired')) {
    const control = { Authorization: `Bearer ${env.LEGACY_CONTROL_TOKEN}` };
    const body = JSON.stringify({ seconds: 7300 });
    await fetch(`${env.LEGACY_CONTROL_URL}/clock/advance`, { method: 'POST', headers: control, body });
    await list(fresh);
    await list(fresh);
  }
  if (process.argv.includes('--fail')) process.exit(7);
}
