import type { Validator } from '../../../generated/validators.js';
import { describeErrors, formatKey, problemText } from '../../document/describe-errors.ts';

/** @throws RangeError naming each key, the expectation and the value */
export function checkFits<T>(name: string, validate: Validator<T>, value: unknown): asserts value is T {
  if (validate(value)) return;
  const problems = describeErrors(validate.errors ?? []);
  throw new RangeError(
    problems.map((one) => problemText(one, `${formatKey([name, ...one.path])}: `)).join('; '),
  );
}
