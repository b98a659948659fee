import { provokingCheck } from '../checks/check.ts';
import { difference, sameMembers } from '../checks/lists.ts';
import { odderThan, oddProjects, oddUsers } from '../checks/odd-ids.ts';
import { ConformanceFailure } from '../checks/outcome.ts';

/** Clause 2.3: projects and users are known by their identifiers, and by nothing else. */
export const checks = [
  provokingCheck('resource.odd-ids-contained', async ({ given, users, target }) => {
    const [first, second] = target.users;
    let before = await given.lists();
    const expectContained = async (what: string) => {
      for (const [project, listed] of await given.lists()) {
        const was = before.get(project) ?? [];
        if (sameMembers(listed, was)) continue;
        const got = `${difference(was, listed)} in a project's list`;
        throw new ConformanceFailure(`${what} to reach nobody`, got);
      }
    };
    for (const user of oddUsers(target)) {
      await users.assign({ user }).answer();
      await expectContained(`assigning the user ${odderThan(first, user)}`);
    }
    await given.assigned([first]);
    if (second !== undefined && target.projects[1] !== undefined)
      await given.assigned([second], target.projects[1]);
    before = await given.lists();
    const everybody = [...before.values()].flat();
    for (const user of oddUsers(target)) {
      await users.unassign({ user }).answer();
      await expectContained(`unassigning the user ${odderThan(first, user)}`);
    }
    for (const project of oddProjects(target)) {
      await users.assign({ project, user: target.users.at(-1) ?? first }).answer();
      await users.unassign({ project, user: first }).answer();
      await users.list({ project }).expectListsNone(everybody);
      await expectContained(`requests for the project ${odderThan(target.projects[0], project)}`);
    }
  }),
];
