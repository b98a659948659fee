import { dirname, resolve } from 'node:path';
import type { AppFile } from '../../generated/schemas.d.ts';
import { validateApp } from '../../generated/validators.js';
import { describeErrors, type Problem } from '../document/describe-errors.ts';
import { nearest } from '../document/input/usage-error.ts';
import { ConfigurationError } from '../service/configuration/configuration-error.ts';
import { readConfigurationFile } from '../service/configuration/read-file.ts';
import { mapValues } from './drive/client-driver.ts';

export interface DrivenApp extends AppFile {
  /** Absolute path; commands run in this folder. */
  readonly folder: string;
  /** Each situation can have its own instance of the application, at the same time as others. */
  readonly sideBySide: boolean;
}

/** Reads `app.config.json`, or a module's default export. @throws ConfigurationError with every problem; nothing was started */
export async function loadApp(file: string): Promise<DrivenApp> {
  const written = await readConfigurationFile(file);
  if (!validateApp(written)) throw new ConfigurationError(file, describeErrors(validateApp.errors ?? []));
  const problems = [...wrongSettings(written), ...unknownPlaceholders(written)];
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  const { variables = {}, redirectUri } = written;
  const text = JSON.stringify(written);
  const ownPort = written.start === undefined || text.includes('{port}');
  const ownState = text.includes('{state}') || written.start !== undefined;
  return {
    ...written,
    // One situation has another redirect address.
    variables: mapValues(variables, (value) => (value === redirectUri ? '{redirectUri}' : value)),
    folder: resolve(dirname(file)),
    sideBySide: ownPort && ownState && written.fresh === undefined,
  };
}

function wrongSettings({ start, callback, connect, redirectUri }: AppFile): readonly Problem[] {
  const visits = 'visit' in connect;
  const rows: readonly (readonly [isWrong: boolean, path: string, expected: string, actual: string])[] = [
    [
      start !== undefined && callback === undefined && !visits,
      'connect.command',
      'an address to `visit`, as the redirect is delivered to a running application',
      'a command without a `callback` command',
    ],
    [
      start === undefined && callback === undefined,
      'callback',
      'a command that gets the address, as there is no `start`',
      'nothing',
    ],
    [
      start !== undefined && callback === undefined && !/^https?:\/\//i.test(redirectUri),
      'redirectUri',
      'an address that begins with http:// or https://, as the redirect is delivered to a running application',
      JSON.stringify(redirectUri),
    ],
    [start === undefined && visits, 'connect.visit', 'a command, as there is no `start`', 'an address'],
  ];
  return rows
    .filter(([isWrong]) => isWrong)
    .map(([, path, expected, actual]) => ({ path: path.split('.'), expected, actual }));
}

const EVERYWHERE = [
  'authUrl',
  'baseUrl',
  'clientId',
  'clientSecret',
  'redirectUri',
  'projectId',
  'userId',
  'port',
  'state',
  'session',
];

function unknownPlaceholders(app: AppFile): readonly Problem[] {
  const { name, success, $schema, ...rest } = app;
  return textsIn(rest, []).flatMap(({ path, text }) => {
    if (path.includes('success')) return [];
    const further = { calls: ['project', 'user'], callback: ['address'] }[path[0] ?? ''] ?? [];
    const known = [...EVERYWHERE, ...further];
    const free = path.includes('command') || path[0] === 'variables' || path[0] === 'fresh';
    return [...text.matchAll(/(?<!\$)\{([A-Za-z]+)\}/g)].flatMap(([written, word = '']) => {
      const meant = nearest(word, known);
      if (known.includes(word) || (free && meant === undefined)) return [];
      return {
        path,
        expected: `one of ${known.map((one) => `{${one}}`).join(', ')}`,
        actual: written,
        ...(meant === undefined ? {} : { advice: `did you mean {${meant}}?` }),
      };
    });
  });
}

function textsIn(
  value: unknown,
  path: readonly string[],
): readonly { readonly path: readonly string[]; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, [...path, key]));
}
