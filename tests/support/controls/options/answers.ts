import type { WholeProfile } from '../../../../src/emulator/profile.ts';
import { authorizeFailures, otherMethods, resourceFailures, tokenFailures } from './failures.ts';
import type { Options } from './options.ts';
import { aroundThem, flow, operations } from './successes.ts';

/** The answers by aspect of a service with these options. Options combine in every way; answers depend on each other. */
export function answersOf(options: Options): WholeProfile['answers'] {
  return {
    ...operations(options),
    ...resourceFailures(options),
    ...tokenFailures(options),
    ...authorizeFailures(options, false),
    ...flow(options),
    ...otherMethods(options),
    ...aroundThem(options),
  } as unknown as WholeProfile['answers'];
}
