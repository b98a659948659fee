import { openToExplore } from '../explore/open.ts';
import type { FreshService } from '../explore/replay.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { openTargetToExplore, type TargetChoice } from '../targets/open-target.ts';
import { meetOf } from './place.ts';
import { ReceivedEvents, TargetPlayer } from './target-player.ts';

export interface OpenedSide extends FreshService {
  readonly received: ReceivedEvents;
}

export interface Side {
  readonly live: boolean;
  open(): Promise<OpenedSide>;
}

export function emulatorSide(choice: TargetChoice, secrets?: SecretRegistry): Side {
  return {
    live: false,
    open: async () => {
      const received = new ReceivedEvents();
      const target = await openTargetToExplore(choice);
      return { ...(await openToExplore(target, secrets, undefined, received.take)), received };
    },
  };
}

export function liveSide(opened: Omit<OpenedSide, 'close'>): Side {
  return { live: true, open: async () => ({ ...opened, close: async () => undefined }) };
}

export interface Players {
  readonly left: TargetPlayer;
  readonly right: TargetPlayer;
  close(): Promise<void>;
}

/**
 * Opens both sides, limited to their common abilities.
 *
 * @param names member and header names that answers may show; undefined for all
 */
export async function openBoth(left: Side, right: Side, names?: ReadonlySet<string>): Promise<Players> {
  const one = await left.open();
  const other = await right.open();
  return {
    left: playerOf(one, other, names),
    right: playerOf(other, one, names),
    close: async () => {
      await one.close();
      await other.close();
    },
  };
}

function playerOf(
  { watched, session, received }: OpenedSide,
  other: OpenedSide,
  names?: ReadonlySet<string>,
): TargetPlayer {
  const target = meetOf(session.target, other.session.target);
  return new TargetPlayer(watched, { ...session, target }, received, names);
}
