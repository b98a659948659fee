import type { RequirementId } from '../../../generated/ids.ts';

/** Differences on a live target from the defect's `breaks`, with the reason. */
export type HiddenOnLive = { readonly reason: string } & (
  | {
      /** The whole run comes to nothing: exit 3, or 4 where a user is left, and never 0. */
      readonly stopsTheRun: true;
      /** Requirements that fail nevertheless. */
      readonly instead?: readonly RequirementId[];
    }
  | {
      /** Requirements that do not fail there. */
      readonly hidden: readonly RequirementId[];
      /** Requirements that fail there in addition. */
      readonly instead: readonly RequirementId[];
    }
);

const ASKED_EVERY_TIME =
  'the service of this matrix asks for consent every time, so that denial can be checked; the defect shows where consent is remembered';
const WRONG_SETTING = 'the smoke flow is refused as by a service whose configuration is wrong';
const OTHERS = "the user who is put out is another person's, and these may come and go";
const SECONDS =
  'clocks of a live target differ by seconds: the last ones before the end and the first ones after it are checked on the emulator alone';
const STAYS = 'what the request has created stays at the service, and what is checked later meets it';

/**
 * The defects whose exact set is another when the emulator is a live target: a gate may hide what the suite cannot tell from
 * another cause. Whatever is not in this list must come out as on the emulator; what no longer needs to be in it is reported.
 */
export const HIDDEN_ON_LIVE: Readonly<Record<string, HiddenOnLive>> = {
  'authorize-code-unencoded': {
    reason: `${WRONG_SETTING}: the code that the redirect holds is not known`,
    stopsTheRun: true,
  },
  'exchange-token-never-acts': {
    reason: `${WRONG_SETTING}: no presentation of the token is accepted (\`token.presentation\`)`,
    stopsTheRun: true,
  },
  'exchange-token-acts-a-second-late': {
    reason: `${WRONG_SETTING}: no presentation of the token is accepted (\`token.presentation\`), and no time passes on this clock`,
    stopsTheRun: true,
  },
  'version-next-only': {
    reason: `${WRONG_SETTING}: nothing answers under \`baseUrl\``,
    stopsTheRun: true,
  },
  'list-holds-every-user': {
    reason: "the suite's own users are listed before it has assigned a user, so it leaves the projects alone",
    stopsTheRun: true,
  },
  'scope-unassign-never-allowed': {
    reason: 'the user of the smoke flow stays assigned, and the service answers each request to unassign',
    stopsTheRun: true,
    instead: ['unassign.removes-user'],
  },
  'list-first-page-only': {
    reason: 'the user of the lock fills the page, so an assigned user is missing already in the first check',
    hidden: [],
    instead: ['assign.adds-user'],
  },
  'assign-unknown-user-is-the-last': {
    reason: "the user who is assigned instead is another person's, and these may come and go",
    hidden: ['assign.unknown-user-refused'],
    instead: ['resource.failure-status'],
  },
  'assign-puts-out-the-oldest': {
    reason: `${OTHERS}, and not every assign puts out one`,
    hidden: ['assign.leaves-others'],
    instead: [],
  },
  'list-removed-user-returns': {
    reason:
      'cleaning up never ends, because a user who was unassigned comes back: no user is assigned after that',
    hidden: [],
    instead: ['unassign.removes-user'],
  },
  'authorize-redirect-unchecked-once-consented': {
    reason: ASKED_EVERY_TIME,
    hidden: ['authorize.redirect-uri-authorized', 'authorize.redirect-uri-exact'],
    instead: [],
  },
  'authorize-remembered-consent-without-code': {
    reason: ASKED_EVERY_TIME,
    hidden: ['authorize.redirects-with-code'],
    instead: [],
  },
  'assign-creates-project': {
    reason: STAYS,
    hidden: [],
    instead: ['list.unknown-project-refused', 'resource.failure-status'],
  },
  'assign-creates-user': { reason: STAYS, hidden: [], instead: ['resource.failure-status'] },
  'lifetime-ends-seconds-early': {
    reason: SECONDS,
    hidden: ['lifetime.alive-until-7200'],
    instead: [],
  },
  'lifetime-ends-seconds-late': {
    reason: SECONDS,
    hidden: ['lifetime.dead-after-7200'],
    instead: [],
  },
};
