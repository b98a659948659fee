import type { ProfileId } from '../../../generated/ids.ts';

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
