import type { Call } from './call.ts';
import { pactBody, publishVerification } from './verification.ts';
import { type BrokerAnswer, hal, NOT_FOUND } from './wire.ts';

export function getPact({
  store,
  links,
  at: [provider = '', consumer = '', version = ''],
}: Call): BrokerAnswer {
  const found = store.publication(consumer, version, provider);
  return found === undefined ? NOT_FOUND : hal(200, pactBody(links, found));
}

export function getContent({
  store,
  links,
  at: [provider = '', consumer = '', sha = '', metadata],
}: Call): BrokerAnswer {
  const found = store.bySha(consumer, provider, sha);
  return found === undefined ? NOT_FOUND : hal(200, pactBody(links, found, metadata));
}

export function postResults({
  store,
  links,
  body,
  at: [provider = '', consumer = '', sha = ''],
}: Call): BrokerAnswer {
  const found = store.bySha(consumer, provider, sha);
  return found === undefined ? NOT_FOUND : publishVerification(store, links, found, body);
}
