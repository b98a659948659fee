import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import {
  AS_SHIPPED,
  type AsShipped,
  type Departure,
  loadAsShipped,
} from '../../tests/support/servers/as-shipped.ts';
import { type Repair, repairsOf } from '../../tests/support/servers/repairs.ts';
import { loadServers, type Server } from '../../tests/support/servers/server.ts';
import { code, type Page, table } from './page.ts';

/** Returns the page of the departures of each real server as its library ships, and of the lines that repair them. */
export function asShippedPage(): Page {
  const found = loadAsShipped();
  const servers = loadServers().filter(({ name }) => found[name] !== undefined);
  return {
    file: 'servers-as-shipped.md',
    title: 'Servers as they ship',
    when: 'You need this page when you must replace the service, and choose a library for it',
    body: `A default \`check\` found these differences from the document, with the library's own settings. Each library also runs here in a setting that conforms.
The lines below each table make it conform. Stores differ: several exchanges of one code at once on maps in memory tell nothing about a database.

${table(
  ['server', 'host', 'store', 'what is switched on first', 'failures', 'warnings'],
  servers.map((server) => rowOf(server, found)),
)}

${servers.map((server) => sectionOf(server, found[server.name] ?? [])).join('\n\n')}

Warnings are differences from a standard (an RFC), not from the document. [How to add a server](../development/real-servers.md).`,
  };
}

function rowOf({ name, library, host, store, settings }: Server, found: AsShipped): readonly string[] {
  const count = (result: Departure['result']) =>
    `${(found[name] ?? []).filter((one) => one.result === result).length}`;
  const first = settings[AS_SHIPPED]?.is.replace(/^.*?, /, '') ?? '';
  return [library, host, store, first, count('fail'), count('warning')];
}

function sectionOf(server: Server, departures: readonly Departure[]): string {
  const failed = departures.filter(({ result }) => result === 'fail');
  const warned = departures.filter(({ result }) => result === 'warning');
  const ids = failed.map(({ id }) => id);
  const repairs = repairsOf(server).filter((repair) => repair.ids.some((id) => ids.includes(id)));
  const rows = failed.map(({ id, reason }) => [clauseOf(id), code(id), seen(reason)]);
  return [
    `## ${server.library}`,
    table(['clause', 'requirement', 'seen'], rows),
    ...repairs.map((repair) => repairText(server, repair)),
    ...(warned.length === 0 ? [] : [`Warnings: ${warned.map(({ id }) => code(id)).join(', ')}.`]),
  ].join('\n\n');
}

/** The reason without its clause, which has a column. */
function seen(reason: string): string {
  return reason.replace(/^clause [\d.]+: /, '').replaceAll('<', '&lt;');
}

function repairText({ name }: Server, { file, ids, lines }: Repair): string {
  const path = `tests/servers/${name}/${file}`;
  const source = `[${file}](../../${path})`;
  return `${ids.map(code).join(', ')}, in ${source}:\n\n<!-- excerpt of: ${path} -->\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
}

const CLAUSES: ReadonlyMap<string, string> = new Map(
  loadCatalogue().clauses.flatMap(({ clause, requirements }) =>
    requirements.map(({ id }) => [`${id}`, clause] as const),
  ),
);

function clauseOf(id: string): string {
  return CLAUSES.get(id) ?? '';
}
