import { codeIn, type EmulatorClient, form, redirectQuery } from './emulator-client.ts';

/** Whether an emulator keeps one requirement, found out by plain requests. */
export type Probe = (client: EmulatorClient) => Promise<boolean>;

const STATE = 'a b+c/d=e&f%g ü';

/** The same authorization request with one difference yields no code, and without it one. */
function noCode(...variants: readonly Readonly<Record<string, string | undefined>>[]): Probe {
  return async (client) => {
    for (const sent of variants) if (codeIn(await client.authorize(sent)) !== undefined) return false;
    return codeIn(await client.authorize()) !== undefined;
  };
}

/** Requests with a different redirect address yield no code. */
function noCodeAt(variants: (address: string) => readonly string[]): Probe {
  return async (client) => {
    const [address = ''] = client.emulator.seed.applications[0].redirectUris;
    return noCode(...variants(address).map((redirect_uri) => ({ redirect_uri })))(client);
  };
}

async function honoured(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes('"access_token"');
}

/** An exchange with a difference is refused, the same without it honoured. */
function refusedExchange(sent: Readonly<Record<string, string | undefined>>): Probe {
  return async (client) =>
    !(await honoured(await client.exchange({ code: await client.code(), ...sent }))) &&
    honoured(await client.exchange({ code: await client.code() }));
}

/** A denial as the owner presses it, on a page that is shown. */
async function denied(client: EmulatorClient): Promise<URLSearchParams | undefined> {
  client.emulator.control.forgetConsent();
  return redirectQuery(await client.authorize({ state: STATE }, { decision: 'deny' }));
}

/** Every refusal of the token endpoint, by the error that fits (RFC 6749 section 5.2). */
async function refusals(
  client: EmulatorClient,
): Promise<readonly (readonly [error: string, response: Response])[]> {
  const used = await client.code();
  await client.exchange({ code: used });
  const code = () => client.code();
  return [
    ['invalid_grant', await client.exchange({ code: used })],
    ['invalid_grant', await client.exchange({ code: 'never-issued-code' })],
    ['invalid_grant', await client.exchange({ code: await code(), redirect_uri: 'https://other.test/' })],
    ['invalid_grant', await client.refresh({ refresh_token: 'never-issued-token' })],
    ['invalid_client', await client.exchange({ code: await code(), client_secret: 'wrong-secret' })],
    ['invalid_client', await client.exchange({ code: await code(), client_id: 'unknown-client' })],
    ['invalid_request', await client.exchange({})],
    ['invalid_request', await client.refresh({})],
    ['invalid_request', await client.exchange({ code: await code(), grant_type: undefined })],
    ['unsupported_grant_type', await client.exchange({ code: await code(), grant_type: 'password' })],
  ];
}

async function errorOf(response: Response): Promise<string | undefined> {
  try {
    return ((await response.clone().json()) as { error?: string }).error;
  } catch {
    return undefined;
  }
}

function everyRefusal(holds: (response: Response, fitting: string) => Promise<boolean> | boolean): Probe {
  return async (client) => {
    for (const [fitting, response] of await refusals(client))
      if (!(await holds(response, fitting))) return false;
    return true;
  };
}

function fitting(error: string): Probe {
  return everyRefusal(async (response, fits) => fits !== error || (await errorOf(response)) === error);
}

/** Every refusal of the resource API: no token, a wrong one, an unknown project and user, odd ids. */
function everyResourceRefusal(holds: (response: Response) => boolean): Probe {
  return async (client) => {
    const [project] = client.emulator.seed.projects;
    const [user] = client.emulator.seed.users;
    const { access_token } = await client.pair();
    const responses: Response[] = [];
    for (const [method, one] of [['GET'], ['PUT', user.id], ['DELETE', user.id]] as const) {
      const path = client.path(project.id, one);
      responses.push(await client.call(method, path), await client.call(method, path, 'never-issued'));
      for (const odd of ['0', 'x'.repeat(3_000), '\u0000', "1'--", '../1', '%']) {
        responses.push(await client.call(method, client.path(odd, one), access_token));
      }
    }
    return responses.every(holds);
  };
}

const TOKEN_ERRORS =
  'invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope'.split(
    ' ',
  );

/** One probe for each requirement of level strictness or standard. */
export const PROBES: Readonly<Record<string, Probe>> = {
  'authorize.redirect-uri-required': noCode({ redirect_uri: undefined }, { redirect_uri: '' }),
  'authorize.response-type-required': noCode({ response_type: undefined }, { response_type: '' }),
  'authorize.scope-required': noCode({ scope: undefined }, { scope: '' }, { scope: ' ' }),
  'authorize.scope-unknown-refused': noCode({ scope: 'admin' }, { scope: 'read admin' }, { scope: 'READ' }),
  'authorize.scope-percent20': async (client) => {
    const { clientId, redirectUris } = client.emulator.seed.applications[0];
    const sent = { client_id: clientId, redirect_uri: redirectUris[0], response_type: 'code' };
    return codeIn(await client.authorize({}, { query: `${form(sent)}&scope=read%20write` })) !== undefined;
  },
  'authorize.state-echoed': async (client) =>
    redirectQuery(await client.authorize({ state: STATE }))?.get('state') === STATE,
  'authorize.state-echoed-on-denial': async (client) => (await denied(client))?.get('state') === STATE,
  'authorize.denial-redirects': async (client) => (await denied(client))?.get('error') === 'access_denied',
  'authorize.bad-redirect-uri-not-followed': async (client) => {
    const sent = { redirect_uri: 'https://attacker.test/', scope: 'admin' };
    return (await client.authorize(sent)).headers.get('location') === null;
  },
  'authorize.redirect-uri-exact': noCodeAt((a) => [
    `${a}?x=1`,
    `${a}/`,
    a.replace('callback', 'CALLBACK'),
    `${a}#f`,
  ]),
  'authorize.redirect-query-kept': async (client) => {
    const redirect_uri = client.emulator.seed.applications[0].redirectUris.find((uri) => uri.includes('?'));
    return redirectQuery(await client.authorize({ redirect_uri }))?.get('source') === 'legacy';
  },
  'authorize.duplicate-parameter': async (client) => {
    const { clientId, redirectUris } = client.emulator.seed.applications[0];
    const sent = form({
      client_id: clientId,
      redirect_uri: redirectUris[0],
      response_type: 'code',
      scope: 'read',
    });
    return codeIn(await client.authorize({}, { query: `${sent}&scope=read` })) === undefined;
  },
  'authorize.unknown-parameter-ignored': async (client) =>
    codeIn(await client.authorize({ x: 'y' })) !== undefined,
  'authorize.code-unguessable': async (client) => {
    const codes = [await client.code(), await client.code(), await client.code()];
    return new Set(codes).size === 3 && codes.every((code) => /^[A-Za-z0-9_-]{22,}$/.test(code));
  },
  'authorize.not-framable': async (client) => {
    const { authUrl } = client.emulator;
    const page = await client.send(`${authUrl}/sign-in`);
    return /frame-ancestors 'none'/.test(page.headers.get('content-security-policy') ?? '');
  },
  'authorize.no-307': async (client) => ![307, 308].includes((await client.authorize()).status),
  'exchange.requires-grant-type': refusedExchange({ grant_type: undefined }),
  'exchange.grant-type-checked': refusedExchange({ grant_type: 'password' }),
  'exchange.redirect-uri-exact': async (client) => {
    const [asked = ''] = client.emulator.seed.applications[0].redirectUris;
    for (const redirect_uri of [`${asked}?x=1`, `${asked}/`, asked.replace('callback', 'CALLBACK')])
      if (await honoured(await client.exchange({ code: await client.code(), redirect_uri }))) return false;
    return true;
  },
  'exchange.code-bound-to-client': async (client) => {
    const [, other] = client.emulator.seed.applications;
    const sent = { client_id: other?.clientId, client_secret: other?.clientSecret };
    return !(await honoured(await client.exchange({ code: await client.code(), ...sent })));
  },
  'exchange.code-replay-revokes': async (client) => {
    const code = await client.code();
    const { access_token } = (await (await client.exchange({ code })).json()) as { access_token: string };
    await client.exchange({ code });
    const [project] = client.emulator.seed.projects;
    return !(await client.call('GET', client.path(project.id), access_token)).ok;
  },
  'exchange.code-short-lived': async (client) => {
    const code = await client.code();
    client.emulator.control.clock.advance(600);
    return !(await honoured(await client.exchange({ code })));
  },
  'token.post-only': async (client) => {
    const { clientId, clientSecret, redirectUris } = client.emulator.seed.applications[0];
    const sent = form({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUris[0],
      code: await client.code(),
    });
    return !(await honoured(await client.send(`${client.emulator.authUrl}/oauth/token?${sent}`)));
  },
  'token.not-cacheable': async (client) =>
    /no-store/.test(
      (await client.exchange({ code: await client.code() })).headers.get('cache-control') ?? '',
    ),
  'token.json-content-type': async (client) =>
    /^application\/json/.test(
      (await client.exchange({ code: await client.code() })).headers.get('content-type') ?? '',
    ),
  'token.error-json': everyRefusal(async (response) =>
    TOKEN_ERRORS.includes((await errorOf(response)) ?? ''),
  ),
  'token.error-status': everyRefusal((response) => [400, 401].includes(response.status)),
  'token.error-invalid-grant': fitting('invalid_grant'),
  'token.error-invalid-client': fitting('invalid_client'),
  'token.error-invalid-request': fitting('invalid_request'),
  'token.error-unsupported-grant-type': fitting('unsupported_grant_type'),
  'token.error-leaks-nothing': everyRefusal(async (response) => {
    const said = `${await response.clone().text()} ${JSON.stringify([...response.headers])}`;
    return !/never-issued|wrong-secret|unknown-client/.test(said);
  }),
  'token.no-5xx': everyRefusal((response) => response.status < 500),
  'token.duplicate-parameter': async (client) => {
    const { clientId, clientSecret, redirectUris } = client.emulator.seed.applications[0];
    const sent = form({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUris[0],
      code: await client.code(),
    });
    const body = `${sent}&grant_type=authorization_code`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const token = `${client.emulator.authUrl}/oauth/token`;
    return !(await honoured(await client.send(token, { method: 'POST', headers, body })));
  },
  'token.unknown-parameter-ignored': async (client) =>
    honoured(await client.exchange({ code: await client.code(), x: 'y' })),
  'refresh.requires-grant-type': async (client) => {
    const { refresh_token } = await client.pair();
    return !(await honoured(await client.refresh({ refresh_token, grant_type: undefined })));
  },
  'refresh.bound-to-client': async (client) => {
    const { refresh_token } = await client.pair();
    const [, other] = client.emulator.seed.applications;
    const sent = { client_id: other?.clientId, client_secret: other?.clientSecret };
    return !(await honoured(await client.refresh({ refresh_token, ...sent })));
  },
  'refresh.scope-not-widened': async (client) => {
    const { refresh_token } = await client.pair({ scope: 'read' });
    const response = await client.refresh({ refresh_token, scope: 'read write' });
    return !(await honoured(response)) || ((await response.json()) as { scope: string }).scope === 'read';
  },
  'refresh.scope-kept': async (client) => {
    const { refresh_token } = await client.pair({ scope: 'read write' });
    const response = await client.refresh({ refresh_token });
    return ((await response.json()) as { scope: string }).scope === 'read write';
  },
  'assign.idempotent': async (client) => {
    const [project] = client.emulator.seed.projects;
    const { access_token } = await client.pair();
    const user = client.emulator.seed.users.at(-1)?.id ?? '';
    const once = await client.call('PUT', client.path(project.id, user), access_token);
    const after = await client.list(project.id, access_token);
    const twice = await client.call('PUT', client.path(project.id, user), access_token);
    return once.ok && twice.ok && same(after, await client.list(project.id, access_token));
  },
  'unassign.idempotent': async (client) => {
    const [project] = client.emulator.seed.projects;
    const { access_token } = await client.pair();
    const [user = ''] = await client.list(project.id, access_token);
    await client.call('DELETE', client.path(project.id, user), access_token);
    const after = await client.list(project.id, access_token);
    await client.call('DELETE', client.path(project.id, user), access_token);
    return !after.includes(user) && same(after, await client.list(project.id, access_token));
  },
  'list.safe': async (client) => {
    const [project] = client.emulator.seed.projects;
    const { access_token } = await client.pair();
    return same(await client.list(project.id, access_token), await client.list(project.id, access_token));
  },
  'resource.failure-status': everyResourceRefusal(({ status }) => status >= 400 && status < 500),
  'resource.no-5xx': everyResourceRefusal(({ status }) => status < 500),
  'resource.challenge': everyResourceRefusal(
    ({ status, headers }) => status !== 401 || headers.get('www-authenticate') !== null,
  ),
};

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
