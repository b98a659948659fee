import * as bodies from '../../../generated/control-validators.js';
import { situationIds } from '../../../generated/ids.ts';
import type { Validator } from '../../../generated/validators.js';
import { bodyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { healthAnswer } from '../handle.ts';
import { markWithin, testOf } from '../journal/mark.ts';
import { checkFits } from '../policy/check-fits.ts';
import { handledAnswer, type ReceivedRequest, type RequestHandler } from '../request.ts';
import type { Service } from '../service.ts';
import type { ControlOptions, EmulatorOptions } from '../start/emulator-options.ts';
import { publicAddresses, SOCKETLESS } from '../start/origins.ts';
import { type Listening, listen } from '../start/socket.ts';
import { equalSecrets } from '../store/randomness.ts';
import { requireApplication } from '../store/seed.ts';
import type { Control } from './control.ts';

const BODY_LIMIT = 16 * 1024 * 1024;

interface ControlPort extends Listening {
  readonly token: string;
  readonly handler: RequestHandler;
}

/**
 * Opens the control port: on loopback, or with a public address where the emulator listens.
 * @param closing aborted when the emulator closes; ends waits for the journal
 */
export async function openControlPort(
  control: Control,
  service: Service,
  options: EmulatorOptions,
  closing: AbortSignal,
): Promise<ControlPort> {
  const { port = 0, token = service.randomness.token(), operations } = options.control || {};
  const handler = controlHandler(control, service, { token, operations }, closing);
  if (options.listen === false) {
    return { origin: SOCKETLESS.control, close: () => Promise.resolve(), token, handler };
  }
  const { publicUrl, host: open = '127.0.0.1' } = options.addresses ?? {};
  const host = publicUrl === undefined ? '127.0.0.1' : open;
  const listening = await listen(handler, { host, port, tls: undefined });
  const announced = publicAddresses(options.addresses ?? {}).control(new URL(listening.origin).port);
  return { origin: announced ?? listening.origin, close: listening.close, token, handler };
}

type ControlSettings = ControlOptions & { readonly token: string };

function controlHandler(
  control: Control,
  service: Service,
  settings: ControlSettings,
  closing: AbortSignal,
): RequestHandler {
  const actions = controlActions(control, service, closing);
  return {
    bodyLimit: BODY_LIMIT,
    async handle(request) {
      try {
        return handledAnswer(await controlAnswer(request, service, actions, settings));
      } catch (error) {
        const isWrongInput =
          error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
        const message = error instanceof Error ? error.message : String(error);
        return handledAnswer(
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
  { operations = {}, token }: ControlSettings,
): Promise<ServiceAnswer> {
  const { method, target, body } = request;
  const { pathname, searchParams } = new URL(target, SOCKETLESS.control);
  if (pathname === '/health' && (method === 'GET' || method === 'HEAD')) return healthAnswer(service);
  const presented = /^Bearer +(.+)$/i.exec(request.header('authorization'))?.[1];
  if (presented === undefined || !equalSecrets(presented, token)) {
    const error = 'Expected the control token as Authorization: Bearer.';
    return jsonAnswer(401, { error }, [['WWW-Authenticate', 'Bearer realm="control"']]);
  }
  const operation = operations[`${method} ${pathname}`];
  if (operation !== undefined) {
    const { status, contentType, body: text } = await operation(searchParams);
    return bodyAnswer(status, contentType, text, [['Cache-Control', 'no-store']]);
  }
  const action = actions[`${method} ${pathname}`];
  if (action === undefined) {
    const error = `Expected one of ${Object.keys({ ...actions, ...operations }).join(', ')}; got ${method} ${pathname}.`;
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

type Action = (body: unknown, query: URLSearchParams) => unknown;

type Actions = Readonly<Record<string, Action>>;

function withBody<T>(validate: Validator<T>, act: (body: T) => unknown): Action {
  return (body) => {
    checkFits('body', validate, body);
    return act(body);
  };
}

function controlActions(control: Control, service: Service, closing: AbortSignal): Actions {
  const { clock, lifetime, defects, faults, holds, journal, autoConsent, tokenForm } = control;
  return {
    'GET /clock': () => ({ now: clock.now() }),
    'POST /clock/advance': withBody(bodies.validateAdvanceClock, ({ seconds }) => ({
      now: clock.advance(seconds),
    })),
    'GET /lifetime': () => lifetime.read(),
    'PUT /lifetime': withBody(bodies.validateSetLifetime, ({ expiresIn }) =>
      lifetime.set(expiresIn ?? undefined),
    ),
    'GET /defects': () => ({ active: defects.active(), known: defects.known() }),
    'PUT /defects': withBody(bodies.validateSwitchDefects, ({ active }) => {
      defects.switch(active);
      return { active: defects.active() };
    }),
    'GET /faults': () => ({ armed: faults.armed() }),
    'POST /faults': withBody(bodies.validateArmFault, (fault) => {
      const { id } = faults.arm(fault);
      return { id, armed: faults.armed() };
    }),
    'DELETE /faults': () => {
      faults.clear();
      return { armed: [] };
    },
    'GET /holds': () => ({ holds: holds.list() }),
    'POST /holds': withBody(bodies.validateArmHold, (hold) => holds.arm(hold)),
    'DELETE /holds': () => {
      holds.clear();
      return { holds: [] };
    },
    'POST /holds/release': withBody(bodies.validateReleaseHolds, ({ id }) => {
      holds.release(id);
      return { holds: holds.list() };
    }),
    'POST /revoke': withBody(bodies.validateRevoke, (what) => ({ revoked: control.revoke(what) })),
    'GET /auto-consent': () => autoConsent.read(),
    'PUT /auto-consent': withBody(bodies.validateSetAutoConsent, ({ user, decision }) =>
      autoConsent.set(user ?? undefined, decision),
    ),
    'GET /token-form': () => ({ form: tokenForm.read() }),
    'PUT /token-form': withBody(bodies.validateSetTokenForm, ({ form }) => {
      tokenForm.set(form);
      return { form: tokenForm.read() };
    }),
    'GET /journal': (_, query) => {
      const { since, wait, limit } = readJournalQuery(query);
      return wait === 0 ? journal.page(since, limit) : journal.wait(since, wait, { limit, signal: closing });
    },
    'DELETE /journal': () => {
      journal.clear();
      return { entries: [] };
    },
    'GET /mark': (_, query) => {
      const application = query.get('application') ?? undefined;
      return { mark: journal.marked(application) ?? null };
    },
    'PUT /mark': withBody(bodies.validateSetMark, ({ mark, application }) => {
      if (application !== undefined) requireApplication(application, service.seed);
      const test = testOf(journal.marked(application));
      const isOnTop = mark !== null && test !== undefined && situationIds.some((id) => id === mark);
      if (mark !== null && !isOnTop) requireNoOtherMark(mark, test);
      journal.mark(isOnTop ? markWithin(test, mark) : (mark ?? undefined), application);
      return { mark };
    }),
    'POST /consent/forget': withBody(bodies.validateForgetConsent, ({ email }) => {
      control.forgetConsent(email);
      return {};
    }),
    'POST /reset': () => {
      control.reset();
      return {};
    },
    'POST /seed': withBody(bodies.validateReplaceSeed, (seed) => {
      control.seed(seed);
      return { seed: service.seed };
    }),
    'GET /state': () => ({
      profile: service.profile.name,
      addresses: service.addresses,
      now: clock.now(),
      lifetime: lifetime.read(),
      defects: defects.active(),
      faults: faults.armed(),
      holds: holds.list(),
      autoConsent: autoConsent.read(),
      seed: service.seed,
      stats: control.stats(),
    }),
  };
}

/** Refuses a second test of the same application: its requests would carry the first one's mark. */
function requireNoOtherMark(mark: string, current: string | undefined): void {
  if (current === undefined || current === mark) return;
  throw new RangeError(
    `mark: expected null before ${JSON.stringify(mark)}, because ${JSON.stringify(current)} is still set. If tests run side by side, give each worker an application of its own, and name it in "application".`,
  );
}

function readJournalQuery(query: URLSearchParams) {
  for (const name of query.keys()) {
    if (name === 'since' || name === 'wait' || name === 'limit') continue;
    throw new RangeError(`Expected the parameters since, wait and limit, got ${name}.`);
  }
  return {
    since: number(query, 'since', /^\d{1,15}$/, 'a whole number from 0') ?? 0,
    wait: number(query, 'wait', /^\d{1,2}(\.\d{1,3})?$/, 'seconds from 0 to 60') ?? 0,
    limit: number(query, 'limit', /^[1-9]\d{0,14}$/, 'a whole number from 1'),
  };
}

function number(query: URLSearchParams, name: string, form: RegExp, expected: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (form.test(text)) return Number(text);
  throw new RangeError(`${name}: expected ${expected}, got ${JSON.stringify(text)}.`);
}
