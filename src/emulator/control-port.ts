import { Hono } from 'hono/quick';
import { type Answer, bodyAnswer, type HeaderLine } from './answer.ts';
import { bodyOf } from './body.ts';
import type { Control } from './control.ts';
import { readDefects, readEmail, readFault, readSeconds, readSeed } from './control-requests.ts';
import { deliver } from './deliver.ts';
import type { ControlOptions } from './emulator-options.ts';
import type { Bindings, RequestContext } from './endpoint.ts';
import { equalSecrets } from './equal-secrets.ts';
import { type Listening, listen } from './listen.ts';
import { SOCKETLESS } from './origins.ts';
import type { App } from './routes.ts';
import type { Service } from './service.ts';

/** Largest body of a control request in bytes: a seed may be long. */
const CONTROL_BODY_LIMIT = 16 * 1024 * 1024;

/** The open control port. */
export interface ControlPort extends Listening {
  /** What requests present as `Authorization: Bearer`. */
  readonly token: string;
  readonly app: App;
}

/** Opens the control port: on loopback, whatever the emulator itself listens on. */
export async function openControlPort(
  control: Control,
  service: Service,
  { port = 0, token = service.randomness.token() }: ControlOptions,
  sockets: boolean,
): Promise<ControlPort> {
  const app = controlApp(control, service, token);
  const listening = sockets
    ? await listen(app, '127.0.0.1', port)
    : { origin: SOCKETLESS.control, close: () => Promise.resolve() };
  return { ...listening, token, app };
}

/** An action of the control port: takes the parsed body, returns what is answered as JSON. */
type Action = (body: unknown) => unknown;

function controlApp(control: Control, service: Service, token: string): App {
  const app: App = new Hono<{ Bindings: Bindings }>();
  const actions: Readonly<Record<string, Action>> = {
    'GET /clock': () => ({ now: control.clock.now() }),
    'POST /clock/advance': (body) => ({ now: control.clock.advance(readSeconds(body)) }),
    'GET /defects': () => ({ active: control.defects.active(), known: control.defects.known() }),
    'PUT /defects': (body) => {
      control.defects.switch(readDefects(body));
      return { active: control.defects.active() };
    },
    'GET /faults': () => ({ armed: control.faults.armed() }),
    'POST /faults': (body) => {
      control.faults.arm(readFault(body));
      return { armed: control.faults.armed() };
    },
    'DELETE /faults': () => {
      control.faults.clear();
      return { armed: [] };
    },
    'GET /journal': () => ({ entries: control.journal.entries() }),
    'DELETE /journal': () => {
      control.journal.clear();
      return { entries: [] };
    },
    'POST /consent/forget': (body) => {
      control.forgetConsent(readEmail(body));
      return {};
    },
    'POST /reset': () => {
      control.reset();
      return {};
    },
    'POST /seed': (body) => {
      control.seed(readSeed(body));
      return { seed: service.seed };
    },
    'GET /state': () => ({
      profile: service.profile.name,
      addresses: service.addresses,
      now: control.clock.now(),
      defects: control.defects.active(),
      faults: control.faults.armed(),
      seed: service.seed,
      stats: control.stats(),
    }),
  };
  app.all('*', async (context) => {
    const answer = await controlAnswer(context, actions, token);
    return deliver(answer, context.env.outgoing);
  });
  app.onError((error, context) =>
    deliver(jsonAnswer(500, { error: `The control port failed: ${error.message}` }), context.env.outgoing),
  );
  return app;
}

async function controlAnswer(
  context: RequestContext,
  actions: Readonly<Record<string, Action>>,
  token: string,
): Promise<Answer> {
  const presented = /^Bearer +(.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  if (presented === undefined || !equalSecrets(presented, token)) {
    const error = 'Expected the control token as Authorization: Bearer.';
    return jsonAnswer(401, { error }, [['WWW-Authenticate', 'Bearer realm="control"']]);
  }
  const { pathname } = new URL(context.req.url);
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
    return jsonAnswer(200, action(text === '' ? {} : JSON.parse(text)));
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
      return jsonAnswer(400, { error: error.message });
    }
    throw error;
  }
}

function jsonAnswer(status: number, body: unknown, headers: readonly HeaderLine[] = []): Answer {
  return bodyAnswer(status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`, [
    ['Cache-Control', 'no-store'],
    ...headers,
  ]);
}
