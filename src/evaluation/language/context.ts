import type { Recorder } from '../../http/recorder.ts';
import type { NewApplication, ShownCredentials } from '../../service/agent/user-agent.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import { newRecorder, type Session, withRecordedClock } from '../../service/flow/session.ts';
import type { Target } from '../../service/target.ts';
import { Refusals } from './action-parts.ts';
import { AuthorizeActions } from './authorize-actions.ts';
import { Given } from './given.ts';
import type { NoteAnswer } from './note-answer.ts';
import type { SharedRefusals } from './shared-refusals.ts';
import { TokenActions } from './token-actions.ts';
import { UserActions } from './user-actions.ts';

export interface CheckContext {
  readonly given: Given;
  readonly authorize: AuthorizeActions;
  readonly token: TokenActions;
  readonly users: UserActions;
  /** Creates an application in the account area (clauses 1 and 5.2); undefined if the suite may not use it. */
  readonly account: ((wanted: NewApplication) => Promise<ShownCredentials>) | undefined;
  readonly target: Target;
  readonly sharedRefusals: SharedRefusals;
  readonly recorder: Recorder;
}

export interface RunningContext {
  readonly context: CheckContext;
  readonly serviceClient: ServiceClient;
  readonly refusals: Refusals;
}

export function createContext(
  unrecorded: Session,
  noteAnswer: NoteAnswer,
  sharedRefusals: SharedRefusals,
): RunningContext {
  unrecorded.lastLists.forget();
  const recorder = newRecorder(unrecorded);
  const session = withRecordedClock(unrecorded, recorder);
  const serviceClient = new ServiceClient(session, recorder);
  const refusals = new Refusals();
  const given = new Given(serviceClient);
  const acting = { serviceClient, given, refusals, noteAnswer };
  const area = session.target.pages.accountArea;
  const context: CheckContext = {
    given,
    account: area && ((wanted) => serviceClient.createApplication(area, wanted)),
    authorize: new AuthorizeActions(acting),
    token: new TokenActions(acting),
    users: new UserActions(acting),
    target: session.target,
    sharedRefusals,
    recorder,
  };
  return { context, serviceClient, refusals };
}
