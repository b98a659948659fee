import { type FreshService, openToExplore } from '../../evaluation/explore/replay.ts';
import type { MonitorEvent } from '../../evaluation/monitor/events.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { emulatorToExplore } from '../../service/emulator.ts';
import type { TargetChoice } from '../../service/open-target.ts';
import type { Target } from '../../service/target.ts';
import { TargetPlayer } from './target-player.ts';

interface OpenedSide extends FreshService {
  readonly received: MonitorEvent[];
  readonly consented: boolean;
}

export interface Side {
  readonly live: boolean;
  open(): Promise<OpenedSide>;
}

export function emulatorSide(choice: TargetChoice, secrets?: SecretRegistry): Side {
  return {
    live: false,
    open: async () => {
      const received: MonitorEvent[] = [];
      const target = await emulatorToExplore(choice.profile, choice.defects);
      const opened = await openToExplore(target, secrets, undefined, (event) => void received.push(event));
      return { ...opened, received, consented: false };
    },
  };
}

export function liveSide(opened: Omit<OpenedSide, 'close' | 'consented'>): Side {
  let consented = false;
  const open = async () => {
    const side = { ...opened, consented, close: async () => undefined };
    consented = true;
    return side;
  };
  return { live: true, open };
}

/** A side that asks for consent as rarely as a live service, which does not forget it. */
export function rememberingConsent({ live, open }: Side): Side {
  return {
    live,
    open: async () => {
      const opened = await open();
      const { session } = opened;
      const target = { ...session.target, forgetConsent: undefined };
      return { ...opened, session: { ...session, target } };
    },
  };
}

/** Works on both sides as {@link openBoth} opens them, and closes them. */
export async function onOpenSides<T>(
  left: Side,
  right: Side,
  work: (left: TargetPlayer, right: TargetPlayer) => Promise<T>,
): Promise<T> {
  const players = await openBoth(left, right);
  try {
    return await work(players.left, players.right);
  } finally {
    await players.close();
  }
}

/** Opens both sides, limited to their common abilities. */
export async function openBoth(left: Side, right: Side) {
  const one = await left.open();
  const other = await right.open();
  const [first, second] = [playerOf(one, other), playerOf(other, one)];
  if (!one.consented) await first.consent();
  if (!other.consented) await second.consent();
  return {
    left: first,
    right: second,
    close: async () => {
      await one.close();
      await other.close();
    },
  };
}

function playerOf({ watched, session, received }: OpenedSide, other: OpenedSide): TargetPlayer {
  const target = withCommonAbilities(session.target, other.session.target);
  const refreshBeforeExpiry =
    session.requestStyle.refreshBeforeExpiry && other.session.requestStyle.refreshBeforeExpiry;
  const requestStyle = { ...session.requestStyle, refreshBeforeExpiry };
  return new TargetPlayer(watched, { ...session, target, requestStyle }, received);
}

/** Returns a target limited to the abilities of the other, so that a story is possible on both. */
function withCommonAbilities(one: Target, other: Target): Target {
  const { clock, secondApplication, forgetConsent, pages, application } = one;
  const second = secondApplication && other.secondApplication;
  return {
    ...one,
    kind: other.kind === 'live' ? 'live' : one.kind,
    application: cut(application, other.application),
    secondApplication: second && secondApplication && cut(secondApplication, second),
    projects: atMost(one.projects, other.projects.length),
    users: atMost(one.users, other.users.length),
    clock: other.clock && clock,
    forgetConsent: other.forgetConsent && forgetConsent,
    pages: other.pages.accountArea === undefined ? { ...pages, accountArea: undefined } : pages,
  };
}

type Ids = Target['projects'];

function atMost([first, ...rest]: Ids, count: number): Ids {
  return [first, ...rest.slice(0, count - 1)];
}

function cut(own: Target['application'], other: Target['application']): Target['application'] {
  return { ...own, redirectUris: atMost(own.redirectUris, other.redirectUris.length) };
}
