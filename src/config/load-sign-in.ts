import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { SignInConfiguration } from './configuration.ts';
import type { ConfigurationProblem } from './configuration-error.ts';
import type { Resolved } from './resolve-references.ts';
import { openSession, SessionUnreadable, SHORTEST_PASSPHRASE } from './saved-session.ts';
import { loadSignInModule, ModuleUnusable } from './sign-in-module.ts';

export interface LoadedSignIn {
  readonly signIn: SignInConfiguration;
  readonly problems: readonly ConfigurationProblem[];
}

export async function loadSignIn(
  { signIn, authUrl }: Resolved<ConfigurationFile>,
  file: string,
  readSession: boolean,
): Promise<LoadedSignIn> {
  const problems: ConfigurationProblem[] = [];
  const { form, steps, interstitials, module: written, session, origins = [] } = signIn;
  const kept: SignInConfiguration = {
    form,
    steps: steps ?? [],
    interstitials: interstitials ?? [],
    origins,
  };
  let loaded = kept;
  if (written !== undefined) {
    try {
      loaded = { ...loaded, module: await loadSignInModule(resolve(dirname(file), written)) };
    } catch (error) {
      if (!(error instanceof ModuleUnusable)) throw error;
      problems.push({
        path: ['signIn', 'module'],
        expected:
          'a module that exports a function `signIn(page, credentials)`, relative to the configuration',
        came: error.message,
      });
    }
  }
  if (session !== undefined) {
    const { passphrase } = session;
    const place = { file: resolve(dirname(file), session.file), passphrase };
    // A missing variable is already reported.
    if (passphrase !== '' && passphrase.length < SHORTEST_PASSPHRASE) {
      problems.push({
        path: ['signIn', 'session', 'passphrase'],
        expected: `at least ${SHORTEST_PASSPHRASE} characters`,
        came: `${passphrase.length} characters`,
      });
    } else if (readSession && passphrase !== '') {
      const read = readSaved(place, authUrl.replace(/\/+$/, ''), file);
      if ('problem' in read) problems.push(read.problem);
      else loaded = { ...loaded, session: { ...place, state: read.state } };
    }
    loaded = { ...loaded, session: loaded.session ?? place };
  }
  return { signIn: loaded, problems };
}

function readSaved(
  place: { readonly file: string; readonly passphrase: string },
  authUrl: string,
  file: string,
): { readonly state: ReturnType<typeof openSession> } | { readonly problem: ConfigurationProblem } {
  const refused = (came: string) => ({
    problem: {
      path: ['signIn', 'session', 'file'],
      expected: 'a saved session of the service at `authUrl`, relative to the configuration',
      came,
      advice: `make one with \`legacy-conformance sign-in --save --target ${file}\``,
    },
  });
  let text: string;
  try {
    text = readFileSync(place.file, 'utf8');
  } catch {
    return refused('a path without a readable file');
  }
  try {
    return { state: openSession(text, authUrl, place.passphrase) };
  } catch (error) {
    if (error instanceof SessionUnreadable) return refused(error.message);
    throw error;
  }
}
