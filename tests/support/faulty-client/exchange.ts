import { setTimeout as pause } from 'node:timers/promises';
import type { UserSession } from '../../../src/client-checks/drive/client-driver.ts';
import type { Machine, Pair } from './machine.ts';
import { type Fields, pairIn, requestTokens } from './token-endpoint.ts';
import { choose } from './variations.ts';
import { Lost } from './wire.ts';

const MOST_ATTEMPTS = 2;

/** Exchanges a code for a pair. `at`: the address of the callback. */
export async function exchange(
  machine: Machine,
  { name }: UserSession,
  code: string,
  at: URL,
): Promise<Pair> {
  const { is } = machine;
  const { clientId, clientSecret, redirectUri } = machine.service;
  const [own] = redirectUri.split('?');
  const redirects = {
    'exchange-with-the-address-of-the-callback': `${at.origin}${at.pathname}`,
    'redirect-address-of-its-own': `${own}/legacy`,
    'query-cut-off-at-the-exchange': `${own}`,
    'exchange-with-another-address': `${own}/`,
  };
  const secret = is('secret-with-a-line-break') ? `${clientSecret}\n` : clientSecret;
  const verifier = machine.next().verifiers.get(name);
  const fields: Fields = [['grant_type', 'authorization_code']];
  if (is('exchange-with-grant-type-twice')) fields.push(['grant_type', 'authorization_code']);
  if (code !== '') fields.push(['code', is('code-in-quotes') ? JSON.stringify(code) : code]);
  if (!is('exchange-without-redirect-address'))
    fields.push(['redirect_uri', choose(is, redirects, redirectUri)]);
  fields.push(['client_id', clientId]);
  if (!is('exchange-without-secret')) fields.push(['client_secret', secret]);
  if (verifier !== undefined) fields.push(['code_verifier', verifier]);
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MOST_ATTEMPTS;
    try {
      const answer = await requestTokens(machine, fields);
      const isAsked = answer.status === 503 && is('exchange-again-when-asked');
      if (isAsked) await pause(Number(answer.headers['retry-after']) * 1_000);
      const isRepeated = isAsked || (answer.status >= 500 && is('exchange-again-after-5xx'));
      if (!isRepeated || isLast) return pairIn(machine, answer, 0);
    } catch (error) {
      const isRepeated =
        error instanceof Lost &&
        is(error.timedOut ? 'exchange-again-after-timeout' : 'exchange-again-when-lost');
      if (!isRepeated || isLast) throw error;
    }
  }
}
