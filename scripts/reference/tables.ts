import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { listStates } from '../../src/commands/contracts/states.ts';
import { WRONG_REQUESTS } from '../../src/evaluation/requests/wrong-requests.ts';
import { code, type Page, table } from './page.ts';

/** The meaning of each exit code, for every verb. `src/report/verdict.ts` decides the codes. */
export function exitCodesPage(): Page {
  const rows = [
    [
      '0',
      'conforms',
      'every selected, applicable documented requirement passed, or is a known deviation that is still current; for other verbs: done, verified',
    ],
    [
      '1',
      'violates',
      'a documented requirement failed, with `--strict` or warned; a known deviation is stale, unknown or past its date; for other verbs a finding: a pact that does not verify, profiles that differ',
    ],
    ['2', '', 'wrong usage or configuration, or no browser; the suite sent nothing'],
    [
      '3',
      'inconclusive',
      'the suite could not evaluate the target: not reachable, refused, sign-in failed, throttled, retired, a required ability is missing, or something did not run',
    ],
    ['4', 'broken', 'the suite itself failed, or found a secret in what it was about to write'],
  ];
  return {
    file: 'exit-codes.md',
    title: 'Exit codes',
    when: 'You need this page when a pipeline decides by the exit code of a command',
    body: `${table(
      ['exit', 'verdict', 'when'],
      rows.map(([exit = '', ...rest]) => [code(exit), ...rest]),
    )}

Where several apply, the first of 4, 2, 1, 3, 0 counts. A service that is down is 3 and not 1; a run that checked nothing is never 0. Each verb's \`--help\` says what the
codes mean for it.`,
  };
}

export function providerStatesPage(): Page {
  const rows = listStates().json.map(({ name, description, clause, parameters, values, needs }) => [
    code(name),
    `${description} (clause ${clause})${needs === undefined ? '' : `; needs the ability ${code(needs)}`}`,
    parameters.map(code).join(', '),
    values.map(code).join(', '),
  ]);
  return {
    file: 'provider-states.md',
    title: 'Provider states',
    when: 'You need this page when you write a pact for the service: these are the states that it may rely on, in any language',
    body: `${table(['state', 'what', 'takes', 'injects'], rows)}

- \`scope\`: \`read\`, \`write\`, \`destroy\`, or several with a space between them; all three when left out.
- \`authorization\`: a whole header, for \`Authorization: \${authorization}\`: the access token in the way that the target wants it.
- \`project_id\`, \`user_id\`: encoded, ready for a path.`,
  };
}

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

interface Parameter {
  readonly name: string;
  readonly description?: string;
}

/** An operation of an OpenAPI description, as far as the page needs it. */
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

const FILE = fileURLToPath(new URL('../../spec/control.openapi.yaml', import.meta.url));

export function controlPortPage(): Page {
  const { paths, components } = parse(readFileSync(FILE, 'utf8')) as {
    readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ['get', 'put', 'post', 'delete', 'patch'].includes(method))
      .map(([method, operation]) => operationEntry(method, path, operation, components.parameters)),
  );
  return {
    file: 'control-port.md',
    title: 'Control port of the emulator',
    when: 'You need this page when a test moves the emulator’s clock, arms faults or reads its journal over HTTP; the schemas of all bodies are in [spec/control.openapi.yaml](../../spec/control.openapi.yaml)',
    body: `Every request carries \`Authorization: Bearer\` with the control token.\n\n${entries.join('\n\n')}`,
  };
}

function operationEntry(
  method: string,
  path: string,
  operation: Operation,
  shared: Readonly<Record<string, Parameter>>,
): string {
  const { summary, description, parameters = [], responses } = operation;
  return [
    `### ${method.toUpperCase()} ${path}`,
    [summary, description]
      .filter((text) => text !== undefined)
      .join('. ')
      .replace(/\s+/g, ' ')
      .replace('..', '.'),
    ...parameters
      .flatMap((one) => ('$ref' in one ? (shared[one.$ref.split('/').at(-1) ?? ''] ?? []) : one))
      .map(({ name, description: what = '' }) => `- ${code(name)}: ${what.replace(/\s+/g, ' ').trim()}`),
    `- Answers: ${Object.entries(responses)
      .map(([status, { description: what = '' }]) => `${status} ${what.replace(/\s+/g, ' ').trim()}`)
      .join('; ')}`,
  ].join('\n');
}
