import type { AssignmentsPolicy, ResourceOperation } from '../../policy.ts';

/**
 * Which operation is under way: records are looked up right after the path is read, without anything in between.
 *
 * @returns the route function that notes it, and what it noted last
 */
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

/** Whether an id is an ordinary number: what a service would take for an id that it could have given. */
export function isOrdinary(id: string): boolean {
  return /^\d{1,12}$/.test(id);
}
