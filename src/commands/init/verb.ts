import { existsSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { print } from '../shared/print.ts';
import { type BuildServer, writeCi } from './ci.ts';
import { STARTER, writeAppStarter, writeStarter } from './starters.ts';

interface InitRequest {
  /** For a client instead of a live target. */
  readonly client: boolean;
  /** The extension chooses a module or JSON. */
  readonly out: string | undefined;
  readonly ci: BuildServer | undefined;
  readonly force: boolean;
}

/** The verb `init`. With a build server it keeps a configuration that exists. @throws UsageError if nothing was written */
export async function writeStarters(request: InitRequest): Promise<ExitCode> {
  const { client, ci, force, out: target = STARTER } = request;
  if (client) print(writeAppStarter(request));
  else if (ci === undefined || !existsSync(target)) print(writeStarter(request));
  if (!client && ci !== undefined) print(await writeCi({ server: ci, target, force }));
  return EXIT.conforms;
}
