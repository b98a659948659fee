import { randomUUID } from 'node:crypto';
import type { Call } from './call.ts';
import type { Links } from './links.ts';
import { isObject } from './pact-content.ts';
import type { BrokerStore, Publication, Webhook } from './store.ts';
import { type BrokerAnswer, hal, invalid, NOT_FOUND } from './wire.ts';

const EVENT = 'contract_requiring_verification_published';

const EVENTS = [
  EVENT,
  'contract_published',
  'contract_content_changed',
  'provider_verification_published',
  'provider_verification_succeeded',
  'provider_verification_failed',
];

/** `POST /webhooks`. */
export function postWebhook({ store, links, body }: Call): BrokerAnswer {
  const { description, events, request, consumer, provider } = isObject(body) ? body : {};
  const names = (Array.isArray(events) ? events : []).flatMap((event: unknown) =>
    isObject(event) && typeof event.name === 'string' ? [event.name] : [],
  );
  const unknown = names.filter((name) => !EVENTS.includes(name));
  if (unknown.length > 0)
    return invalid({ 'events.name': [`must be one of: ${EVENTS.join(', ')} (at index 0)`] });
  if (!isObject(request)) return invalid({ request: ['is missing'] });
  if (typeof request.url !== 'string') return invalid({ 'request.url': ['is missing'] });
  if (request.method !== 'POST')
    return invalid({
      'request.method': ['must be POST. For allowing other methods, read the documentation'],
    });
  const webhook: Webhook = {
    uuid: randomUUID(),
    description: typeof description === 'string' ? description : undefined,
    consumer: nameIn(consumer),
    provider: nameIn(provider),
    events: names,
    request: {
      method: request.method,
      url: request.url,
      headers: (isObject(request.headers) ? request.headers : {}) as Record<string, string>,
      body: request.body,
    },
  };
  store.webhooks.push(webhook);
  return hal(201, webhookBody(links, webhook), { Location: links.to('webhooks', webhook.uuid) });
}

export function deleteWebhook({ store, at: [uuid] }: Call): BrokerAnswer {
  if (store.webhooks.every((webhook) => webhook.uuid !== uuid)) return NOT_FOUND;
  store.webhooks = store.webhooks.filter((webhook) => webhook.uuid !== uuid);
  return { status: 204 };
}

/**
 * Sends the webhooks that a publication triggers: once for each provider version on the main branch, deployed or released that has not
 * verified the content. The broker sends them seconds later; whoever waits for one waits for the request.
 *
 * @returns the notices that say so
 */
export function triggered(store: BrokerStore, links: Links, publication: Publication): readonly string[] {
  const { consumer, provider } = publication;
  const hooks = store.webhooks.filter(
    (hook) =>
      hook.events.includes(EVENT) &&
      (hook.provider === undefined || hook.provider === provider) &&
      (hook.consumer === undefined || hook.consumer === consumer),
  );
  return requiredBy(store, publication).flatMap((number) =>
    hooks.map((hook) => {
      void send(store, links, publication, number, hook);
      const name = hook.description === undefined ? hook.uuid : JSON.stringify(hook.description);
      return `  Webhook ${name} triggered for event ${EVENT}.\n    View logs at ${links.to('triggered-webhooks', randomUUID(), 'logs')}`;
    }),
  );
}

function requiredBy(store: BrokerStore, publication: Publication): readonly string[] {
  const { provider } = publication;
  const main = store.pacticipant(provider)?.mainBranch;
  const head =
    main === undefined
      ? undefined
      : store.pacticipant(provider)?.versions.findLast(({ branches }) => branches.includes(main))?.number;
  const placed = store.environments.flatMap(({ name }) => [
    ...store.deployedIn(name, provider),
    ...store.releasedIn(name, provider),
  ]);
  const all = [...new Set([...(head === undefined ? [] : [head]), ...placed])];
  return all.filter((number) => store.latestVerification(publication, number) === undefined);
}

async function send(
  store: BrokerStore,
  links: Links,
  publication: Publication,
  providerVersion: string,
  { request }: Webhook,
): Promise<void> {
  const { consumer, provider, version } = publication;
  const metadata = Buffer.from(`cvn=${version}&w=true`).toString('base64url');
  const values: Readonly<Record<string, string>> = {
    pactUrl: links.pactVersion(publication, metadata),
    consumerName: consumer,
    providerName: provider,
    consumerVersionNumber: version,
    consumerVersionBranch: store.version(consumer, version)?.branches.at(-1) ?? '',
    providerVersionNumber: providerVersion,
    providerVersionBranch: store.version(provider, providerVersion)?.branches.at(-1) ?? '',
    eventName: EVENT,
  };
  const body = JSON.stringify(request.body).replace(
    /\$\{pactbroker\.(\w+)\}/g,
    (_, name: string) => values[name] ?? '',
  );
  await fetch(request.url, { method: request.method, headers: request.headers, body }).catch(() => undefined);
}

function webhookBody(links: Links, { uuid, description, consumer, provider, events, request }: Webhook) {
  return {
    uuid,
    description,
    ...(consumer === undefined ? {} : { consumer: { name: consumer } }),
    ...(provider === undefined ? {} : { provider: { name: provider } }),
    enabled: true,
    request,
    events: events.map((name) => ({ name })),
    _links: { self: { title: description, href: links.to('webhooks', uuid) } },
  };
}

function nameIn(party: unknown): string | undefined {
  return isObject(party) && typeof party.name === 'string' ? party.name : undefined;
}
