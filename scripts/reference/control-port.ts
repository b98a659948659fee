import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { code, type Page } from './page.ts';

/** An operation of an OpenAPI description, as far as the page needs it. */
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

const FILE = fileURLToPath(new URL('../../spec/control.openapi.yaml', import.meta.url));

export function controlPortPage(): Page {
  const { paths } = parse(readFileSync(FILE, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ['get', 'put', 'post', 'delete', 'patch'].includes(method))
      .map(([method, operation]) => entry(method, path, operation)),
  );
  return {
    file: 'control-port.md',
    title: 'Control port of the emulator',
    when: 'You need this page when a test moves the emulator’s clock, arms faults or reads its journal over HTTP; the schemas of all bodies are in [spec/control.openapi.yaml](../../spec/control.openapi.yaml)',
    body: `Every request carries \`Authorization: Bearer\` with the control token.\n\n${entries.join('\n\n')}`,
  };
}

function entry(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters = [], responses } = operation;
  return [
    `### ${method.toUpperCase()} ${path}`,
    [summary, description]
      .filter((text) => text !== undefined)
      .join('. ')
      .replace(/\s+/g, ' ')
      .replace('..', '.'),
    ...parameters.map(
      ({ name, description: what = '' }) => `- ${code(name)}: ${what.replace(/\s+/g, ' ').trim()}`,
    ),
    `- Answers: ${Object.entries(responses)
      .map(([status, { description: what = '' }]) => `${status} ${what.replace(/\s+/g, ' ').trim()}`)
      .join('; ')}`,
  ].join('\n');
}
