import { dirname, join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import type { ExpectedRetirement } from '../report/policy.ts';

export function expectedRetirement({ retired, file }: Configuration): ExpectedRetirement | undefined {
  if (retired === undefined) return undefined;
  const { expectedFrom, shim, profile } = retired;
  return {
    from: expectedFrom,
    takesOver: [
      ...(shim === undefined ? [] : [`the shim (check --target ${join(dirname(file), shim)})`]),
      ...(profile === undefined
        ? []
        : [`the recorded profile (emulate --profile ${join(dirname(file), profile)})`]),
    ],
  };
}
