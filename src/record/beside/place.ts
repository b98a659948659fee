import { type Step, withIds } from '../../evaluation/explore/steps.ts';
import { unknownId } from '../../service/flow/never-issued.ts';
import type { Target } from '../../service/target.ts';

const UNKNOWN = 'unknown ';

/**
 * Translates ids between a target and the stories that both sides share. A story names projects and users by their place in the
 * configuration: `1`, `2`, and `unknown 1` for the unused id derived from the first.
 */
export class StoryPlace {
  readonly #target: Pick<Target, 'projects' | 'users'>;

  constructor(target: Pick<Target, 'projects' | 'users'>) {
    this.#target = target;
  }

  own(step: Step): Step {
    return this.#translated(step, ownId);
  }

  shared(step: Step): Step {
    return this.#translated(step, sharedId);
  }

  #translated(step: Step, idIn: (ids: readonly string[], id: string) => string): Step {
    const { projects, users } = this.#target;
    return withIds(
      step,
      (id) => idIn(projects, id),
      (id) => idIn(users, id),
    );
  }

  user(id: string): string | undefined {
    const at = this.#target.users.indexOf(id);
    return at < 0 ? undefined : String(at + 1);
  }
}

function ownId(ids: readonly string[], shared: string): string {
  const unknown = shared.startsWith(UNKNOWN);
  const id = ids[Number(unknown ? shared.slice(UNKNOWN.length) : shared) - 1] ?? ids[0] ?? '';
  return unknown ? unknownId(id) : id;
}

function sharedId(ids: readonly string[], own: string): string {
  const at = ids.indexOf(own);
  if (at >= 0) return String(at + 1);
  const unknown = ids.findIndex((id) => unknownId(id) === own);
  return `${UNKNOWN}${Math.max(0, unknown) + 1}`;
}
