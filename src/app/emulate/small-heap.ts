import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the memory of this process near what it holds. By itself V8 lets the heap grow by half before it collects, and gives new objects 128 MiB although an emulator's
 * hardly outlive a request: with a million live token pairs that is more than all of them take. What it costs: docs/decisions/emulator-memory.md. Only for
 * a process that is the emulator's own; to be called once it has started, when the space for new objects has its first 8 MiB.
 */
export function keepHeapSmall(): void {
  // It grows to twice its size, otherwise.
  setFlagsFromString('--semi-space-growth-factor=1');
  // New objects reach the old ones sooner then, so these are to be collected sooner.
  setFlagsFromString('--heap-growing-percent=30');
}
