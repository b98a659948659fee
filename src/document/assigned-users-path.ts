/** The resource of assigned users (clause 4.4), with ids as the path writes them. */
interface AssignedUsersPath {
  /** The path before `/projects`, such as `/v2`. */
  readonly before: string;
  readonly project: string;
  readonly user: string | undefined;
}

const PATH = /^(.*)\/projects\/([^/]*)\/assigned_users(?:\/([^/]*))?$/s;

/** Returns the project and the user in a path without query; undefined for another resource. */
export function assignedUsersPath(path: string): AssignedUsersPath | undefined {
  const [, before, project, user] = PATH.exec(path) ?? [];
  return before === undefined || project === undefined ? undefined : { before, project, user };
}
