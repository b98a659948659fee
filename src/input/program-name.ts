/**
 * Returns how the user starts this program, for commands that are to be pasted: `npx legacy-conformance` where npx, a script of a
 * package or a project's `node_modules` has started it.
 */
export function programName(env = process.env, script = process.argv[1] ?? ''): string {
  const ofProject = env.npm_command !== undefined || /[\\/]node_modules[\\/]/.test(script);
  return ofProject ? 'npx legacy-conformance' : 'legacy-conformance';
}
