import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programName } from '../input/program-name.ts';
import { UsageError } from '../input/usage-error.ts';

export interface AppStarterRequest {
  readonly format: 'json' | 'ts' | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
}

const SCHEMA = fileURLToPath(new URL('../../spec/app.schema.json', import.meta.url));

const STARTER = {
  name: 'our client',
  start: { command: 'node server.js', ready: 'http://127.0.0.1:{port}/' },
  redirectUri: 'http://127.0.0.1:{port}/callback',
  connect: { visit: 'http://127.0.0.1:{port}/connect' },
  calls: {
    list: { request: 'GET http://127.0.0.1:{port}/projects/{project}/users' },
    assign: { request: 'PUT http://127.0.0.1:{port}/projects/{project}/users/{user}' },
    unassign: { request: 'DELETE http://127.0.0.1:{port}/projects/{project}/users/{user}' },
  },
  variables: {
    PORT: '{port}',
    CLIENT_ID: '{clientId}',
    CLIENT_SECRET: '{clientSecret}',
    SERVICE_AUTH_URL: '{authUrl}',
    SERVICE_API_URL: '{baseUrl}',
    STATE_FOLDER: '{state}',
  },
};

export function writeAppStarter({ format, out, force }: AppStarterRequest): string {
  const file = out ?? `app.config.${format === 'ts' ? 'mts' : 'json'}`;
  const isModule = ['.ts', '.mts', '.js', '.mjs'].includes(extname(file));
  if (!isModule && extname(file) !== '.json')
    throw new UsageError(`--out: expected a file that ends in .json, .ts, .mts, .js or .mjs, got ${file}`);
  if (format !== undefined && (format === 'ts') !== isModule)
    throw new UsageError(`--out: expected a file of the format ${format}, got ${file}`);
  if (existsSync(file) && !force)
    throw new UsageError(`init: ${file} is there already; nothing was written (--force overwrites)`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, isModule ? moduleText() : jsonText(file));
  return `wrote ${file}

Next
  1. say how your client is started, how a sign-in begins, and which of its variables get which of ours
     (a client without a server: leave out start, and give commands for connect, callback and calls;
     an application in Node: "clock": "node" moves its clock, so that nothing waits for an expiry)
  2. ${programName()} client --app ${file} --only flow
  3. ${programName()} client --app ${file}
`;
}

function jsonText(file: string): string {
  const $schema = relative(resolve(dirname(file)), SCHEMA);
  return `${JSON.stringify({ $schema, ...STARTER }, null, 2)}\n`;
}

function moduleText(): string {
  return `/**
 * \`legacy-conformance client --app <this file>\` drives our client with these settings. The suite replaces {port}, {state} (an empty folder
 * for each situation), {authUrl}, {baseUrl}, {clientId}, {clientSecret}, {redirectUri}, {project} and {user}.
 *
 * A client without a server has no \`start\`: \`connect: { command }\` prints the address to visit, \`callback: { command }\` gets the address that
 * came back as {address}, and each of \`calls\` is a { command }.
 */
export default ${JSON.stringify(STARTER, null, 2)};
`;
}
