import { dirname, resolve } from 'node:path';
import type { AppFile } from '../../../generated/schemas.d.ts';
import { validateApp } from '../../../generated/validators.js';
import { describeErrors } from '../../catalogue/describe-errors.ts';
import { ConfigurationError, type ConfigurationProblem } from '../../config/configuration-error.ts';
import { readConfigurationFile } from '../../config/read-file.ts';

/** How a client is driven, and where its file is. */
export interface DrivenApp extends AppFile {
  /** Folder of the file, absolute: commands run in it. */
  readonly folder: string;
  /** Whether situations can have an application each, side by side. */
  readonly sideBySide: boolean;
}

/**
 * Reads `app.config.json`, or a module with the same as its default export.
 *
 * @throws ConfigurationError with every problem found, by key; nothing was started
 */
export async function loadApp(file: string): Promise<DrivenApp> {
  const written = await readConfigurationFile(file);
  if (!validateApp(written)) {
    const problems = describeErrors(validateApp.errors ?? []);
    throw new ConfigurationError(file, problems);
  }
  const problems = contradictions(written);
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  const text = JSON.stringify(written);
  const ownPort = written.start === undefined || text.includes('{port}');
  const ownState = text.includes('{state}') || !commandsAlone(written);
  return {
    ...written,
    folder: resolve(dirname(file)),
    sideBySide: ownPort && ownState && written.fresh === undefined,
  };
}

function commandsAlone({ start }: AppFile): boolean {
  return start === undefined;
}

/** What a schema cannot say. */
function contradictions(app: AppFile): readonly ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  if (app.start !== undefined && app.callback === undefined && 'command' in app.connect)
    problems.push({
      path: ['connect', 'command'],
      expected: 'an address to `visit`, as the redirect is delivered to a running application',
      came: 'a command without a `callback` command',
    });
  if (app.start === undefined && app.callback === undefined)
    problems.push({
      path: ['callback'],
      expected: 'a command that gets the address, as there is no `start`',
      came: 'nothing',
    });
  if (app.start === undefined && 'visit' in app.connect)
    problems.push({
      path: ['connect', 'visit'],
      expected: 'a command, as there is no `start`',
      came: 'an address',
    });
  return problems;
}
