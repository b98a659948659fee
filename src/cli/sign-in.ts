import type { Command } from 'commander';
import { readEnvFile, verbOnLiveTarget } from './options.ts';

/** The verb `sign-in`. */
export function signInCommand(): Command {
  return verbOnLiveTarget('sign-in')
    .description('sign in by hand, where a captcha or a second factor is asked for, and save the session')
    .requiredOption('--save', 'store the session, encrypted, where `signIn.session` says')
    .option('--out <file>', 'where to write in place of `signIn.session.file`')
    .addHelpText(
      'after',
      `
Opens a window at the authorization address. Needs a display; the file that it writes may be copied to where there is
none. A run that is shown the sign-in page all the same says that the session has ended, with exit 3.

Examples
  legacy-conformance sign-in --save --target staging.config.json --env-file .env

Exit codes
  0  saved
  2  wrong usage or configuration, or no browser that opens a window; nothing was sent
  3  nobody signed in`,
    )
    .action(async (options: { target: string; envFile: string | undefined; out: string | undefined }) => {
      await readEnvFile(options.envFile);
      const { saveSession } = await import('../app/save-session.ts');
      process.exitCode = await saveSession(options);
    });
}
