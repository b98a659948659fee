import { deserialize, serialize } from 'node:v8';
import type { Service } from '../service.ts';
import type { AuthorizationCode, Grant, IssuedPair, RegisteredApplication } from './records.ts';
import type { Assignment, ResolvedSeed } from './seed.ts';

/** Raised whenever {@link SavedState} or a record in it changes. */
const VERSION = 1;

/** The records that outlive a process. References between them survive, because V8 serializes the graph. */
interface SavedState {
  readonly version: number;
  readonly seed: ResolvedSeed;
  readonly applications: readonly RegisteredApplication[];
  readonly grants: readonly Grant[];
  readonly codes: readonly AuthorizationCode[];
  readonly pairs: readonly IssuedPair[];
  /** In the order of assignment within each project. */
  readonly assignments: readonly Assignment[];
}

/** Returns the applications, grants, codes, tokens and assignments; sessions, faults and the journal are left out. */
export function savedState({ seed, store }: Service): Uint8Array {
  const { applications, grants, codes, tokens, assignments } = store;
  return serialize({
    version: VERSION,
    seed,
    applications: [...applications.values()],
    grants: grants.all(),
    codes: [...codes.values()],
    pairs: [...tokens.values()],
    assignments: [...assignments.projects()].flatMap((project) =>
      [...assignments.of(project)].map((user) => ({ project, user })),
    ),
  } satisfies SavedState);
}

/** Replaces the seed with a saved state's, and returns what adds its records. @throws TypeError for bytes of another version */
export function openState(service: Service, bytes: Uint8Array): () => void {
  const saved = read(bytes);
  service.seed = saved.seed;
  return () => {
    const { applications, grants, codes, tokens, assignments } = service.store;
    for (const application of saved.applications) applications.set(application.clientId, application);
    for (const grant of saved.grants) grants.add(grant);
    for (const code of saved.codes) codes.set(code.value, code);
    for (const pair of saved.pairs) tokens.restore(pair);
    for (const { project, user } of saved.seed.assignments) assignments.remove(project, user);
    for (const { project, user } of saved.assignments) assignments.add(project, user);
  };
}

function read(bytes: Uint8Array): SavedState {
  let saved: Partial<SavedState> | undefined;
  try {
    saved = deserialize(bytes);
  } catch (error) {
    throw new TypeError('state: expected what an emulator has saved, got other data', { cause: error });
  }
  if (saved?.version !== VERSION)
    throw new TypeError(`state: expected version ${VERSION}, got ${saved?.version ?? 'none'}`);
  return saved as SavedState;
}
