import type { Configuration } from '../../config/configuration.ts';
import { type Transport, TransportFailure, type WireRequest } from '../../exchange/exchange.ts';
import { DEFAULT_LIMITS, nodeTransport } from '../../exchange/node-transport.ts';
import { initialRequestStyle } from '../../flow/connect.ts';
import { type EdgeRefusal, edgeRefusal } from '../../flow/edge-refusal.ts';
import { authorizationParameters } from '../../flow/parameters.ts';
import { authorizeUrl, resourceRequest } from '../../flow/requests.ts';
import { configuredGuards, type GuardKey, withoutGuard } from '../../targets/edge.ts';
import { reachOf } from '../../targets/live.ts';
import { ALL_SCOPES, type Target } from '../../targets/target.ts';
import type { DoctorStep, StepEnd } from './step.ts';

const NAMES: Readonly<Record<GuardKey, string>> = {
  'tls.client': 'client cert',
  'requests.headers': 'headers',
  'edge.basic': 'basic',
};

/**
 * One step for each key that gets past a gateway, and one for the gateway as a whole. A key is right if the gateway refuses only the
 * request without it. That needs no list of gateways.
 */
export function gatewaySteps(configuration: Configuration, target: Target): readonly DoctorStep[] {
  let looked: ReturnType<typeof look> | undefined;
  const withAll = () => {
    looked ??= look(target, target.transport);
    return looked;
  };
  return [
    ...configuredGuards(configuration).map((key) => ({
      name: NAMES[key],
      check: async (): Promise<StepEnd> => {
        const refusal = await withAll();
        if (refusal?.key === key) return failed(refusal);
        // Another refusal hides the effect of this key.
        if (refusal !== undefined) return { ok: true, saw: 'sent' };
        return aboutKey(configuration, target, key);
      },
    })),
    { name: 'gateway', check: async () => wholeGateway(await withAll()) },
  ];
}

/** Returns the requests that reach the service first: a page, and a call without a token. */
export function firstRequests(target: Target): { readonly page: WireRequest; readonly call: WireRequest } {
  const requestStyle = initialRequestStyle(target);
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  return {
    page: {
      method: 'GET',
      url: authorizeUrl(target, requestStyle, parameters),
      headers: [['Accept', 'text/html']],
    },
    call: resourceRequest(target, requestStyle, {
      operation: 'list',
      project: target.projects[0],
      token: undefined,
    }),
  };
}

interface Silence {
  readonly key: undefined;
  readonly saw: string;
  readonly remedy: string;
}

async function look(target: Target, transport: Transport): Promise<EdgeRefusal | Silence | undefined> {
  const { page, call } = firstRequests(target);
  for (const [request, key] of [
    [page, 'authUrl'],
    [call, 'baseUrl'],
  ] as const) {
    try {
      const refusal = await edgeRefusal(target, request.url, await transport(request), transport);
      if (refusal !== undefined) return refusal;
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const remedy = `check that the service runs; if it does, correct \`${key}\`, its port, or \`proxy\``;
      return { key: undefined, saw: `\`${key}\` gave no answer: ${error.message}`, remedy };
    }
  }
  return undefined;
}

function failed({ saw, remedy }: EdgeRefusal | Silence): StepEnd {
  return { ok: false, saw, remedy };
}

function wholeGateway(refusal: EdgeRefusal | Silence | undefined): StepEnd {
  return refusal === undefined
    ? { ok: true, saw: 'the answers at both addresses are the service’s own' }
    : failed(refusal);
}

async function aboutKey(configuration: Configuration, target: Target, key: GuardKey): Promise<StepEnd> {
  const limits = { ...DEFAULT_LIMITS, deadlineMs: configuration.pacing.deadlineMs };
  const { transport, close } = nodeTransport(reachOf(withoutGuard(configuration, key)), limits);
  try {
    const refusal = await look(target, transport);
    if (refusal !== undefined)
      return { ok: true, saw: `\`${key}\` is asked for: without it the answer is a refusal` };
    return {
      ok: true,
      saw: 'sent',
      notes: [`nothing asks for \`${key}\`: the answers are the same without it`],
    };
  } finally {
    close();
  }
}
