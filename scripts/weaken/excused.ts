/** A weakening that no defect shows, with the reason to keep the statement. */
export interface Excused {
  readonly file: string;
  readonly statement: string;
  readonly why: string;
}

const SPARES_WORK = 'spares work or memory: what is found is the same';
const LIVE_ALONE = 'for live targets alone: the tests of live runs hold it (live-walk, live-lost-failures)';
const LEARNT =
  'for monitors that are told what another has learnt: repetitions of explored sequences begin with it';

export const EXCUSED: readonly Excused[] = [
  { file: 'races.ts', statement: 'seen.add(state)', why: SPARES_WORK },
  { file: 'monitor.ts', statement: 'this.#pending.delete(id)', why: SPARES_WORK },
  { file: 'projects.ts', statement: 'this.#since.shift()', why: SPARES_WORK },
  { file: 'tally.ts', statement: 'this.#kept.set(key', why: SPARES_WORK },
  { file: 'monitor.ts', statement: 'this.#tally.doubt(', why: LIVE_ALONE },
  { file: 'tally.ts', statement: 'this.#findings = this.#findings.map(', why: LIVE_ALONE },
  { file: 'projects.ts', statement: 'this.#atStart = new Map(users', why: LEARNT },
  { file: 'projects.ts', statement: 'this.reset()', why: LEARNT },
];
