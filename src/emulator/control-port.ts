import { bodyAnswer, type HeaderLine, type ServiceAnswer } from './answer.ts';
import type { Control } from './control.ts';
import { type Actions, controlActions } from './control-actions.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { equalSecrets } from './equal-secrets.ts';
import { answered, healthAnswer } from './handle.ts';
import { SOCKETLESS } from './origins.ts';
import { publicAddresses } from './public-addresses.ts';
import type { ReceivedRequest, RequestHandler } from './request.ts';
import type { Service } from './service.ts';
import { type Listening, listen } from './socket.ts';

const BODY_LIMIT = 16 * 1024 * 1024;

export interface ControlPort extends Listening {
  readonly token: string;
  readonly handler: RequestHandler;
}

/**
 * Opens the control port: on loopback, or with a public address where the emulator listens.
 *
 * @param closing aborted when the emulator closes; ends waits for the journal
 */
export async function openControlPort(
  control: Control,
  service: Service,
  options: EmulatorOptions,
  closing: AbortSignal,
): Promise<ControlPort> {
  const { port = 0, token = service.randomness.token() } = options.control || {};
  const handler = controlHandler(control, service, token, closing);
  if (options.listen === false) {
    return { origin: SOCKETLESS.control, close: () => Promise.resolve(), token, handler };
  }
  const host = options.publicUrl === undefined ? '127.0.0.1' : (options.host ?? '127.0.0.1');
  const listening = await listen(handler, { host, port, tls: undefined });
  const told = publicAddresses(options).control(new URL(listening.origin).port);
  return { origin: told ?? listening.origin, close: listening.close, token, handler };
}

function controlHandler(
  control: Control,
  service: Service,
  token: string,
  closing: AbortSignal,
): RequestHandler {
  const actions = controlActions(control, service, closing);
  return {
    bodyLimit: BODY_LIMIT,
    async handle(request) {
      try {
        return answered(await controlAnswer(request, service, actions, token));
      } catch (error) {
        const isWrongInput =
          error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
        const message = error instanceof Error ? error.message : String(error);
        return answered(
          isWrongInput
            ? jsonAnswer(400, { error: message })
            : jsonAnswer(500, { error: `The control port failed: ${message}` }),
        );
      }
    },
  };
}

async function controlAnswer(
  request: ReceivedRequest,
  service: Service,
  actions: Actions,
  token: string,
): Promise<ServiceAnswer> {
  const { method, target, body } = request;
  const { pathname, searchParams } = new URL(target, SOCKETLESS.control);
  if (pathname === '/health' && (method === 'GET' || method === 'HEAD')) return healthAnswer(service);
  const presented = /^Bearer +(.+)$/i.exec(request.header('authorization'))?.[1];
  if (presented === undefined || !equalSecrets(presented, token)) {
    const error = 'Expected the control token as Authorization: Bearer.';
    return jsonAnswer(401, { error }, [['WWW-Authenticate', 'Bearer realm="control"']]);
  }
  const action = actions[`${method} ${pathname}`];
  if (action === undefined) {
    const error = `Expected one of ${Object.keys(actions).join(', ')}; got ${method} ${pathname}.`;
    return jsonAnswer(404, { error });
  }
  if (body === undefined) return jsonAnswer(413, { error: `Expected at most ${BODY_LIMIT} bytes.` });
  const sent: unknown = method === 'GET' || body === '' ? {} : JSON.parse(body);
  return jsonAnswer(200, await action(sent, searchParams));
}

function jsonAnswer(status: number, body: unknown, headers: readonly HeaderLine[] = []): ServiceAnswer {
  return bodyAnswer(status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`, [
    ['Cache-Control', 'no-store'],
    ...headers,
  ]);
}
