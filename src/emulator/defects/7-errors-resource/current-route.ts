import type { AssignmentsPolicy, ResourceOperation } from '../../policy.ts';

export function currentOperation(assignments: AssignmentsPolicy): {
  readonly route: AssignmentsPolicy['route'];
  readonly is: (operation: ResourceOperation) => boolean;
} {
  let current: ResourceOperation | undefined;
  return {
    route(method, path) {
      const route = assignments.route(method, path);
      current = 'operation' in route ? route.operation : undefined;
      return route;
    },
    is: (operation) => operation === current,
  };
}

/** True for an id that is a number which the service could have assigned. */
export function isOrdinary(id: string): boolean {
  return /^\d{1,12}$/.test(id);
}
