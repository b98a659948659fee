import type { RequirementId } from '../../../generated/ids.ts';
import type { RecordEntry, Recorder } from '../../http/recorder.ts';
import { Unreachable } from '../../http/unreachable.ts';
import type { AuthorizeOutcome, PageCause } from '../agent/user-agent.ts';
import type { ConfigurationFinding } from '../target.ts';
import type { ReceivedTokens } from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import type { Operation, RequestStyle } from './requests.ts';

/** Clues to the cause of a step that did not work. Settings and diagnoses are chosen by it, never by a message. */
export interface Clues {
  readonly cause?: PageCause | 'error redirected' | 'lock' | undefined;
  /** The message's two parts. */
  readonly finding?: ConfigurationFinding | undefined;
  /** The words of the service: the error of a redirect, a page's text, or a body. */
  readonly says?: string | undefined;
  /** The status of the page that was shown last. */
  readonly pageStatus?: number | undefined;
}

export interface StepOutcome extends Clues {
  readonly step: StepId;
  /**
   * `wrong`: answered with wrong content; `no-answer`: no answer, or a request to retry later; `unable`: the configuration lacks
   * something, so nothing was sent; `workaround`: refused as documented, accepted with one workaround from the document.
   */
  readonly status: 'done' | 'wrong' | 'refused' | 'no-answer' | 'unable' | 'workaround';
  readonly message: string;
  readonly entries: readonly RecordEntry[];
  /** The requirement that a workaround shows broken, if it is not the step's. */
  readonly owner?: RequirementId | undefined;
  readonly ownLeft?: readonly OwnAssignment[];
  readonly httpStatus?: number;
}

/** Tells where the flow stopped, in the words of `doctor`; a service that cannot be reached stands alone. */
export function stoppedText({ step, message, cause }: StepOutcome): string {
  if (cause instanceof Unreachable) return message;
  return `${step === 'act' ? 'list' : step}: ${message}`;
}

/** Steps of the smoke flow, each with the requirement that it belongs to. */
export const STEP_OWNER = {
  'sign-in': 'application.user-authenticated',
  authorize: 'authorize.redirects-with-code',
  exchange: 'exchange.form-encoded',
  act: 'exchange.token-acts',
  assign: 'assign.adds-user',
  list: 'list.returns-assigned',
  unassign: 'unassign.removes-user',
  refresh: 'refresh.token-response',
} as const satisfies Readonly<Record<string, RequirementId>>;

export type StepId = keyof typeof STEP_OWNER;

/** A permanent redirect (RFC 9110 section 15.4), as frameworks send to the spelling of a path that they know. */
const REDIRECTS: readonly number[] = [301, 308];

export const NOT_THERE: readonly number[] = [404, 405, 410, 501];

/**
 * Returns the requirement to blame for a refused operation whose token, project and user are good. A 401 concerns the
 * token, a 403 its scopes, a missing path the path; all others concern the operation.
 */
export function ownerOfRefusal(operation: Operation, status: number | undefined): RequirementId {
  if (status === 401) return 'exchange.token-acts';
  if (status === 403) return 'scope.granted-scopes-act';
  return status !== undefined && NOT_THERE.includes(status) ? 'version.prefix' : STEP_OWNER[operation];
}

export interface SmokeFlow {
  readonly steps: readonly StepOutcome[];
  readonly requestStyle: RequestStyle;
  readonly stopped: StepOutcome | undefined;
}

/** Returns where a flow stopped that went further before. Wrong content is no outage. */
export function stoppedSince(before: SmokeFlow, { stopped }: SmokeFlow): StepOutcome | undefined {
  return stopped?.status === 'wrong' || stopped?.step === before.stopped?.step ? undefined : stopped;
}

export interface Opening {
  readonly outcome: AuthorizeOutcome;
  readonly recorder: Recorder;
}

export interface TokenFlow extends SmokeFlow {
  readonly tokens: ReceivedTokens | undefined;
}

/** A way in which a service may deviate from the document. It is proven if a refused step succeeds with it. */
interface Workaround {
  readonly description: string;
  readonly requestStyle: RequestStyle;
  /** False if the document leaves the matter open, so that the workaround breaks nothing. */
  readonly violates: boolean;
  readonly owner?: RequirementId;
}

/** Returns the workarounds worth trying for a refused step, the likeliest first. Each differs from the present style in one answer. */
export function workaroundsFor(
  step: StepId,
  requestStyle: RequestStyle,
  status: number | undefined,
): readonly Workaround[] {
  const workaround = (
    description: string,
    change: Partial<RequestStyle>,
    violates = true,
    owner?: RequirementId,
  ): Workaround => ({ description, requestStyle: { ...requestStyle, ...change }, violates, owner });
  if (step === 'authorize') {
    return [
      workaround('with a `state` parameter', { sendState: true }),
      workaround('with `%20` in place of the plus sign', { scopeSeparator: '%20' }),
      workaround('with a `code_challenge` (PKCE)', { pkce: true }),
    ];
  }
  const redirects = status !== undefined && REDIRECTS.includes(status);
  if (redirects && (step === 'exchange' || step === 'refresh'))
    return [workaround('with a slash at the end of the path', { tokenSlash: true })];
  if (redirects && (step === 'act' || step === 'assign' || step === 'unassign'))
    return [workaround('with a slash at the end of the path', { apiSlash: true }, true, 'version.prefix')];
  if (step === 'assign' || step === 'unassign') {
    if (status === undefined || !NOT_THERE.includes(status)) return [];
    const unversioned = [...requestStyle.unversioned, step];
    return [workaround(`without \`/v2\` in the path of ${step}`, { unversioned }, true, 'version.prefix')];
  }
  if (step === 'exchange' || step === 'refresh') {
    return [
      ...(step === 'refresh' ? [workaround('with a `scope` parameter', { scopeAtRefresh: true })] : []),
      workaround('with HTTP Basic client authentication', { clientAuthentication: 'basic' }),
      workaround('with a JSON body', { tokenBody: 'json' }),
    ];
  }
  if (step === 'act') {
    const { presentation } = requestStyle;
    const others = PRESENTATIONS.filter((p) => JSON.stringify(p) !== JSON.stringify(presentation));
    return [
      ...others.map((p) =>
        workaround(`with the token ${describePresentation(p)}`, { presentation: p }, false),
      ),
      workaround('without `/v2` in the path', { versionPrefix: '' }, true, 'version.prefix'),
      // The service takes a connection for the user of its first request.
      workaround('on a connection of its own', { ownConnections: true }),
    ];
  }
  return [];
}

const PRESENTATIONS: readonly RequestStyle['presentation'][] = [
  { in: 'header', scheme: 'Bearer' },
  { in: 'query', name: 'access_token' },
  { in: 'query', name: 'bearer_token' },
  { in: 'header', scheme: 'Token' },
  { in: 'header', scheme: 'OAuth' },
];

function describePresentation(presentation: RequestStyle['presentation']): string {
  return presentation.in === 'header'
    ? `in \`Authorization: ${presentation.scheme}\``
    : `in the ${presentation.in} parameter \`${presentation.name}\``;
}
