import { configurationSchema, followed, type SchemaNode } from './schema-notes.ts';

export interface Starter {
  readonly configuration: string;
  readonly env: string;
}

const WANTED = new Set(['owner.password', 'signIn.steps', 'consent.deny']);

/** Replaces schema examples that do not suit beginners. */
const BETTER: Readonly<Record<string, unknown>> = {
  'owner.login': { env: 'STAGING_LOGIN' },
  'secondApplication.clientId': 'd4e5f6',
  'secondApplication.clientSecret': { env: 'STAGING_SECOND_CLIENT_SECRET' },
  'secondApplication.redirectUris': ['https://client.example/second'],
  proxy: { env: 'STAGING_PROXY' },
};

const COMMENT_WIDTH = 108;

export function moduleStarter(): Starter {
  const variables = new Map<string, Variable>();
  const body = keys(configurationSchema(), '', 1, variables);
  const configuration = `/**
 * The configuration of a live target. Use an application, an owner, projects and users made for the suite alone: it
 * assigns and unassigns these users, and replays and refusals may revoke what was granted or lock the account.
 *
 * Secrets are never in this file: it names the variables that hold them (.env.example lists them). Keys in
 * comments are optional. \`legacy-conformance doctor --target <this file>\` checks it.
 */
export default {
${body}
};
`;
  return { configuration, env: envStarter(variables) };
}

/**
 * Returns only the required keys, because JSON has no comments, and the schema's address for the editor.
 *
 * @param schema path of the schema, relative to the new file
 */
export function jsonStarter(schema: string): Starter {
  const variables = new Map<string, Variable>();
  const value = { $schema: schema, ...(needed(configurationSchema(), '', variables) as object) };
  return { configuration: `${JSON.stringify(value, null, 2)}\n`, env: envStarter(variables) };
}

interface Variable {
  readonly what: string;
  readonly active: boolean;
}

function envStarter(variables: ReadonlyMap<string, Variable>): string {
  const lines = [...variables].flatMap(([name, { what, active }]) => [
    `# ${what}`,
    `${active ? '' : '# '}${name}=`,
  ]);
  return `# The variables that the configuration names. Copy this file to .env beside the configuration, fill it in, and keep .env out of version control.\n${lines.join('\n')}\n`;
}

function keys(node: SchemaNode, path: string, depth: number, variables: Map<string, Variable>): string {
  const lines: string[] = [];
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    if (key === '$schema') continue;
    const at = path === '' ? key : `${path}.${key}`;
    const on = isNeeded(node, key, at);
    lines.push(...member(key, child, at, depth, on, variables));
  }
  return lines.join('\n');
}

function member(
  key: string,
  node: SchemaNode,
  path: string,
  depth: number,
  active: boolean,
  variables: Map<string, Variable>,
): string[] {
  const pad = '  '.repeat(depth);
  const definition = followed(node, configurationSchema());
  const description = node.description ?? definition.description ?? '';
  const comment = wrap(description, COMMENT_WIDTH - pad.length).map((line) => `${pad}// ${line}`);
  // A commented-out key shows its example only; the schema has the rest.
  if (definition.properties === undefined || !active || 'env' in definition.properties) {
    const value = exampleOf(node, definition, path);
    note(value, description, active, variables);
    const text = `${key}: ${literal(value, '')},`.split('\n');
    return [...comment, ...text.map((line) => `${pad}${active ? '' : '// '}${line}`)];
  }
  const inner = keys(definition, path, depth + 1, variables);
  return [...comment, `${pad}${key}: {`, ...inner.split('\n'), `${pad}},`];
}

function isNeeded(node: SchemaNode, key: string, path: string): boolean {
  return node.required?.includes(key) === true || WANTED.has(path);
}

function needed(node: SchemaNode, path: string, variables: Map<string, Variable>): unknown {
  const entries = Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (!isNeeded(node, key, at)) return [];
    const definition = followed(child, configurationSchema());
    if (definition.properties !== undefined && !('env' in definition.properties)) {
      return [[key, needed(definition, at, variables)]];
    }
    const value = exampleOf(child, definition, at);
    note(value, child.description ?? '', true, variables);
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}

function exampleOf(node: SchemaNode, definition: SchemaNode, path: string): unknown {
  if (path in BETTER) return BETTER[path];
  const example = node.examples?.[0] ?? definition.examples?.[0];
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const better = Object.keys(example).filter((key) => `${path}.${key}` in BETTER);
  return { ...example, ...Object.fromEntries(better.map((key) => [key, BETTER[`${path}.${key}`]])) };
}

function note(value: unknown, what: string, active: boolean, variables: Map<string, Variable>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('env' in value && typeof value.env === 'string') {
    if (!variables.has(value.env)) variables.set(value.env, { what: what.split(';')[0] ?? what, active });
    return;
  }
  for (const [key, item] of Object.entries(value)) note(item, `${what}: ${key}`, active, variables);
}

function literal(value: unknown, pad: string): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = Array.isArray(value)
    ? value.map((item) => literal(item, `${pad}  `))
    : Object.entries(value).map(([key, item]) => `${name(key)}: ${literal(item, `${pad}  `)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const line = `${open}${inner.join(', ')}${close}`;
  if (line.length + pad.length < 90 && !line.includes('\n')) return line;
  return `${open.trim()}\n${inner.map((item) => `${pad}  ${item},\n`).join('')}${pad}${close.trim()}`;
}

function name(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
