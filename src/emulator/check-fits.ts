import type { Validator } from '../../generated/validators.js';
import { describeErrors, formatKey } from '../catalogue/describe-errors.ts';

/**
 * Checks a value from outside against its schema.
 *
 * @throws RangeError naming each key, what was expected and what came
 */
export function checkFits<T>(name: string, validate: Validator<T>, value: unknown): asserts value is T {
  if (validate(value)) return;
  const problems = describeErrors(validate.errors ?? []);
  throw new RangeError(
    problems
      .map(({ path, expected, came }) => `${formatKey([name, ...path])}: expected ${expected}, got ${came}`)
      .join('; '),
  );
}
