import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, parsedJson } from '../../document/input/plain-data.ts';
import { bodyAnswer, type HeaderLine, type ServiceAnswer, withHeader } from '../answer.ts';
import type { Fault } from '../control/control-types.ts';
import type { Endpoint } from '../policy/policy.ts';
import { type ResourceReason, refuse, type TokenReason } from '../refusal.ts';
import { type HandledRequest, handledAnswer } from '../request.ts';
import type { Service } from '../service.ts';
import { whenAborted } from './holds.ts';

interface Victim {
  readonly endpoint: Endpoint;
  readonly service: Service;
  readonly effect: () => Promise<ServiceAnswer>;
  readonly gone: AbortSignal;
}

export async function applyFault(fault: Fault, victim: Victim): Promise<HandledRequest> {
  const { service, effect, gone } = victim;
  const afterEffect = async () => (fault.afterEffect ? await effect() : undefined);
  switch (fault.kind) {
    case 'status':
    case 'html': {
      const own = await afterEffect();
      const isRefused = own !== undefined && own.status >= 400;
      return handledAnswer(isRefused ? own : faultAnswer(fault, challengeAt(victim), service));
    }
    case 'refusal':
      return handledAnswer(refusal(fault, service, victim.endpoint));
    case 'content-type':
      return handledAnswer(withHeader(await effect(), 'Content-Type', fault.contentType ?? 'text/plain'));
    case 'fields':
      return handledAnswer(withFields(await effect(), fault.fields ?? {}));
    case 'delay': {
      const answer = await effect();
      await pause(fault.milliseconds ?? 0, undefined, { signal: gone }).catch(() => undefined);
      return handledAnswer(answer);
    }
    case 'reset':
      return { by: 'reset', answer: await afterEffect() };
    case 'stall': {
      const answer = await afterEffect();
      await whenAborted(gone);
      return { by: 'drop', answer };
    }
    case 'truncate':
      return { by: 'half', answer: await effect() };
    case 'wire': {
      const answer = await effect();
      return { by: 'answer', answer, ...(answer.status < 400 && { form: fault.form }) };
    }
  }
}

function faultAnswer(fault: Fault, challenge: string | undefined, service: Service): ServiceAnswer {
  const { kind, status = 503 } = fault;
  const headers: readonly HeaderLine[] = [
    ...retryAfter(fault, service.clock.now()),
    ...(status !== 401 || challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const]),
    ...Object.entries(fault.headers ?? {}),
  ];
  if (kind === 'html') {
    const html = '<!doctype html><title>Armed fault</title><h1>Armed fault</h1>\n';
    return bodyAnswer(status, 'text/html; charset=utf-8', html, headers);
  }
  const { body = 'Armed fault.\n', contentType = 'text/plain; charset=utf-8' } = fault;
  return bodyAnswer(status, contentType, body, headers);
}

/** A date counts from the emulator's clock, so `Date` must use the same clock: a client may compare the two. */
function retryAfter({ retryAfter, retryAfterForm }: Fault, now: number): readonly HeaderLine[] {
  if (retryAfter === undefined) return [];
  if (retryAfterForm !== 'date') return [['Retry-After', String(retryAfter)]];
  const date = (seconds: number) => new Date(Math.ceil(seconds) * 1_000).toUTCString();
  return [
    ['Date', date(now)],
    ['Retry-After', date(now + retryAfter)],
  ];
}

function refusal({ reason }: Fault, { policy }: Service, endpoint: Endpoint): ServiceAnswer {
  const { answer } = policy;
  const made =
    endpoint === 'token'
      ? answer.tokenFailure(refuse((reason ?? 'refresh-token-revoked') as TokenReason, 'armed fault'))
      : answer.resourceFailure(refuse((reason ?? 'token-revoked') as ResourceReason, 'armed fault'));
  return answer.finish(endpoint, made);
}

/** Returns the service's `WWW-Authenticate` value for a 401 at an endpoint; undefined if it sends none. */
function challengeAt({ endpoint, service }: Victim): string | undefined {
  if (endpoint === 'page' || endpoint === 'authorize') return undefined;
  const reason = endpoint === 'token' || endpoint === 'neighbour' ? 'client-secret-wrong' : 'token-unknown';
  const own = endpoint === 'neighbour' ? 'token' : endpoint;
  const { headers } = refusal({ kind: 'refusal', route: 'any', reason }, service, own);
  return headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1];
}

/** Leaves a refusal as it is: a client reads its `error`. */
function withFields(answer: ServiceAnswer, fields: Readonly<Record<string, unknown>>): ServiceAnswer {
  if (answer.status >= 400) return answer;
  const value = parsedJson(answer.body);
  if (value === undefined) return answer;
  const merged = (one: unknown) =>
    isJsonObject(one)
      ? Object.fromEntries(Object.entries({ ...one, ...fields }).filter(([, member]) => member !== null))
      : one;
  // The fields of a list are those of each user.
  return { ...answer, body: JSON.stringify(Array.isArray(value) ? value.map(merged) : merged(value)) };
}
