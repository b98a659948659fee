/** The newer API, in small and in memory: what your shim calls in its place. Its words are not those of the legacy API. */
const people = new Map([
  ['1001', 'Suite Alpha'],
  ['1002', 'Suite Beta'],
  ['1003', 'Suite Gamma'],
  ['1004', 'Ilse Brandt'],
  ['1005', 'Suite Delta'],
]);
const teams = new Map([
  ['4711', new Set(['1004'])],
  ['4712', new Set()],
]);

/** Members of a team, or undefined where there is no such team. */
export function members(team) {
  const ids = teams.get(team);
  return ids && [...ids].map(person);
}

/** A person, or undefined where there is none. */
export function person(key) {
  const displayName = people.get(key);
  return (
    displayName && { key, displayName, mail: `${displayName.replace(' ', '.').toLowerCase()}@example.test` }
  );
}

export function join(team, key) {
  teams.get(team).add(key);
}

/** Whether the person was a member. */
export function leave(team, key) {
  return teams.get(team).delete(key);
}
