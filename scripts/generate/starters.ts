import {
  configurationSchema,
  resolvedReference,
  type SchemaNode,
} from '../../src/service/configuration/schema-notes.ts';

const WANTED = new Set(['consent.grant', 'owner.password', 'signIn.steps', 'consent.deny']);

/** Replaces schema examples that do not suit beginners. */
const BETTER: Readonly<Record<string, unknown>> = {
  'owner.login': { env: 'STAGING_LOGIN' },
  'secondApplication.clientId': 'd4e5f6',
  'secondApplication.clientSecret': { env: 'STAGING_SECOND_CLIENT_SECRET' },
  'secondApplication.redirectUris': ['https://client.example/second'],
  proxy: { env: 'STAGING_PROXY' },
};

const COMMENT_WIDTH = 108;

/** `generated/starters.json`: what `init` writes for a live target, as a module with comments and as JSON, which has none. */
export function generateStarters(): string {
  const members = membersOf(configurationSchema(), '');
  const variables = members.flatMap(variablesOf);
  const starters = {
    module: moduleText(members),
    moduleEnv: envStarter(variables),
    json: neededIn(members),
    jsonEnv: envStarter(variables.filter(({ active }) => active)),
  };
  return `${JSON.stringify(starters, null, 1)}\n`;
}

function moduleText(members: readonly Member[]): string {
  return `/**
 * The configuration of a live target. Use an application, an owner, projects and users made for the suite alone: it
 * assigns and unassigns these users, and replays and refusals may revoke what was granted or lock the account.
 *
 * Secrets are never in this file: it names the variables that hold them (.env.example lists them). Keys in
 * comments are optional. \`legacy-conformance doctor --target <this file>\` checks it.
 */
export default {
${members.flatMap((member) => linesOf(member, '  ')).join('\n')}
};
`;
}

/** One key. An object that is needed has members; every other key has its example. */
interface Member {
  readonly key: string;
  readonly description: string;
  readonly active: boolean;
  readonly value?: unknown;
  readonly members?: readonly Member[];
}

function membersOf(node: SchemaNode, path: string): readonly Member[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    if (key === '$schema') return [];
    const at = path === '' ? key : `${path}.${key}`;
    const definition = resolvedReference(child);
    const active = node.required?.includes(key) === true || WANTED.has(at);
    const description = child.description ?? definition.description ?? '';
    const nested = active && definition.properties !== undefined && !('env' in definition.properties);
    return {
      key,
      description,
      active,
      ...(nested ? { members: membersOf(definition, at) } : { value: exampleOf(child, definition, at) }),
    };
  });
}

function neededIn(members: readonly Member[]): object {
  const active = members.filter((member) => member.active);
  return Object.fromEntries(
    active.map(({ key, value, members: inner }) => [key, inner === undefined ? value : neededIn(inner)]),
  );
}

function linesOf({ key, description, active, value, members }: Member, pad: string): readonly string[] {
  const comment = wrap(description, COMMENT_WIDTH - pad.length).map((line) => `${pad}// ${line}`);
  if (members !== undefined) {
    const inner = members.flatMap((member) => linesOf(member, `${pad}  `));
    return [...comment, `${pad}${key}: {`, ...inner, `${pad}},`];
  }
  const text = `${key}: ${literal(value, '')},`.split('\n');
  return [...comment, ...text.map((line) => `${pad}${active ? '' : '// '}${line}`)];
}

function envStarter(variables: readonly Variable[]): string {
  const lines = new Map<string, string>();
  for (const { name, what, active } of variables)
    if (!lines.has(name)) lines.set(name, `# ${what.split(';')[0]}\n${active ? '' : '# '}${name}=\n`);
  return `# The variables that the configuration names. Copy this file to .env beside the configuration, fill it in, and keep .env out of version control.\n${[...lines.values()].join('')}`;
}

interface Variable {
  readonly name: string;
  readonly what: string;
  readonly active: boolean;
}

function variablesOf({ description, active, value, members }: Member): readonly Variable[] {
  return members?.flatMap(variablesOf) ?? namedIn(value, description, active);
}

function namedIn(value: unknown, what: string, active: boolean): readonly Variable[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('env' in value && typeof value.env === 'string') return [{ name: value.env, what, active }];
  return Object.entries(value).flatMap(([key, item]) => namedIn(item, `${what}: ${key}`, active));
}

function exampleOf(node: SchemaNode, definition: SchemaNode, path: string): unknown {
  if (path in BETTER) return BETTER[path];
  const example = node.examples?.[0] ?? definition.examples?.[0];
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const better = Object.keys(example).filter((key) => `${path}.${key}` in BETTER);
  return { ...example, ...Object.fromEntries(better.map((key) => [key, BETTER[`${path}.${key}`]])) };
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
