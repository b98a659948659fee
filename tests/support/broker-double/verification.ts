import type { Links } from './links.ts';
import { isObject, withIds } from './pact-content.ts';
import { pactName } from './publish.ts';
import type { BrokerStore, Publication, Verification } from './store.ts';
import { type BrokerAnswer, hal, invalid, timestamp } from './wire.ts';

/** A pact with the links that a verifier follows. */
export function pactBody(links: Links, publication: Publication, metadata?: string) {
  const { consumer, provider, version, sha } = publication;
  return {
    ...withIds(publication.content),
    createdAt: timestamp(publication.createdAt),
    _links: {
      self: { title: 'Pact', name: pactName(publication), href: links.pact(publication) },
      'pb:consumer': { title: 'Consumer', name: consumer, href: links.pacticipant(consumer) },
      'pb:consumer-version': {
        title: 'Consumer version',
        name: version,
        href: links.version(consumer, version),
      },
      'pb:provider': { title: 'Provider', name: provider, href: links.pacticipant(provider) },
      'pb:pact-version': {
        title: 'Pact content version permalink',
        name: sha,
        href: links.pactVersion(publication),
      },
      'pb:publish-verification-results': {
        title: 'Publish verification results',
        href: `${links.pactVersion(publication, metadata)}/verification-results`,
      },
    },
  };
}

/** `POST …/verification-results`. */
export function publishVerification(
  store: BrokerStore,
  links: Links,
  publication: Publication,
  body: unknown,
): BrokerAnswer {
  const fields = isObject(body) ? body : {};
  const { success, providerApplicationVersion } = fields;
  const errors: Record<string, string[]> = {};
  if (success === undefined) errors.success = ['is missing'];
  else if (typeof success !== 'boolean') errors.success = ['must be boolean'];
  if (providerApplicationVersion === undefined) errors.providerApplicationVersion = ['is missing'];
  else if (typeof providerApplicationVersion !== 'string')
    errors.providerApplicationVersion = ['must be a string'];
  else if (providerApplicationVersion.trim() === '') errors.providerApplicationVersion = ["can't be blank"];
  if (
    typeof success !== 'boolean' ||
    typeof providerApplicationVersion !== 'string' ||
    errors.providerApplicationVersion
  )
    return invalid(errors);
  const { consumer, provider, sha } = publication;
  const verification = store.verify({
    consumer,
    provider,
    sha,
    providerVersion: providerApplicationVersion,
    success,
    published: fields,
  });
  const href = `${links.pactVersion(publication)}/verification-results/${verification.number}`;
  return hal(201, verificationBody(links, publication, verification, href), { Location: href });
}

function verificationBody(links: Links, publication: Publication, verification: Verification, href: string) {
  const { published } = verification;
  return {
    providerName: verification.provider,
    providerApplicationVersion: verification.providerVersion,
    success: verification.success,
    verificationDate: timestamp(verification.at),
    ...('buildUrl' in published ? { buildUrl: published.buildUrl } : {}),
    testResults: { tests: published.testResults ?? [] },
    verifiedBy: published.verifiedBy ?? {},
    _links: {
      self: {
        title: 'Verification result',
        name: `Verification result ${verification.number} for ${pactName(publication)}`,
        href,
      },
      'pb:pact-version': {
        title: 'Pact',
        name: pactName(publication),
        href: links.pactVersion(publication),
      },
    },
  };
}
