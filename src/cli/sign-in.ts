import type { Command } from 'commander';
import { ON_LIVE_TARGET, optional } from './option-kinds.ts';
import { type OptionOf, verb } from './verb.ts';

const SAVE: OptionOf<true> = {
  text: 'store the session, encrypted, where `signIn.session` says',
  required: true,
};

export function signInCommand(): Command {
  return verb({
    name: 'sign-in',
    summary: 'sign in by hand, where a captcha or a second factor is asked for, and save the session',
    options: {
      ...ON_LIVE_TARGET,
      save: SAVE,
      out: optional('<file>', 'where to write in place of `signIn.session.file`'),
    },
    help: `
Opens a window at the authorization address. Needs a display; the file that it writes may be copied to where there is
none. A run that is shown the sign-in page all the same says that the session has ended, with exit 3.

Examples
  legacy-conformance sign-in --save --target staging.config.json

Exit codes
  0  saved
  2  wrong usage or configuration, or no browser that opens a window; nothing was sent
  3  no sign-in was completed`,
    run: async (options) => {
      const { saveSession } = await import('../app/save-session.ts');
      return saveSession(options);
    },
  });
}
