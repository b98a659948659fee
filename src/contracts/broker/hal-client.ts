import { authorizationOf, type BrokerAccess } from './access.ts';
import { TRIES } from './pact-cli.ts';
import { type BrokerTrouble, TROUBLES } from './trouble.ts';

/** The broker did not answer as one. `trouble` says how, in one sentence. */
export class BrokerFailed extends Error {
  readonly trouble: BrokerTrouble;

  constructor(trouble: BrokerTrouble) {
    super(trouble.message);
    this.name = 'BrokerFailed';
    this.trouble = trouble;
  }
}

/** One request. */
export interface HalRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** A path below the broker's address, or an address that the broker gave, of which only the path counts. */
  readonly to: string;
  readonly body?: unknown;
  /** Whether it may be sent again when no answer came: reading may, also where it is a POST. */
  readonly repeatable: boolean;
}

/** A resource: its fields and links. */
export type Resource = Readonly<Record<string, unknown>>;

/** Milliseconds that one request may take. */
const DEADLINE_MS = 15_000;

/** Milliseconds before the second try; doubled before each further one. */
const FIRST_PAUSE_MS = 500;

/**
 * Sends one request to the broker. A broker behind a proxy may give addresses of its own that nobody else can reach, so
 * of an address only the path is used, as Pact's own programs do.
 *
 * @returns the resource; undefined for a 404
 * @throws BrokerFailed when no resource came
 */
export async function halRequest(access: BrokerAccess, request: HalRequest): Promise<Resource | undefined> {
  const tries = request.repeatable ? TRIES : 1;
  for (let left = tries, pauseMs = FIRST_PAUSE_MS; ; left -= 1, pauseMs *= 2) {
    const response = await send(access, request);
    const again = response === undefined || response.status === 429 || response.status >= 500;
    if (again && left > 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      continue;
    }
    if (response === undefined) throw new BrokerFailed(TROUBLES.unreachable(access.baseUrl, tries));
    return await resourceIn(response, access.baseUrl, tries);
  }
}

/** The address that a resource gives for a relation, if it gives one. */
export function linkIn(resource: Resource, relation: string): string | undefined {
  const links = resource._links as Readonly<Record<string, { readonly href?: unknown }>> | undefined;
  const href = links?.[relation]?.href;
  return typeof href === 'string' ? href : undefined;
}

async function send(access: BrokerAccess, request: HalRequest): Promise<Response | undefined> {
  const { method, to, body } = request;
  const authorization = authorizationOf(access);
  const address = to.startsWith('/') ? `${access.baseUrl}${to}` : rebased(access.baseUrl, to);
  try {
    return await fetch(address, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
      headers: {
        Accept: 'application/hal+json, application/json',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    return undefined;
  }
}

/** An address of the broker's at our own address for it, below the path that this may have. */
function rebased(baseUrl: string, href: string): string {
  const { pathname, search } = new URL(href, baseUrl);
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const below = pathname.startsWith(`${prefix}/`) ? pathname : `${prefix}${pathname}`;
  return new URL(`${below}${search}`, baseUrl).href;
}

async function resourceIn(response: Response, url: string, tries: number): Promise<Resource | undefined> {
  const { status } = response;
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text().catch(() => '');
  const value = parsed(text);
  if (status === 404 && (type.includes('json') || text === '')) return undefined;
  if (status >= 200 && status < 300 && value !== undefined) return value;
  if (status < 400 || (status === 404 && !type.includes('json')))
    throw new BrokerFailed(TROUBLES.noBroker(url));
  throw new BrokerFailed(TROUBLES.status(url, status, tries));
}

function parsed(text: string): Resource | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Resource)
      : undefined;
  } catch {
    return undefined;
  }
}
