/** Names for the parts of a profile. The shapes come from `spec/profile.schema.json`, which says what each answer means. */
export type {
  Profile,
  ProfileAnswers,
  ProfileFailureBody,
  ProfileOauthFailure,
  ProfileObserved,
  ProfileOperationAnswer,
  ProfileOtherMethod,
  ProfileResourceFailure,
} from '../../generated/schemas.d.ts';
