import type { RequirementId, StepId } from '../../generated/ids.ts';
import type { AuthorizeOutcome } from '../agent/user-agent.ts';
import type { RecordEntry, Recorder } from '../exchange/recorder.ts';
import type { ReceivedTokens } from './answers.ts';
import type { OwnAssignment } from './leftovers.ts';
import type { RequestStyle } from './request-style.ts';
import type { Workaround } from './workarounds.ts';

export interface StepOutcome {
  readonly step: StepId;
  /**
   * `wrong`: answered with wrong content; `no-answer`: the service did not answer; `departed`: refused as documented,
   * accepted with one workaround from the document.
   */
  readonly status: 'done' | 'wrong' | 'refused' | 'no-answer' | 'departed';
  readonly message: string;
  readonly entries: readonly RecordEntry[];
  readonly workaround?: Workaround;
  readonly ownLeft?: readonly OwnAssignment[];
  readonly httpStatus?: number;
}

export const STEP_OWNER: Readonly<Record<StepId, RequirementId>> = {
  'sign-in': 'application.user-authenticated',
  authorize: 'authorize.redirects-with-code',
  exchange: 'exchange.form-encoded',
  act: 'exchange.token-acts',
  version: 'version.prefix',
  assign: 'assign.adds-user',
  list: 'list.returns-assigned',
  unassign: 'unassign.removes-user',
  refresh: 'refresh.token-response',
};

export interface SmokeFlow {
  readonly steps: readonly StepOutcome[];
  readonly requestStyle: RequestStyle;
  readonly stopped: StepOutcome | undefined;
  readonly left?: string;
}

export interface Opening {
  readonly outcome: AuthorizeOutcome;
  readonly recorder: Recorder;
}

export interface TokenFlow extends SmokeFlow {
  readonly tokens: ReceivedTokens | undefined;
}
