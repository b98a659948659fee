import type { Browser, BrowserContext } from 'playwright-core';
import { TransportFailure } from '../../http/exchange.ts';
import { nodeTransport } from '../../http/node-transport.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { BrowserAgent } from '../agent/browser/browser-agent.ts';
import { closeQuietly, PageTrouble, withPageDeadline } from '../agent/browser/deadline.ts';
import { launchBrowser } from '../agent/browser/launch.ts';
import type { StartedBrowser } from '../agent/browser/start-chromium.ts';
import { FormAgent } from '../agent/form-agent.ts';
import { type CredentialSource, credentialSource } from '../agent/sign-in-values.ts';
import { sessionFor, TrustedOrigins } from '../agent/trusted-origins.ts';
import type { BrowserSession } from '../configuration/sealed-file.ts';
import { isClientAddress, isLocal, redirectUrisOf, serviceOrigins } from '../redirect-address.ts';
import type { Target } from '../target.ts';
import { createSession, type Session } from './session.ts';
import { SMOKE_REQUESTS } from './smoke-run.ts';

/** Shorter cookies hold a preference such as `en-GB`, not a session, and are not redacted. */
const SHORTEST_SECRET_COOKIE = 16;

export interface Connection {
  readonly session: Session;
  close(): Promise<void>;
}

export type Connect = (target: Target, secrets: SecretRegistry, signal?: AbortSignal) => Promise<Connection>;

/**
 * Prepares the start of the browser at a path, for a target. The clients' hosts do not resolve in it, and it trusts the configured
 * certificates. @param window true if a human uses it
 */
export async function launcherFor(
  target: Target,
  window = false,
): Promise<(executablePath: string | undefined) => Promise<StartedBrowser>> {
  const access = await target.browserAccess?.();
  return (executablePath) =>
    launchBrowser({
      executablePath,
      redirectUris: [...redirectUrisOf(target), 'https://attacker.invalid/'],
      serviceUrls: [target.authUrl, target.baseUrl],
      onlyService: isLocal(target),
      window,
      ...access,
    });
}

/**
 * Connects through a running browser, which stays open: closing the connection closes only its pages.
 * @param credentials shared by the connections of one run, which together keep the limit of sign-ins and repeat no one-time code
 */
export async function connectThrough(
  browser: Browser,
  target: Target,
  secrets: SecretRegistry,
  signal?: AbortSignal,
  credentials = credentialsOf(target),
): Promise<Connection> {
  const newContext = async (storageState?: BrowserSession) => {
    const options = { serviceWorkers: 'block', acceptDownloads: false, storageState } as const;
    const opened = await browser.newContext(options);
    if (target.loadsLittle) await loadLittle(opened, target);
    countRequests(opened, target);
    return opened;
  };
  const trusted = trustedOrigins(target);
  const savedSession = target.savedSession && sessionFor(target.savedSession, trusted).session;
  const opening = withPageDeadline(
    newContext(savedSession),
    target.pages.pageDeadlineMs,
    'opened the browser',
  );
  const context: BrowserContext = await opening.catch((error: unknown) => {
    if (!(error instanceof PageTrouble)) throw error;
    throw new TransportFailure('timeout', error.message, { cause: error });
  });
  const { cookies = [], origins = [] } = savedSession ?? {};
  for (const { value } of [...cookies, ...origins.flatMap((o) => o.localStorage)])
    if (value.length >= SHORTEST_SECRET_COOKIE) secrets.register('cookie', value);
  const quickAgent = new FormAgent(target, credentials);
  const pageAgent = new BrowserAgent(target, credentials, context, () => newContext(), quickAgent);
  const session = createSession(target, { secrets, pageAgent, quickAgent, credentials, signal });
  return { session, close: () => closeQuietly(context) };
}

/** Connects without a browser, for the kill matrix: thousands of walks on emulator pages that need no script. */
export function connectWithoutBrowser(
  target: Target,
  secrets: SecretRegistry,
  signal?: AbortSignal,
): Session {
  const credentials = credentialsOf(target);
  const agent = new FormAgent(target, credentials);
  return createSession(target, { secrets, pageAgent: agent, quickAgent: agent, credentials, signal });
}

/** Returns the owner's credentials, limited to `budget.signIns`. */
export function credentialsOf(target: Target): CredentialSource {
  return credentialSource(target.owner, trustedOrigins(target), target.mostSignIns);
}

/** Resource types that are blocked because sign-in does not need them. */
const ADORNMENTS = new Set(['image', 'stylesheet', 'font', 'media']);

async function loadLittle(context: BrowserContext, { traffic }: Target): Promise<void> {
  await context.route('**', async (route) => {
    const spent = traffic !== undefined && traffic.used.requests > SMOKE_REQUESTS;
    if (spent || ADORNMENTS.has(route.request().resourceType())) await route.abort();
    else await route.fallback();
  });
}

/** Counts the browser's requests; the redirect to a client is intercepted and never sent. */
function countRequests(context: BrowserContext, target: Target): void {
  const { traffic } = target;
  if (traffic === undefined) return;
  const clients = redirectUrisOf(target);
  const origins = serviceOrigins(target);
  context.on('request', (request) => {
    if (target.loadsLittle && ADORNMENTS.has(request.resourceType())) return;
    const url = request.url();
    if (/^https?:/.test(url) && !isClientAddress(url, clients, origins)) traffic.browserRequested();
  });
}

export function trustedOrigins({ authUrl, pages }: Target): TrustedOrigins {
  return new TrustedOrigins(authUrl, pages.signInOrigins);
}

/** Connects to a target whose pages need no script. Node's own client preserves the letter case of header names. */
export const withoutBrowser: Connect = async (target, secrets, signal) => {
  const { transport, close } = nodeTransport();
  return {
    session: connectWithoutBrowser({ ...target, transport }, secrets, signal),
    close: async () => close(),
  };
};
