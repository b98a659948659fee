import * as bodies from '../../generated/control-validators.js';
import type { Validator } from '../../generated/validators.js';
import { checkFits } from './check-fits.ts';
import type { Control } from './control.ts';
import { readJournalQuery } from './journal/query.ts';
import type { Service } from './service.ts';

type Action = (body: unknown, query: URLSearchParams) => unknown;

export type Actions = Readonly<Record<string, Action>>;

function withBody<T>(validate: Validator<T>, act: (body: T) => unknown): Action {
  return (body) => {
    checkFits('body', validate, body);
    return act(body);
  };
}

export function controlActions(control: Control, service: Service, closing: AbortSignal): Actions {
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
    'GET /mark': () => ({ mark: journal.marked() ?? null }),
    'PUT /mark': withBody(bodies.validateSetMark, ({ mark }) => {
      journal.mark(mark ?? undefined);
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
