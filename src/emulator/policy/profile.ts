/** The emulator's names for the parts of a profile, from `spec/profile.schema.json` and `spec/open-points.yaml`. */
import type { WholeProfile } from '../../document/profiles/profile.ts';

export type {
  ProfileBody as Body,
  ProfileDepartures as Departures,
  ProfileMethodAnswer as MethodAnswer,
  ProfilePageAnswer as PageAnswer,
  ProfilePaging as Paging,
  ProfileSuccess as Look,
  ProfileTokenPlace as TokenPlace,
} from '../../../generated/schemas.d.ts';
export type { Profile, WholeProfile } from '../../document/profiles/profile.ts';

export type Answers = WholeProfile['answers'];

/** The moment when a token of the old pair dies at a refresh. */
export type TokenFate = Answers['refresh-fate.old-refresh-token'];
