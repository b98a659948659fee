/** Adds the file's variables to the environment, which the run's processes inherit; what is set already stays. */
export async function readEnvFile(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const { withEnvFile } = await import('../config/env-file.ts');
  Object.assign(process.env, await withEnvFile(file, process.env));
}
