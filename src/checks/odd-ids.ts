import type { Target } from '../targets/target.ts';

/**
 * Ids that belong to nobody and that careless services take for somebody's: cut short, decoded twice, trimmed, read up to
 * the first NUL, put into a path or a query language. None contains a real id in a way that a correct service could
 * honour.
 */
function odd(id: string, neighbour: string): readonly string[] {
  return [
    `${id}/../${neighbour}`,
    `..%2F${id}`,
    `${id}%2F`,
    `${id}\u0000`,
    `${id}\u0000x`,
    `${id}'--`,
    `${id}" OR "1"="1`,
    `${id};${neighbour}`,
    `${id},${neighbour}`,
    `${id}x`,
    `${id}.json.x`,
    ` ${id}`,
    `${fullWidth(id)}`,
    `${id}${'0'.repeat(2000)}`,
    '*',
    '%',
  ].filter((o) => o !== id && o !== neighbour);
}

/** Odd spellings of the first project's id, beside the second's. */
export function oddProjects(target: Target): readonly string[] {
  return odd(target.projects[0], target.projects[1] ?? target.projects[0]);
}

/** Odd spellings of the first user's id, beside the second's. */
export function oddUsers(target: Target): readonly string[] {
  return odd(target.users[0], target.users[1] ?? target.users[0]);
}

/** What an odd id is called in a report: a real id stands as `<id>`, and what is long is cut. */
export function odderThan(id: string, odd: string): string {
  const shown = odd.replaceAll(id, '<id>');
  return JSON.stringify(shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown);
}

const LONGEST_SHOWN = 24;

/** The same characters in another block of Unicode, which normalisation would fold back. */
function fullWidth(id: string): string {
  return [...id].map((c) => (/[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)).join('');
}
