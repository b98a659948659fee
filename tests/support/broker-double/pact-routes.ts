import type { Call } from './call.ts';
import { isObject, nameIn, pactSha } from './pact-content.ts';
import { contentMayNotChange, mergeOf } from './publish.ts';
import { pactBody, publishVerification } from './verification.ts';
import { type BrokerAnswer, hal, invalid, json, NOT_FOUND } from './wire.ts';

export function getPact({
  store,
  links,
  at: [provider = '', consumer = '', version = ''],
}: Call): BrokerAnswer {
  const found = store.publication(consumer, version, provider);
  return found === undefined ? NOT_FOUND : hal(200, pactBody(links, found));
}

/** The old way to publish: the pact is the body. PATCH merges. */
export function putPact({ store, links, request, body, at }: Call): BrokerAnswer {
  const [provider = '', consumer = '', version = ''] = at;
  const content = isObject(body) ? body : {};
  for (const [side, name] of [
    ['consumer', consumer],
    ['provider', provider],
  ] as const) {
    const inPact = nameIn(content, side);
    if (inPact !== undefined && inPact !== name)
      return invalid({
        [`${side}.name`]: [`name in pact '${inPact}' does not match name in URL path '${name}'.`],
      });
  }
  const known = store.publication(consumer, version, provider);
  const merged =
    known !== undefined && request.method === 'PATCH' ? mergeOf(known.content, content) : content;
  if (
    merged === undefined ||
    (known !== undefined && request.method === 'PUT' && known.sha !== pactSha(merged))
  )
    return json(409, { error: contentMayNotChange(consumer, version, provider) });
  store.ensureVersion(consumer, version);
  const publication = store.publish(consumer, version, provider, merged);
  const answer = pactBody(links, publication);
  return known === undefined ? hal(201, answer, { Location: links.pact(publication) }) : hal(200, answer);
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
