import { setFlagsFromString } from 'node:v8';

/**
 * Limits V8's memory: 420 MB instead of 500 to 570 for a million token pairs (costs: docs/decisions.md). Only for the
 * emulator's own process; call it once started, when the space for new objects has 8 MiB.
 */
export function keepHeapSmall(): void {
  // Otherwise it doubles.
  setFlagsFromString('--semi-space-growth-factor=1');
  // New objects then become old sooner, so the old ones must be collected sooner.
  setFlagsFromString('--heap-growing-percent=30');
}
