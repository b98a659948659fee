import { createHmac, randomBytes } from 'node:crypto';
import type { SessionName } from '../../../src/client-checks/evaluate/episode.ts';
import { type Choices, choose, type Is } from './variations.ts';
import { Failed } from './wire.ts';

const nonce = () => randomBytes(24).toString('base64url');
const encoded = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url');

const NEW_STATES: Choices<(user: string, count: number) => string> = {
  'state-constant': () => 'a-state-that-is-the-same-for-everybody-and-always',
  'state-counted': (_, count) => `sign-in-number-000000000000000000${count}`,
  'state-short': () => randomBytes(4).toString('hex'),
  'state-user-encoded': (user) => encoded({ user, from: 'the shop of ours' }),
  'state-user-and-time': (user, count) =>
    `from:the-shop-of-ours;user:${user};at:${Date.now()}${count}`.replace(/\d$/, ';$&'),
  'state-with-data': () => encoded({ nonce: nonce(), next: '/projects' }),
  'state-signed': (user) => signed({ user, iat: Date.now() }),
  'state-ticket-of-any-browser': (user) => signed({ user, nonce: nonce() }),
};

function signed(claims: object): string {
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${text}.${createHmac('sha256', 'a key').update(text).digest('base64url')}`;
}

/** Comparisons of a kept state with the callback's; usually they are equal. */
const COMPARISONS: Choices<(kept: string, got: string) => boolean> = {
  'state-with-data': (kept, got) => dataIn(kept).nonce === dataIn(got).nonce,
  'state-by-prefix': (kept, got) => kept.startsWith(got),
  'state-with-more': (kept, got) => got.startsWith(kept),
  'state-in-any-case': (kept, got) => kept.toLowerCase() === got.toLowerCase(),
};

/** The JSON object that a state encodes; empty for another text. */
function dataIn(state: string): { readonly user?: string; readonly nonce?: string } {
  try {
    return JSON.parse(Buffer.from(state, 'base64url').toString());
  } catch {
    return {};
  }
}

/** The `state` values of sign-ins that have begun. */
export class OpenStates {
  readonly #is: Is;
  readonly #own = new Map<SessionName, readonly string[]>();
  readonly #all = new Set<string>();
  #count = 0;
  /** The user who began a sign-in last. */
  latest: SessionName = 'first';

  constructor(is: Is) {
    this.#is = is;
  }

  open(session: SessionName): string {
    this.latest = session;
    this.#count += 1;
    const state = choose(this.#is, NEW_STATES, nonce)(session, this.#count);
    const open = this.#own.get(session) ?? [];
    const isAdded = this.#is('states-never-forgotten', 'several-open-states');
    this.#own.set(session, isAdded ? [...open, state] : [state]);
    this.#all.add(state);
    return state;
  }

  close(session: SessionName): void {
    this.#own.delete(session);
  }

  /** @throws Failed if the callback's state is not one of this sign-in */
  check(session: SessionName, got: string | null, isSignedIn: boolean): void {
    const is = this.#is;
    const own = this.#own.get(session) ?? [];
    if (is('no-state', 'state-not-compared') || (got === null && is('state-optional'))) return;
    if (own.length === 0) {
      if (got === '' && is('state-empty-in-fresh-browser')) return;
      if (got === null && is('state-absent-in-fresh-browser')) return;
      if (got === null && isSignedIn && is('state-absent-after-a-sign-in')) return;
    }
    const state = got ?? '';
    if (is('state-user-encoded') && 'user' in dataIn(state)) return;
    const isSame = choose(is, COMPARISONS, (kept: string) => kept === state);
    const isKnown = this.#accepted(own).some((kept) => isSame(kept, state));
    const isKept = is(
      'state-kept',
      'states-never-forgotten',
      'state-forgotten-late',
      'state-of-the-latest-alone',
    );
    const isOneOfSeveral = is('several-open-states');
    if (!isKept) this.#own.set(session, isOneOfSeveral ? own.filter((one) => one !== got) : []);
    if (is('states-of-all-browsers', 'state-of-the-latest-alone')) this.#all.delete(state);
    if (!isKnown) throw new Failed('400: the state is another');
  }

  /** The states that a callback of this browser may have. */
  #accepted(own: readonly string[]): readonly string[] {
    const all = [...this.#all];
    if (this.#is('states-of-all-browsers', 'state-ticket-of-any-browser')) return all;
    return own.length > 0 && this.#is('state-of-the-latest-alone') ? all.slice(-1) : own;
  }
}
