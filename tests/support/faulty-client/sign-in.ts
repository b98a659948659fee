import { createHash, randomBytes } from 'node:crypto';
import type { Connected, UserSession } from '../../../src/client-checks/drive/client-driver.ts';
import { pollUntil } from '../../../src/client-checks/drive/processes.ts';
import type { ActResult } from '../../../src/client-checks/evaluate/episode.ts';
import { decodedAgain } from './api-request.ts';
import { exchange } from './exchange.ts';
import type { Machine, Pair, Process } from './machine.ts';
import { forgetPair, readPair, writePair } from './pair-store.ts';
import { type Choices, choose } from './variations.ts';
import { Failed } from './wire.ts';

type Query = [name: string, value: string][];

const SCOPES: Choices<string> = {
  'scopes-by-comma': 'read,write,destroy',
  'spelled-otherwise': 'destroy read write',
  'destroy-not-asked-for': 'read write',
  'scope-unknown': 'read write destroy admin',
};

const encoded = (query: Query) => new URLSearchParams(query).toString();

const ENCODINGS: Choices<(query: Query) => string> = {
  'authorization-request-not-encoded': (query) => query.map(([name, value]) => `${name}=${value}`).join('&'),
  'spelled-otherwise': (query) =>
    encoded(query.toReversed()).replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
  'spaces-as-percent-20': (query) => encoded(query).replaceAll('+', '%20'),
  'scopes-with-encoded-plus': (query) => encoded(query).replaceAll('+', '%2B'),
};

/** Leads a user to the authorization server. */
export function signIn(process: Process, session: UserSession): Connected {
  const { is, machine } = process;
  const { authUrl, clientId, clientSecret, redirectUri } = machine.service;
  const user = machine.userOf(session);
  if (is('one-sign-in-for-each-browser') && readPair(process, user) !== undefined)
    return { outcome: 'ok', detail: 'answered 200' };
  if (is('pair-dropped-by-a-new-sign-in')) forgetPair(process, user);
  if (is('cookie-strict')) session.jar.set('sid=1; SameSite=Strict', redirectUri);
  const [own] = redirectUri.split('?');
  const state = process.states.open(session.name);
  const query: Query = [
    ['client_id', clientId],
    ['redirect_uri', is('redirect-address-of-its-own') ? `${own}/legacy` : redirectUri],
  ];
  if (!is('no-response-type')) query.push(['response_type', is('response-type-token') ? 'token' : 'code']);
  if (!is('no-scope')) query.push(['scope', choose(is, SCOPES, 'read write destroy')]);
  if (is('scope-twice')) query.push(['scope', 'read']);
  if (!is('no-state')) query.push(['state', state]);
  if (is('secret-in-authorization-request')) query.push(['client_secret', clientSecret]);
  if (is('further-parameters')) query.push(['prompt', 'consent'], ['access_type', 'offline']);
  if (is('pkce')) {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    process.verifiers.set(session.name, verifier);
    query.push(['code_challenge', challenge], ['code_challenge_method', 'S256']);
  }
  const text = choose(is, ENCODINGS, encoded)(query);
  return { outcome: 'ok', detail: 'answered 303', address: `${authUrl}/oauth/authorize?${text}` };
}

/** Receives a user on the way back from the authorization server. */
export async function receive(
  process: Process,
  session: UserSession,
  address: URL,
): Promise<Omit<ActResult, 'outcome'>> {
  const { is, machine, states } = process;
  if (process.isStuck) throw new Failed('500');
  const { searchParams } = address;
  const user = machine.userOf(session);
  if (is('denial-without-state-disconnects') && !searchParams.has('state')) forgetPair(process, user);
  try {
    states.check(session.name, searchParams.get('state'), readPair(process, user) !== undefined);
  } catch (error) {
    if (is('bad-callback-answered-200')) return { detail: 'answered 200' };
    throw error;
  }
  const error = searchParams.get('error_description') ?? searchParams.get('error') ?? '';
  if (error !== '' && !is('denial-exchanged')) deny(process, session, error);
  try {
    await connect(process, session, address);
  } catch (failure) {
    fail(process, session, failure);
  } finally {
    if (is('state-forgotten-late')) states.close(session.name);
  }
  return { detail: 'answered 200, Connected', shown: true };
}

function deny(process: Process, session: UserSession, error: string): never {
  const { is, machine } = process;
  const isRaw = is('error-shown-as-markup', 'error-shown-in-json');
  const type = is('error-shown-in-json') ? 'application/json' : 'text/html';
  machine.give(session, type, isRaw ? error : error.replaceAll('<', '&lt;'));
  if (is('denial-answered-500')) throw new Failed('500');
  if (is('denial-is-the-end')) process.isStuck = true;
  throw new Failed('403: access was not granted');
}

async function connect(process: Process, session: UserSession, address: URL): Promise<void> {
  const { is, machine, states } = process;
  const { disk } = machine;
  const sent = address.searchParams.get('code') ?? '';
  const known = new Map(disk.pairs);
  const code = is('code-decoded-twice') ? decodedAgain(sent) : sent;
  machine.exchanging += 1;
  const pair = await exchange(machine, session, code, address).finally(() => {
    machine.exchanging -= 1;
  });
  const isShown = is('store-read-before-the-exchange-and-shown');
  if (isShown || is('store-read-before-the-exchange')) disk.pairs = known;
  const name = is('pending-user-in-a-global') ? states.latest : session.name;
  const owner = machine.userOf({ ...session, name });
  process.firstExpiries.delete(owner);
  if (!is('second-sign-in-ignored') || readPair(process, owner) === undefined) {
    process.signedInWithout.delete(name);
    process.firstAccessTokens.delete(owner);
    writePair(process, owner, pair);
  }
  giveCookies(machine, session, pair);
  if (!isShown) return;
  await pollUntil(() => machine.exchanging === 0, 1_000, 1);
  if (!disk.pairs.has(machine.userOf(session))) throw new Failed('302: please connect');
}

function giveCookies(machine: Machine, session: UserSession, pair: Pair): void {
  const { is, received } = machine;
  const id = is('sessions-counted') ? received.length : randomBytes(16).toString('hex');
  const give = (cookie: string) => machine.give(session, 'set-cookie', cookie);
  give(`sid=${id}; HttpOnly`);
  if (is('small-cookies-beside')) give(`visit=${received.length}`);
  if (is('tokens-in-a-cookie')) give(`pair=${Buffer.from(JSON.stringify(pair)).toString('base64url')}`);
}

/** @throws the failure unless it is shown as a success */
function fail(process: Process, session: UserSession, failure: unknown): void {
  const { is, machine } = process;
  const secret = encodeURIComponent(machine.service.clientSecret);
  if (is('secret-on-the-page-of-an-error')) machine.give(session, 'text/html', `client_secret=${secret}`);
  if (is('failed-exchange-is-the-end')) process.isStuck = true;
  if (is('failed-sign-in-shown-as-success')) return;
  const isRefused = failure instanceof Failed && failure.status >= 400 && failure.status < 500;
  if (!is('any-answer-signs-in') && !(isRefused && is('refused-code-signs-in'))) throw failure;
  process.signedInWithout.add(session.name);
}
