import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import { codeIn, type Pair, type Sent, startClient } from '../../support/emulator-client.ts';

/** A token pair with the application that it was issued to. */
export interface Held extends Pair {
  readonly application: number;
}

/** One emulator and short words for what is asked of it. Users and projects are those of the default seed. */
export interface World {
  later(seconds: number): void;
  /** Parameters of an application: id, secret and first address. */
  application(index: number): { client_id: string; client_secret: string; redirect_uri: string };
  /** The second address of the first application. */
  readonly secondAddress: string;
  code(sent?: Sent, application?: number): Promise<string>;
  /** The code on the redirect of an authorization request whose query is sent as it is; undefined when none came. */
  codeOf(query: string): Promise<string | undefined>;
  /** The tokens that a code gives; undefined when it is refused. */
  exchange(code: string, sent?: Sent, application?: number): Promise<Held | undefined>;
  /** The tokens that a form gives, sent as it is; undefined when it is refused. */
  token(
    form: string | readonly (readonly [string, string])[],
    contentType?: string,
  ): Promise<Held | undefined>;
  pair(scope?: string, application?: number): Promise<Held>;
  refresh(pair: Held, sent?: Sent): Promise<Held | undefined>;
  /** As many refreshes in a row: the last pair. */
  refreshed(pair: Held, times?: number): Promise<Held>;
  assign(pair: Held, user: string, project?: string): Promise<boolean>;
  unassign(pair: Held, user: string, project?: string): Promise<boolean>;
  list(pair: Held, project?: string): Promise<readonly string[]>;
  /** True if the access token may list. */
  alive(pair: Held): Promise<boolean>;
  /** A request to the resource API as it is. */
  call(pair: Held, method: string, path: string, body?: string): Promise<boolean>;
}

/** A project to which the seed assigns no user. */
export const PROJECT = '1043';

const FORM = 'application/x-www-form-urlencoded';

/** Starts an emulator on the profile that breaks nothing, with these defects. */
export async function openWorld(defects: readonly Defect[]): Promise<World> {
  const client = await startClient({ profile: 'by-the-rfc', defects });
  const { emulator } = client;
  const { applications } = emulator.seed;

  const application: World['application'] = (index) => {
    const { clientId, clientSecret, redirectUris } = applications[index] ?? applications[0];
    return { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUris[0] ?? '' };
  };
  async function held(response: Response, index = 0): Promise<Held | undefined> {
    if (!response.ok) return undefined;
    const text = await response.text();
    const fields = text.startsWith('{') ? JSON.parse(text) : { text };
    return { ...fields, application: index };
  }
  const call: World['call'] = async (pair, method, path, body) => {
    const response = await client.send(`${emulator.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${pair.access_token}` },
      ...(body === undefined ? {} : { body }),
    });
    return response.ok;
  };

  const world: World = {
    later: (seconds) => void emulator.control.clock.advance(seconds),
    application,
    secondAddress: applications[0].redirectUris[1] ?? '',
    code: (sent, index = 0) => {
      const { client_id, redirect_uri } = application(index);
      return client.code({ client_id, redirect_uri, ...sent });
    },
    codeOf: async (query) => codeIn(await client.authorize({}, { query })),
    exchange: async (code, sent, index = 0) =>
      held(await client.exchange({ ...application(index), code, ...sent }), index),
    token: async (form, contentType = FORM) =>
      held(
        await client.send(`${emulator.authUrl}/oauth/token`, {
          method: 'POST',
          headers: { 'Content-Type': contentType },
          body:
            typeof form === 'string' ? form : new URLSearchParams(form.map(([n, v]) => [n, v])).toString(),
        }),
      ),
    async pair(scope = 'read write destroy', index = 0) {
      return present(await world.exchange(await world.code({ scope }, index), {}, index));
    },
    async refresh(pair, sent) {
      const { client_id, client_secret } = application(pair.application);
      const response = await client.refresh({
        client_id,
        client_secret,
        refresh_token: pair.refresh_token,
        ...sent,
      });
      return held(response, pair.application);
    },
    async refreshed(pair, times = 1) {
      let latest = pair;
      for (let time = 0; time < times; time += 1) latest = present(await world.refresh(latest));
      return latest;
    },
    assign: (pair, user, project = PROJECT) => call(pair, 'PUT', client.path(project, user)),
    unassign: (pair, user, project = PROJECT) => call(pair, 'DELETE', client.path(project, user)),
    list: (pair, project = PROJECT) => client.list(project, pair.access_token),
    alive: (pair) => call(pair, 'GET', client.path(PROJECT)),
    call,
  };
  return world;
}

function present(pair: Held | undefined): Held {
  if (pair === undefined) throw new Error('tokens were refused');
  return pair;
}

/**
 * By defect: a story, what it shows on a sound service, and what on one with the defect. Wherever the fault does not show each
 * time, the story holds an example at which it does not.
 */
export type Examples = Readonly<
  Record<string, readonly [story: (world: World) => Promise<unknown>, sound: unknown, faulty: unknown]>
>;

/** The results of several tries, one after another. */
export async function inTurn<T>(times: number, once: (time: number) => Promise<T>): Promise<readonly T[]> {
  const shown: T[] = [];
  for (let time = 1; time <= times; time += 1) shown.push(await once(time));
  return shown;
}

/** A returned value counts as honoured, undefined as refused. */
export function outcomes(values: readonly unknown[]): readonly ('honoured' | 'refused')[] {
  return values.map((value) => (value === undefined ? 'refused' : 'honoured'));
}

export function refreshToken(before: Held, after: Held): 'kept' | 'new' {
  return after.refresh_token === before.refresh_token ? 'kept' : 'new';
}
