import type { NewApplication, ShownCredentials } from '../agent/user-agent.ts';
import { Conversation } from '../flow/conversation.ts';
import type { Session } from '../flow/session.ts';
import type { Target } from '../targets/target.ts';
import { AuthorizeActs } from './authorize-acts.ts';
import { Given } from './given.ts';
import type { Observe } from './observe.ts';
import { Refusals } from './refusals.ts';
import { TokenActs } from './token-acts.ts';
import { UserActs } from './user-acts.ts';

/** Everything that a check may use. */
export interface CheckContext {
  /** What the check needs and is not about; failing here blocks the check and fails nobody. */
  readonly given: Given;
  /** Requests to the authorization address through the browser (clause 4.1). */
  readonly authorize: AuthorizeActs;
  /** Requests to the token endpoint (clauses 4.2 and 4.3). */
  readonly token: TokenActs;
  /** The three operations (clause 4.4). */
  readonly users: UserActs;
  /** The account area's form for a new application (clauses 1 and 5.2); absent where the suite may not use it. */
  readonly account: ((wanted: NewApplication) => Promise<ShownCredentials>) | undefined;
  /** Ids, applications and abilities of the target; nothing that tells what it is. */
  readonly target: Target;
}

/** A context together with what its runner needs to know of it afterwards. */
export interface RunningContext {
  readonly context: CheckContext;
  readonly conversation: Conversation;
  readonly refusals: Refusals;
}

/** Returns a fresh context for one check. */
export function createContext(session: Session, observe: Observe): RunningContext {
  session.lastLists.forget();
  const conversation = new Conversation(session, session.newRecorder());
  const refusals = new Refusals();
  const given = new Given(conversation);
  const area = session.target.pages.accountArea;
  const context: CheckContext = {
    given,
    account: area && ((wanted) => conversation.createApplication(area, wanted)),
    authorize: new AuthorizeActs(conversation, refusals, observe),
    token: new TokenActs(conversation, refusals, observe),
    users: new UserActs(conversation, given, refusals, observe),
    target: session.target,
  };
  return { context, conversation, refusals };
}
