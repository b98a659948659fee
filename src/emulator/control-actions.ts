import type { Control } from './control.ts';
import {
  readAutoConsent,
  readDefects,
  readEmail,
  readExpiresIn,
  readFault,
  readHold,
  readHoldId,
  readMark,
  readRevocation,
  readSeconds,
  readSeed,
  readTokenForm,
} from './control-requests.ts';
import { readJournalQuery } from './journal/query.ts';
import type { Service } from './service.ts';

type Action = (body: unknown, query: URLSearchParams) => unknown;

export type Actions = Readonly<Record<string, Action>>;

export function controlActions(control: Control, service: Service, closing: AbortSignal): Actions {
  const { clock, lifetime, defects, faults, holds, journal, autoConsent, tokenForm } = control;
  return {
    'GET /clock': () => ({ now: clock.now() }),
    'POST /clock/advance': (body) => ({ now: clock.advance(readSeconds(body)) }),
    'GET /lifetime': () => lifetime.read(),
    'PUT /lifetime': (body) => lifetime.set(readExpiresIn(body)),
    'GET /defects': () => ({ active: defects.active(), known: defects.known() }),
    'PUT /defects': (body) => {
      defects.switch(readDefects(body));
      return { active: defects.active() };
    },
    'GET /faults': () => ({ armed: faults.armed() }),
    'POST /faults': (body) => {
      const { id } = faults.arm(readFault(body));
      return { id, armed: faults.armed() };
    },
    'DELETE /faults': () => {
      faults.clear();
      return { armed: [] };
    },
    'GET /holds': () => ({ holds: holds.list() }),
    'POST /holds': (body) => holds.arm(readHold(body)),
    'DELETE /holds': () => {
      holds.clear();
      return { holds: [] };
    },
    'POST /holds/release': (body) => {
      holds.release(readHoldId(body));
      return { holds: holds.list() };
    },
    'POST /revoke': (body) => ({ revoked: control.revoke(readRevocation(body)) }),
    'GET /auto-consent': () => autoConsent.read(),
    'PUT /auto-consent': (body) => {
      const { user, decision } = readAutoConsent(body);
      return autoConsent.set(user, decision);
    },
    'GET /token-form': () => ({ form: tokenForm.read() }),
    'PUT /token-form': (body) => {
      tokenForm.set(readTokenForm(body));
      return { form: tokenForm.read() };
    },
    'GET /journal': (_, query) => {
      const { since, wait, limit } = readJournalQuery(query);
      return wait === 0 ? journal.page(since, limit) : journal.wait(since, wait, { limit, signal: closing });
    },
    'DELETE /journal': () => {
      journal.clear();
      return { entries: [] };
    },
    'GET /mark': () => ({ mark: journal.marked() ?? null }),
    'PUT /mark': (body) => {
      journal.mark(readMark(body));
      return { mark: journal.marked() ?? null };
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
