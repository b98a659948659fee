/**
 * Returns the command for pasting: `npx legacy-conformance` if started by npx, a package script or a project's
 * `node_modules`.
 */
export function programName(): string {
  const { env, argv } = process;
  const ofProject = env.npm_command !== undefined || /[\\/]node_modules[\\/]/.test(argv[1] ?? '');
  return ofProject ? 'npx legacy-conformance' : 'legacy-conformance';
}
