import type { ProfileId } from '../../../generated/ids.ts';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';

/** The id of a profile, or the path of a file with one. */
export type ProfileName = ProfileId | `${string}.yaml`;

/** Options as the command line has them: with any text for an id. */
export type Unchecked<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends string | undefined
    ? string | undefined
    : Options[Name] extends readonly string[] | undefined
      ? readonly string[] | undefined
      : Options[Name];
};

/** A target: the emulator, the path of a configuration file, or a configuration. */
export type TargetOption = 'emulator' | (string & {}) | ConfigurationFile;

/** Returns a program's target. A configuration that no file holds has a name for messages; its relative paths are those of the current folder. */
export function namedTarget(target: TargetOption): {
  readonly target: string;
  readonly given?: ConfigurationFile;
} {
  return typeof target === 'string' ? { target } : { target: 'configuration', given: target };
}
