import type { Application, Target } from '../targets/target.ts';
import { NotApplicable } from './outcome.ts';

export function secondApplication(target: Target): Application {
  if (target.secondApplication !== undefined) return target.secondApplication;
  throw new NotApplicable('second-application', 'needs second-application');
}
