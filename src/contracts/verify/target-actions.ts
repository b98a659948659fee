import { FlowSteps, orStopped, Stopped } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';

/**
 * Sets up provider states on a target: codes by real grants, assignments of the suite's own users only. Its own token is
 * for the suite's own requests, so that pacts get unused ones.
 */
export class TargetActions extends FlowSteps {
  async assigned(wanted: boolean): Promise<void> {
    const now = await this.#isAssigned();
    if (now) this.#refuseForeign();
    if (now === wanted) return;
    const operation = wanted ? 'assign' : 'unassign';
    await this.#send(operation);
    if ((await this.#isAssigned()) === wanted) return;
    const shown = wanted
      ? 'does not hold the user who was assigned'
      : 'still holds the user who was unassigned';
    throw new Stopped(operation, 'wrong', `the list ${shown}`);
  }

  next(): void {
    this.serviceClient = new ServiceClient(this.session);
  }

  #refuseForeign(): void {
    const { target, assignedByRun } = this.session;
    const [project, user] = [target.projects[0], target.users[0]];
    if (!target.isLive || assignedByRun.has(project, user)) return;
    const why = `user ${user} is assigned to project ${project}, and not by this run; correct \`users\`: these must be users that only the suite uses`;
    throw new Stopped('list', 'unable', why);
  }

  async #isAssigned(): Promise<boolean> {
    const { response } = await this.#send('list');
    return this.serviceClient.listedAmong([this.target.users[0]], response).length > 0;
  }

  async #send(operation: 'assign' | 'unassign' | 'list') {
    const answer = await orStopped(this.act(operation));
    if (!(answer instanceof Stopped)) return answer;
    if (answer.httpStatus !== 401 && answer.httpStatus !== 403) throw answer;
    this.forgetToken();
    return this.act(operation);
  }
}
