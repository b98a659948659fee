import { type PlayedBeside, playBeside } from '../../src/beside/beside.ts';
import { openBoth, type Side } from '../../src/beside/sides.ts';
import { ReceivedEvents } from '../../src/beside/target-player.ts';
import type { Defect } from '../../src/emulator/defects/define-defect.ts';
import type { Profile } from '../../src/emulator/profile.ts';
import { openToExplore } from '../../src/explore/replay.ts';
import { emulatorToExplore } from '../../src/targets/emulator.ts';

/** An emulator as one side, also with defects that no user can switch on. */
export function sideOf(profile: Profile | string, defects: readonly Defect[] = []): Side {
  return {
    live: false,
    open: async () => {
      const received = new ReceivedEvents();
      const target = await emulatorToExplore(profile, defects);
      return {
        ...(await openToExplore(target, undefined, undefined, received.take)),
        received,
        consented: false,
      };
    },
  };
}

/** Plays the same stories on two sides, everything allowed. */
export async function playedBeside(
  left: Side,
  right: Side,
  seed: number,
  requests: number,
): Promise<PlayedBeside> {
  const players = await openBoth(left, right);
  try {
    return await playBeside(players.left, players.right, { seed, requests, allowed: { refusals: true } });
  } finally {
    await players.close();
  }
}
