import { Hono } from 'hono/quick';
import { bodyAnswer, type HeaderLine, type ServiceAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import type { Control } from './control.ts';
import { type Actions, controlActions } from './control-actions.ts';
import { deliver } from './deliver.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import type { Bindings, RequestContext } from './endpoint.ts';
import { equalSecrets } from './equal-secrets.ts';
import { type Listening, listen } from './listen.ts';
import { SOCKETLESS } from './origins.ts';
import { publicAddresses } from './public-addresses.ts';
import { healthAnswer, type OriginApp } from './routes.ts';
import type { Service } from './service.ts';

/** Largest body of a control request in bytes: a seed may be long. */
const CONTROL_BODY_LIMIT = 16 * 1024 * 1024;

/** The open control port. */
export interface ControlPort extends Listening {
  /** What requests present as `Authorization: Bearer`. */
  readonly token: string;
  readonly app: OriginApp;
}

/**
 * Opens the control port: on loopback, whatever the emulator itself listens on; with a public address where the emulator listens.
 *
 * @param closing aborted when the emulator closes: ends what waits for the journal
 */
export async function openControlPort(
  control: Control,
  service: Service,
  options: EmulatorOptions,
  closing: AbortSignal,
): Promise<ControlPort> {
  const { port = 0, token = service.randomness.token() } = options.control || {};
  const app = controlApp(control, service, token, closing);
  if (options.listen === false) {
    return { origin: SOCKETLESS.control, close: () => Promise.resolve(), token, app };
  }
  const host = options.publicUrl === undefined ? '127.0.0.1' : (options.host ?? '127.0.0.1');
  const listening = await listen(app, { host, port, tls: undefined });
  const told = publicAddresses(options).control(new URL(listening.origin).port);
  return { origin: told ?? listening.origin, close: listening.close, token, app };
}

function controlApp(control: Control, service: Service, token: string, closing: AbortSignal): OriginApp {
  const app: OriginApp = new Hono<{ Bindings: Bindings }>();
  const actions = controlActions(control, service, closing);
  app.get('/health', (context) => deliver(healthAnswer(service), context.env));
  app.all('*', async (context) => {
    const answer = await controlAnswer(context, actions, token);
    return deliver(answer, context.env);
  });
  app.onError((error, context) =>
    deliver(jsonAnswer(500, { error: `The control port failed: ${error.message}` }), context.env),
  );
  return app;
}

async function controlAnswer(
  context: RequestContext,
  actions: Actions,
  token: string,
): Promise<ServiceAnswer> {
  const presented = /^Bearer +(.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  if (presented === undefined || !equalSecrets(presented, token)) {
    const error = 'Expected the control token as Authorization: Bearer.';
    return jsonAnswer(401, { error }, [['WWW-Authenticate', 'Bearer realm="control"']]);
  }
  const { pathname, searchParams } = new URL(context.req.url);
  const action = actions[`${context.req.method} ${pathname}`];
  if (action === undefined) {
    const error = `Expected one of ${Object.keys(actions).join(', ')}; got ${context.req.method} ${pathname}.`;
    return jsonAnswer(404, { error });
  }
  const text =
    context.req.method === 'GET'
      ? ''
      : await bodyOf(context.req.raw, context.env.incoming, CONTROL_BODY_LIMIT);
  if (text === undefined) return jsonAnswer(413, { error: `Expected at most ${CONTROL_BODY_LIMIT} bytes.` });
  try {
    return jsonAnswer(200, await action(text === '' ? {} : JSON.parse(text), searchParams));
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
      return jsonAnswer(400, { error: error.message });
    }
    throw error;
  }
}

function jsonAnswer(status: number, body: unknown, headers: readonly HeaderLine[] = []): ServiceAnswer {
  return bodyAnswer(status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`, [
    ['Cache-Control', 'no-store'],
    ...headers,
  ]);
}
