import type { ServiceAnswer } from '../answer.ts';
import type { ResourceRoute } from '../policy/policy.ts';
import { isRefusal, type ResourceRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import type { IssuedPair } from '../store/records.ts';
import { retireSuperseded } from './token.ts';

export async function assignedUsers(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const { assignments, answer } = service.policy;
  const route = assignments.route(http.method, http.path);
  if ('allowed' in route) return answer.otherMethod('resource', http.method, route.allowed);
  if (isRefusal(route)) return answer.resourceFailure(route);
  const pair = authenticated(http, route, service);
  if (isRefusal(pair)) return answer.resourceFailure(pair);
  return operate(http, route, service);
}

function authenticated(
  request: HttpRequest,
  { operation }: ResourceRoute,
  service: Service,
): IssuedPair | ResourceRefusal {
  const { policy, store, clock } = service;
  const pair = policy.token.find(policy.token.presented(request), store);
  if (isRefusal(pair)) return pair;
  const dead = policy.token.check(pair, clock.now());
  if (dead !== undefined) return dead;
  retireSuperseded(pair, service);
  return policy.token.permits(operation, pair) ?? pair;
}

async function operate(http: HttpRequest, route: ResourceRoute, service: Service): Promise<ServiceAnswer> {
  const { policy, store, clock } = service;
  const { assignments, answer } = policy;
  const project = assignments.project(route.projectId, store);
  if (isRefusal(project)) return answer.resourceFailure(project);
  const now = clock.now();
  if (route.operation === 'list') {
    const ids = await assignments.list(store.assignments, project, now);
    const users = ids.map((id) => store.users.get(id)).filter((user) => user !== undefined);
    http.outcome.effect = 'listed';
    return answer.list(project, users, http.query);
  }
  const user = assignments.user(route.userId, store);
  if (isRefusal(user)) return answer.resourceFailure(user);
  if (route.operation === 'assign') {
    const outcome = await assignments.assign(store.assignments, project, user, now);
    http.outcome.effect = outcome;
    return answer.assigned(outcome, project, user);
  }
  const outcome = await assignments.unassign(store.assignments, project, user, now);
  http.outcome.effect = outcome;
  return answer.unassigned(outcome, project, user);
}
