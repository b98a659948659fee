import { ON_LIVE_TARGET } from '../options.ts';
import { type OptionOf, verb } from '../verb.ts';

const SAVE: OptionOf<true> = {
  text: 'encrypt the session, and save it where `signIn.session` says',
  required: true,
};

export const signInCommand = verb({
  name: 'sign-in',
  summary: 'sign in by hand, past a captcha or second factor, and save the session',
  options: { ...ON_LIVE_TARGET, save: SAVE },
  help: `
Opens a window at the authorization address, so it needs a display. You may copy the file to a machine without one.
If the service shows the sign-in page again during a run, the session has expired: the run ends with exit 3.

Examples
  legacy-conformance sign-in --save --target staging.config.json

Exit codes
  0  saved the session
  2  wrong usage or configuration, or no browser that opens a window; nothing was sent
  3  the sign-in was not completed`,
  run: async (options) => {
    const { saveSession } = await import('../../commands/sign-in/verb.ts');
    return saveSession(options);
  },
});
