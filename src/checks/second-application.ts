import type { Application, Target } from '../targets/target.ts';
import { NotApplicable } from './outcome.ts';

/** The second application; checks that need it declare the ability, so that it is there. */
export function secondApplication(target: Target): Application {
  if (target.secondApplication !== undefined) return target.secondApplication;
  throw new NotApplicable('second-application', 'needs second-application');
}
