/**
 * Explains scopes (clause 5.3) to the user. The operation that needs each scope is open (clause 5.7), so the sentences
 * promise no limit.
 */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['read', 'See your projects and the users assigned to them.'],
  ['write', 'Change your projects, such as assigning a user to one.'],
  ['destroy', 'Remove what is there, such as a user’s assignment to a project.'],
]);

export function meaningOfScope(scope: string): string {
  return (
    MEANINGS.get(scope) ??
    'A scope outside the three that the service’s document names; what it allows is not known.'
  );
}
