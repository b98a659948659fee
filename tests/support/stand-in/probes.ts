import type { DefectId, DemandId } from './defects.ts';
import type { Rest } from './form-browser.ts';
import { SELECTORS } from './pages.ts';
import type { JsonAnswer, Walk } from './walk.ts';

/** For each defect, whether a stand-in shows it, and shows it no further than it is said to reach. */
export const DEFECT_PROBES: Record<DefectId, (walk: Walk) => Promise<boolean>> = {
  async 'expires-in-3600'(walk) {
    const { json } = await walk.exchange(await walk.code());
    const refreshed = await walk.refresh(json.refresh_token);
    return json.expires_in === 3600 && refreshed.json.expires_in === 3600;
  },

  async 'no-refresh-tokens'(walk) {
    const { status, json } = await walk.exchange(await walk.code());
    return status === 200 && json.access_token !== undefined && json.refresh_token === undefined;
  },

  async 'denial-grants'(walk) {
    const first = await walk.browser.open(walk.authorizeUrl());
    const asked = first.html.includes('name="login"') ? await walk.signIn(first) : first;
    const denied = await walk.browser.press(asked, SELECTORS.deny);
    return denied.leaving?.searchParams.has('code') === true;
  },

  async 'no-rotation'(walk) {
    const { json } = await walk.exchange(await walk.code());
    const refreshed = await walk.refresh(json.refresh_token);
    return refreshed.status === 200 && refreshed.json.refresh_token === json.refresh_token;
  },

  async 'code-reusable'(walk) {
    const code = await walk.code();
    await walk.exchange(code);
    return (await walk.exchange(code)).status === 200;
  },

  async 'redirect-uri-unchecked-at-exchange'(walk) {
    const other = walk.ready.application.redirectUris[1];
    const changed = await walk.exchange(await walk.code(), { redirect_uri: other });
    const elsewhere = await walk.exchange(await walk.code(), { redirect_uri: 'https://evil.example.test/' });
    const missing = await walk.exchange(await walk.code(), { redirect_uri: undefined });
    return changed.status === 200 && elsewhere.status === 200 && missing.status === 400;
  },

  async 'client-secret-unchecked'(walk) {
    const wrong = await walk.exchange(await walk.code(), { client_secret: 'wrong' });
    const missing = await walk.exchange(await walk.code(), { client_secret: undefined });
    return wrong.status === 200 && missing.status === 401;
  },

  async 'list-crosses-projects'(walk) {
    const { json } = await walk.exchange(await walk.code());
    const [, second] = walk.ready.projects;
    const listed = await walk.listed(second, json.access_token);
    return listed.join() !== walk.ready.assigned[second]?.join();
  },

  async 'unassign-removes-all'(walk) {
    const { json } = await walk.exchange(await walk.code());
    const [project] = walk.ready.projects;
    const path = `${project}/assigned_users/${walk.ready.users[1]}`;
    await walk.resource('PUT', path, json.access_token);
    await walk.resource('DELETE', path, json.access_token);
    return (await walk.listed(project, json.access_token)).length === 0;
  },

  async 'token-not-required-for-list'(walk) {
    const path = `${walk.ready.projects[0]}/assigned_users`;
    const without = await walk.resource('GET', path, undefined);
    const invalid = await walk.resource('GET', path, 'never-issued');
    const assign = await walk.resource('PUT', `${path}/${walk.ready.users[0]}`, undefined);
    return without.status === 200 && invalid.status === 401 && assign.status === 401;
  },
};

/** What came of two requests: `honoured`, or the refusal's `error`, or its status where it has none. */
export interface DemandOutcome {
  readonly documented: string;
  readonly departure: string;
}

function authorized({ leaving, status }: Rest): string {
  if (leaving?.searchParams.has('code')) return 'honoured';
  return leaving?.searchParams.get('error') ?? String(status);
}

function answered({ status, json }: JsonAnswer): string {
  return status === 200 ? 'honoured' : (json.error ?? String(status));
}

/** For each demand, the documented request and then the one departure from it, both with everything else in order. */
export const DEMAND_PROBES: Record<DemandId, (walk: Walk) => Promise<DemandOutcome>> = {
  async state(walk) {
    return {
      documented: authorized(await walk.authorize()),
      departure: authorized(await walk.authorize(walk.authorizeUrl({ state: 's' }))),
    };
  },

  async basic(walk) {
    const { clientId, clientSecret, redirectUris } = walk.ready.application;
    const code = await walk.code();
    const documented = answered(await walk.exchange(code));
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUris[0] ?? '' };
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const headers = { Authorization: `Basic ${credentials}` };
    return {
      documented,
      departure: answered(await walk.post(new URLSearchParams(form).toString(), headers)),
    };
  },

  async json(walk) {
    const { clientId, clientSecret, redirectUris } = walk.ready.application;
    const code = await walk.code();
    const documented = answered(await walk.exchange(code));
    const body = {
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUris[0],
    };
    const headers = { 'Content-Type': 'application/json' };
    return { documented, departure: answered(await walk.post(JSON.stringify(body), headers)) };
  },

  async percent20(walk) {
    const plus = walk.authorizeUrl();
    return {
      documented: authorized(await walk.authorize(plus)),
      departure: authorized(await walk.authorize(plus.replaceAll('+', '%20'))),
    };
  },

  async 'first-scope-only'(walk) {
    return {
      documented: authorized(await walk.authorize()),
      departure: authorized(await walk.authorize(walk.authorizeUrl({ scope: 'write' }))),
    };
  },

  async 'one-scope-acts'(walk) {
    const path = `${walk.ready.projects[0]}/assigned_users/${walk.ready.users[0]}`;
    const all = await walk.exchange(await walk.code());
    const write = await walk.exchange(await walk.code(walk.authorizeUrl({ scope: 'write' })));
    const outcome = async (token: string | undefined) =>
      (await walk.resource('PUT', path, token)).status < 300 ? 'honoured' : 'refused';
    return {
      documented: await outcome(all.json.access_token),
      departure: await outcome(write.json.access_token),
    };
  },

  async 'scope-at-refresh'(walk) {
    const { clientId, clientSecret } = walk.ready.application;
    const { json } = await walk.exchange(await walk.code());
    const documented = answered(await walk.refresh(json.refresh_token));
    const form = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: json.refresh_token ?? '',
      grant_type: 'refresh_token',
      scope: 'read write destroy',
    });
    return { documented, departure: answered(await walk.post(form.toString())) };
  },

  async 'unassign-without-v2'(walk) {
    const { json } = await walk.exchange(await walk.code());
    const path = `${walk.ready.projects[0]}/assigned_users/${walk.ready.users[0]}`;
    await walk.resource('PUT', path, json.access_token);
    const documented = await walk.resource('DELETE', path, json.access_token);
    const departure = await walk.resource('DELETE', path, json.access_token, '');
    return {
      documented: documented.status < 300 ? 'honoured' : String(documented.status),
      departure: departure.status < 300 ? 'honoured' : String(departure.status),
    };
  },

  async 'no-v2'(walk) {
    const { json } = await walk.exchange(await walk.code());
    const path = `${walk.ready.projects[0]}/assigned_users`;
    return {
      documented: answered(await walk.resource('GET', path, json.access_token)),
      departure: answered(await walk.resource('GET', path, json.access_token, '')),
    };
  },
};
