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

/** Returns the path of a list, or of one assignment; `before` is what stands before `/projects`. */
export function pathOfAssignedUsers(before: string, project: string, user?: string): string {
  const list = `${before}/projects/${encodeId(project)}/assigned_users`;
  return user === undefined ? list : `${list}/${encodeId(user)}`;
}

/** Encodes an id as one path segment. Dots are encoded too, so that `..` cannot leave the path. */
export function encodeId(id: string): string {
  return encodeURIComponent(id).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'));
}
