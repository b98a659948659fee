import { unlessPlain } from './shell-quotes.ts';

/** Returns a command for pasting, on a target if there is one. A file with a blank is quoted for a shell. */
export function commandFor(verb: string, target?: string, more = ''): string {
  const on = target === undefined ? '' : ` --target ${unlessPlain(target)}`;
  return `${programName()} ${verb}${on}${more}`;
}

/**
 * Returns the command for pasting: `npx legacy-conformance` if started by npx, a package script or a project's
 * `node_modules`.
 */
export function programName(): string {
  const { env, argv } = process;
  const ofProject = env.npm_command !== undefined || /[\\/]node_modules[\\/]/.test(argv[1] ?? '');
  return ofProject ? 'npx legacy-conformance' : 'legacy-conformance';
}
