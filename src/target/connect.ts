import type { Browser, BrowserContext } from '@playwright/test';
import type { SecretRegistry } from '../secrets/registry.ts';
import { BrowserAgent } from './browser/browser-agent.ts';
import { launchBrowser } from './browser/launch.ts';
import { type Dialect, DOCUMENTED } from './dialect.ts';
import { FormAgent } from './form-agent.ts';
import { createSession, type Session } from './session.ts';
import { credentialSource } from './sign-in-values.ts';
import type { Target } from './target.ts';
import { validateAnswer } from './validation.ts';

/** A session together with what must be closed after it. */
export interface Connection {
  readonly session: Session;
  close(): Promise<void>;
}

/** How the target is talked to before anything is known of it beyond its configuration. */
export function initialDialect(target: Target): Dialect {
  return {
    ...DOCUMENTED,
    ...(target.presentation === undefined ? {} : { presentation: target.presentation }),
    userIdPointer: target.userIdPointer,
  };
}

/**
 * Connects to a target with a real browser for pages and the form agent for plain codes.
 *
 * @param executablePath the browser's binary; without it the runner's own
 */
export async function connect(
  target: Target,
  secrets: SecretRegistry,
  executablePath: string | undefined,
): Promise<Connection> {
  const redirectUris = [
    ...target.application.redirectUris,
    ...(target.secondApplication?.redirectUris ?? []),
    'https://attacker.invalid/',
  ];
  const browser = await launchBrowser({
    ...(executablePath === undefined ? {} : { executablePath }),
    redirectUris,
    serviceUrls: [target.authUrl, target.baseUrl],
    onlyService: isLocal(target),
    ...(await target.browserAccess?.()),
  });
  const { session } = await connectThrough(browser, target, secrets);
  return { session, close: () => browser.close() };
}

/**
 * Connects through a browser that runs already and goes on running: where one emulator after the other is connected to.
 * Closing closes the pages alone.
 */
export async function connectThrough(
  browser: Browser,
  target: Target,
  secrets: SecretRegistry,
): Promise<Connection> {
  const newContext = () => browser.newContext({ serviceWorkers: 'block', acceptDownloads: false });
  const context: BrowserContext = await newContext();
  const credentials = credentialSource(target.owner, target.mostSignIns);
  const origins = serviceOrigins(target);
  const pageAgent = new BrowserAgent(context, newContext, target.pages, credentials, origins);
  const quickAgent = new FormAgent(target.pages, credentials, origins);
  const session = createSession({
    target,
    secrets,
    dialect: initialDialect(target),
    pageAgent,
    quickAgent,
    transport: target.transport,
    validator: validateAnswer,
  });
  return { session, close: () => context.close() };
}

/**
 * Connects without a browser: the form agent signs in and draws no page. For the kill matrix, where thousands of walks
 * are made and the emulator's pages are known to work without script.
 */
export function connectWithoutBrowser(target: Target, secrets: SecretRegistry): Session {
  const credentials = credentialSource(target.owner, target.mostSignIns);
  const agent = new FormAgent(target.pages, credentials, serviceOrigins(target));
  return createSession({
    target,
    secrets,
    dialect: initialDialect(target),
    pageAgent: agent,
    quickAgent: agent,
    transport: target.transport,
    validator: () => undefined,
  });
}

function serviceOrigins(target: Target): readonly string[] {
  return [...new Set([new URL(target.authUrl).origin, new URL(target.baseUrl).origin])];
}

function isLocal(target: Target): boolean {
  return [target.authUrl, target.baseUrl].every((url) =>
    ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname),
  );
}
