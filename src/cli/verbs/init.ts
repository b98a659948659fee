import { flag, oneOf, optional } from '../options.ts';
import { verb } from '../verb.ts';

export const initCommand = verb({
  name: 'init',
  summary: 'write a starter configuration for a live target, or for your own client',
  options: {
    client: flag('write app.config.json, which tells `client --app` how to drive your application'),
    out: optional(
      '<file>',
      'name of the file: .mts explains each key in comments, .json has none (default: conformance.config.mts; app.config.json with --client)',
    ),
    ci: oneOf(
      '<server>',
      'also write the nightly job of a build server for this configuration; keeps a configuration that exists',
      ['github', 'gitlab'],
    ),
    force: flag('overwrite existing files'),
  },
  help: `
Examples
  legacy-conformance init
  legacy-conformance init --out staging/conformance.config.json
  legacy-conformance init --client
  legacy-conformance init --ci github --out staging/conformance.config.json

Exit codes
  0  wrote the configuration and .env.example, or with --client app.config.json
  2  wrong usage, or a file exists already; wrote nothing`,
  run: async (options) => (await import('../../commands/init/verb.ts')).writeStarters(options),
});
