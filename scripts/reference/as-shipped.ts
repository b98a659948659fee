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

/** Returns the page of the departures of each real server as its library ships, and the page of the lines that repair them. */
export function asShippedPages(): readonly Page[] {
  const found = loadAsShipped();
  const servers = loadServers().filter(({ name }) => found[name] !== undefined);
  const sections = (text: (server: Server, departures: readonly Departure[]) => string) =>
    servers.map((server) => `## ${server.library}\n\n${text(server, found[server.name] ?? [])}`).join('\n\n');
  return [
    {
      file: 'servers-as-shipped.md',
      title: 'Servers as they ship',
      when: 'You need this page when you must replace the service, and choose a library for it',
      body: `A default \`check\` found these differences from the document, with the library's own settings. Each library also runs here in a setting that conforms,
with [these lines](servers-repaired.md). Stores differ: several exchanges of one code at once on maps in memory tell nothing about a database.

${table(
  ['server', 'host', 'store', 'what is switched on first', 'failures', 'warnings'],
  servers.map((server) => rowOf(server, found)),
)}

${sections((_server, departures) => departuresText(departures))}

Warnings are differences from a standard (an RFC), not from the document. [How to add a server](../development/real-servers.md).`,
    },
    {
      file: 'servers-repaired.md',
      title: 'Servers, repaired',
      when: 'You need this page when you have chosen a library, and it departs from the document',
      body: `These lines make each library conform. [Servers as they ship](servers-as-shipped.md) has the failures that they end.

${sections(repairsText)}`,
    },
  ];
}

function rowOf({ name, library, host, store, settings }: Server, found: AsShipped): readonly string[] {
  const count = (result: Departure['result']) =>
    `${(found[name] ?? []).filter((one) => one.result === result).length}`;
  const first = settings[AS_SHIPPED]?.is.replace(/^.*?, /, '') ?? '';
  return [library, host, store, first, count('fail'), count('warning')];
}

function departuresText(departures: readonly Departure[]): string {
  const failed = departures.filter(({ result }) => result === 'fail');
  const warned = departures.filter(({ result }) => result === 'warning');
  const rows = failed.map(({ id, reason }) => [clauseOf(id), code(id), seen(reason)]);
  return [
    table(['clause', 'requirement', 'seen'], rows),
    ...(warned.length === 0 ? [] : [`Warnings: ${warned.map(({ id }) => code(id)).join(', ')}.`]),
  ].join('\n\n');
}

function repairsText(server: Server, departures: readonly Departure[]): string {
  const ids = departures.filter(({ result }) => result === 'fail').map(({ id }) => id);
  const repairs = repairsOf(server).filter((repair) => repair.ids.some((id) => ids.includes(id)));
  return repairs.map((repair) => repairText(server, repair)).join('\n\n');
}

/** The reason as text of a Markdown table. */
function seen(reason: string): string {
  return reason.replaceAll('<', '&lt;');
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
