/**
 * Names of the emulator's own for the parts of a profile. The shapes come from `spec/profile.schema.json`, which says what
 * each answer means.
 */
export type {
  Profile,
  ProfileAnswers as Answers,
  ProfileDepartures as Departures,
  ProfileExtraHeaders as ExtraHeaders,
  ProfileIdForms as IdForms,
  ProfileListShape as ListShape,
  ProfileOperationAnswer as OperationAnswer,
  ProfileOtherMethod as OtherMethod,
  ProfileRepeatedParameter as RepeatedParameter,
  ProfileResponseHeaders as ResponseHeaders,
  ProfileShape as Shape,
  ProfileTokenFate as TokenFate,
  ProfileTokenPlace as TokenPlace,
} from '../../generated/schemas.d.ts';
