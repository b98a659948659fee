import { WRONG_REQUESTS } from '../../src/requests/wrong-requests.ts';
import { code, type Page, table } from './page.ts';

/** Every request that a service must refuse. */
export function wrongRequestsPage(): Page {
  const rows = WRONG_REQUESTS.map((row) => [
    row.of,
    row.name,
    code(row.requirement),
    'error' in row && row.error !== undefined ? [row.error].flat().map(code).join(' or ') : '',
    row.aspect === undefined ? '' : code(row.aspect),
  ]);
  return {
    file: 'wrong-requests.md',
    title: 'Wrong requests',
    when: 'You need this page when your service logs requests that look like an attack: these are the requests that the suite sends to be refused',
    body: `Each differs in one thing from a request that is accepted. Most rows stand for several requests: a secret is wrong in each part, too short, too long.

${table(['request', 'wrong by', 'requirement', 'error that fits', 'recorded as'], rows)}`,
  };
}
