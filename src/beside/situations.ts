import type { Script } from '../explore/script.ts';
import type { Situation } from '../explore/situations/index.ts';

/** Seconds between a code and its exchange. The document gives codes no lifetime (clause 8). */
const WAITS = [31, 61, 121, 301, 601] as const;

/** Situations in which the document demands nothing, so that only a comparison shows a difference. */
export const OPEN_SITUATIONS: readonly Situation[] = [
  { name: 'a code waits', write: codeWaits, times: 3, needs: ['clock'] },
  { name: 'the old token', write: oldToken, times: 3 },
];

function codeWaits(script: Script): void {
  const code = script.code();
  script.wait(script.supply.decks.next(WAITS));
  script.list(script.supply.project(), script.exchange(code));
}

function oldToken(script: Script): void {
  const project = script.supply.project();
  const { pair } = script.pair();
  const next = script.refresh(pair);
  script.list(project, pair);
  script.list(project, next);
  script.list(project, pair);
}
