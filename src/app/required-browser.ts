import { BROWSER_VARIABLE } from '../agent/browser/find-browser.ts';
import { programName } from '../input/program-name.ts';
import { UsageError } from '../input/usage-error.ts';

export async function required<T>(mayInstall: boolean, look: () => Promise<T | undefined>): Promise<T> {
  const found = await looked(look);
  if (found !== undefined) return found;
  if (mayInstall) {
    const { installBrowser } = await import('./install-browser.ts');
    await installBrowser();
    const installed = await looked(look);
    if (installed !== undefined) return installed;
  }
  throw new UsageError(
    `no browser was found: run \`${programName()} install-browser\`, or name one in ${BROWSER_VARIABLE}`,
  );
}

async function looked<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
