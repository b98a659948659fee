/**
 * What granting a scope (clause 5.3) means, for the person who is asked. Which operation needs which scope is open (clause
 * 5.7) and up to the profile, so the sentences say what a scope is for and promise no limit.
 */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['read', 'See your projects and the users assigned to them.'],
  ['write', 'Change your projects, such as assigning a user to one.'],
  ['destroy', 'Remove what is there, such as a user’s assignment to a project.'],
]);

/** The sentence that explains a scope, one for unknown scopes included. */
export function meaningOfScope(scope: string): string {
  return (
    MEANINGS.get(scope) ??
    'A scope outside the three that the service’s document names; what it allows is not known.'
  );
}
