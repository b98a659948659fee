import type { Defect } from '../../src/emulator/defects/define-defect.ts';
import type { Profile } from '../../src/emulator/policy/profile.ts';
import { openToExplore } from '../../src/evaluation/explore/replay.ts';
import type { MonitorEvent } from '../../src/evaluation/monitor/events.ts';
import { type PlayedBeside, playBeside } from '../../src/record/beside/beside.ts';
import { onOpenSides, type Side } from '../../src/record/beside/sides.ts';
import { emulatorToExplore } from '../../src/service/emulator.ts';
import type { Target } from '../../src/service/target.ts';

/** An emulator as one side, also with defects that no user can switch on. */
export function sideOf(profile: Profile | string, defects: readonly Defect[] = []): Side {
  return sideOfTarget(() => emulatorToExplore(profile, defects));
}

export function sideOfTarget(open: () => Promise<Target>): Side {
  return {
    live: false,
    open: async () => {
      const received: MonitorEvent[] = [];
      const take = (event: MonitorEvent) => void received.push(event);
      const opened = await openToExplore(await open(), undefined, undefined, take);
      return { ...opened, received, consented: false };
    },
  };
}

export function playedBeside(left: Side, right: Side, seed: number, requests: number): Promise<PlayedBeside> {
  return onOpenSides(left, right, (one, other) => playBeside(one, other, { seed, requests, refusals: true }));
}
