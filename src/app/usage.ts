import { join } from 'node:path';
import { UsageError } from '../input/usage-error.ts';

export async function isUsage(error: unknown): Promise<boolean> {
  if (!(error instanceof Error)) return false;
  if (error instanceof UsageError || error.name === 'ConfigurationError') return true;
  const [{ UnknownSelection }, { SpecFileError }] = await Promise.all([
    import('./selection.ts'),
    import('../catalogue/load-yaml.ts'),
  ]);
  return error instanceof UnknownSelection || error instanceof SpecFileError;
}

/**
 * Does a piece of work. A usage error also goes into `junit.xml`: a build server that shows only test results would otherwise
 * show those of an earlier run.
 *
 * @throws the errors of the work
 */
export async function withUsageReport<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (await isUsage(error)) {
      const [{ usageJUnit }, { writeWhole }] = await Promise.all([
        import('../report/junit.ts'),
        import('./write-whole.ts'),
      ]);
      // The folder itself may be unusable.
      await writeWhole(join(folder, 'junit.xml'), usageJUnit((error as Error).message)).catch(
        () => undefined,
      );
    }
    throw error;
  }
}
