/**
 * Returns the command for pasting: `npx legacy-conformance` if started by npx, a package script or a project's
 * `node_modules`.
 */
export function programName(env = process.env, script = process.argv[1] ?? ''): string {
  const ofProject = env.npm_command !== undefined || /[\\/]node_modules[\\/]/.test(script);
  return ofProject ? 'npx legacy-conformance' : 'legacy-conformance';
}
