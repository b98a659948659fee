import { decodeSegment } from '../parameters.ts';
import type { AssignmentsPolicy } from '../policy.ts';
import { refuse } from '../refusal.ts';

export function assignmentsPolicy(): AssignmentsPolicy {
  return {
    route(method, path) {
      const segments = path.split('/');
      const [, version, projects, projectId, assignedUsers, userId] = segments;
      if (
        (segments.length !== 5 && segments.length !== 6) ||
        version !== 'v2' ||
        projects !== 'projects' ||
        assignedUsers !== 'assigned_users' ||
        !projectId ||
        userId === ''
      ) {
        return refuse('path-unknown', `${path} is no path of the resource API`);
      }
      const project = decodeSegment(projectId);
      if (userId === undefined) {
        return method === 'GET'
          ? { operation: 'list', projectId: project, userId: '' }
          : { allowed: ['GET'] };
      }
      const user = decodeSegment(userId);
      if (method === 'PUT') return { operation: 'assign', projectId: project, userId: user };
      if (method === 'DELETE') return { operation: 'unassign', projectId: project, userId: user };
      return { allowed: ['PUT', 'DELETE'] };
    },

    project: (id, store) => store.projects.get(id) ?? refuse('project-unknown', `no project ${id}`),

    user: (id, store) => store.users.get(id) ?? refuse('user-unknown', `no user ${id}`),

    assign: (assignments, project, user) =>
      assignments.add(project.id, user.id) ? 'assigned' : 'already-assigned',

    unassign: (assignments, project, user) =>
      assignments.remove(project.id, user.id) ? 'unassigned' : 'not-assigned',

    list: (assignments, project) => [...assignments.of(project.id)],
  };
}
