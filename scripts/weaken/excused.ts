/** A weakening that no defect shows, with the reason to keep the statement. */
export interface Excused {
  readonly file: string;
  readonly statement: string;
  readonly why: string;
}

const SPARES_WORK = 'spares work or memory: what is found is the same';
const LIVE_ALONE = 'for live targets alone: tests/evaluation/monitor/monitor.spec.ts holds it';
const NOTHING_LEARNT =
  'for what is learnt from other grants: the used refresh token alone leaves as much open';
const LEARNT =
  'for monitors that are told what another has learnt: repetitions of explored sequences begin with it';

const OTHERS_ALONE =
  "for other people's users of live targets alone: tests/evaluation/checks/refused-calls.spec.ts holds it";
const PASSING_PAGE =
  'for a page that comes once in place of JSON, which no emulator sends: tests/evaluation/checks/live-faults.spec.ts holds it';

export const EXCUSED: readonly Excused[] = [
  { file: 'races.ts', statement: 'seen.add(state)', why: SPARES_WORK },
  { file: 'monitor.ts', statement: 'this.#pending.delete(id)', why: SPARES_WORK },
  { file: 'projects.ts', statement: 'this.#since.shift()', why: SPARES_WORK },
  { file: 'findings.ts', statement: 'this.#kept.set(key', why: SPARES_WORK },
  { file: 'list-history.ts', statement: 'KEYS.set(ids', why: SPARES_WORK },
  { file: 'monitor.ts', statement: 'this.#findings.markUncertain(', why: LIVE_ALONE },
  { file: 'findings.ts', statement: 'this.#all = this.#all.map(', why: LIVE_ALONE },
  { file: 'findings.ts', statement: 'this.#hadJson.add(of)', why: PASSING_PAGE },
  { file: 'findings.ts', statement: 'this.#tolerated.add(of)', why: PASSING_PAGE },
  { file: 'list-rules.ts', statement: "this.#pages.tolerates('list'", why: PASSING_PAGE },
  { file: 'list-rules.ts', statement: 'this.#others.listed(', why: OTHERS_ALONE },
  { file: 'list-rules.ts', statement: 'model.trust(one)', why: OTHERS_ALONE },
  { file: 'other-users.ts', statement: 'this.#losses[own] += ', why: OTHERS_ALONE },
  { file: 'other-users.ts', statement: 'kind: OTHERS_LOST', why: OTHERS_ALONE },
  {
    file: 'token-rules.ts',
    statement: "markChanged(pair?.family, 'a refresh got no answer')",
    why: NOTHING_LEARNT,
  },
  { file: 'projects.ts', statement: 'this.#atStart = new Map(users', why: LEARNT },
  { file: 'projects.ts', statement: 'this.reset()', why: LEARNT },
];
