import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { formatKey, type KeyPath, type Problem } from '../../document/describe-errors.ts';
import type { Resolved } from './resolve-references.ts';
import { schemaNote } from './schema-notes.ts';
import { SHORTEST_PASSPHRASE } from './sealed-file.ts';

type Values = Resolved<ConfigurationFile>;
type Problems = readonly Problem[];

/** One rule: the problem, unless the configuration keeps it. */
function refuse(
  broken: boolean,
  path: KeyPath,
  expected: string,
  actual: string,
  more: Pick<Problem, 'advice' | 'example'> = {},
): Problems {
  return broken ? [{ path, expected, actual, ...more }] : [];
}

/**
 * Checks the parts of a configuration against each other.
 * @param written as written: shows which texts came from variables
 * @param values with those of variables; empty for a missing variable, which is already reported
 */
export function checkConfiguration(file: string, written: ConfigurationFile, values: Values): Problems {
  const { baseUrl, requests, application, secondApplication, signIn, accountArea, consent } = values;
  return [
    ...addresses(values),
    ...refuse(
      /\/v2\/*$/.test(baseUrl),
      ['baseUrl'],
      'the address without `/v2`, because the suite adds it (clause 9)',
      'one that ends in `/v2`',
      { advice: 'remove `/v2` from its end' },
    ),
    ...refuse(
      /\/oauth\/(?:authorize|token)\/*$/.test(values.authUrl),
      ['authUrl'],
      'the address before `/oauth/authorize`, because the suite adds that (clause 4.1)',
      `one that ends in \`${/\/oauth\/[a-z]+/.exec(values.authUrl)?.[0]}\``,
      { advice: 'remove that from its end' },
    ),
    ...secretHeaders(values),
    ...gatewayHeaders(['requests', 'headers'], requests?.headers),
    ...basic(values),
    ...refuse(
      secondApplication?.clientId !== '' && secondApplication?.clientId === application.clientId,
      ['secondApplication', 'clientId'],
      'the id of another application than `application`',
      'the same one',
      { advice: 'if you have only one application, leave `secondApplication` out' },
    ),
    ...refuse(
      signIn.steps === undefined && signIn.module === undefined && signIn.session === undefined,
      ['signIn'],
      'a way to sign in: `steps`, a `module`, or a saved `session`',
      'none',
      {
        example:
          '{"form":"#login","steps":[{"fill":"#login","with":"login"},{"click":{"button":"Sign in"}}]}',
      },
    ),
    ...credentials(values),
    ...refuse(
      values.abilities?.includes('create-application') === true && accountArea === undefined,
      ['accountArea'],
      'the form for a new application, because `abilities` has create-application',
      'nothing',
    ),
    ...refuse(
      consent.grant === undefined && consent.shown !== 'never',
      ['consent', 'grant'],
      'the element that grants, unless `consent.shown` is "never"',
      'nothing',
      { example: '{"grant":{"button":"Authorize"},"shown":"once"}' },
    ),
    // With one button for both, every denial would grant.
    ...refuse(
      consent.deny !== undefined && JSON.stringify(consent.deny) === JSON.stringify(consent.grant),
      ['consent', 'deny'],
      'another element than `consent.grant`',
      'the same one',
    ),
    ...proxy(written, values),
    ...handover(values),
    ...lock(values),
    ...shortPassphrase(['signIn', 'session', 'passphrase'], signIn.session?.passphrase),
    ...successors(values, file),
  ];
}

function addresses({ authUrl, baseUrl, clock, signIn, edge, ...applications }: Values): Problems {
  const listed = (path: KeyPath, all: readonly string[] = []) =>
    all.map((address, index) => [[...path, index], address] as const);
  const all: readonly (readonly [KeyPath, string | undefined])[] = [
    [['authUrl'], authUrl],
    [['baseUrl'], baseUrl],
    [['clock', 'advanceUrl'], clock?.advanceUrl],
    ...listed(['signIn', 'origins'], signIn.origins),
    ...listed(['edge', 'origins'], edge?.origins),
    ...(['application', 'secondApplication'] as const).flatMap((key) =>
      listed([key, 'redirectUris'], applications[key]?.redirectUris),
    ),
  ];
  return all.flatMap(([path, address]) =>
    refuse(
      address !== undefined && !URL.canParse(address),
      path,
      'a valid address',
      'one with an impossible host or port',
    ),
  );
}

/** Reports show headers, so a token must not be among them; `token.presentation` defines its place. */
function secretHeaders({ requests }: Values): Problems {
  return (['assign', 'unassign'] as const).flatMap((operation) =>
    Object.keys(requests?.[operation]?.headers ?? {}).flatMap((name) =>
      refuse(
        /^(?:authorization|proxy-authorization|cookie)$/i.test(name),
        ['requests', operation, 'headers', name],
        'headers that carry no secret',
        `the header ${name}`,
        { advice: 'set `token.presentation` to say how the suite sends the access token' },
      ),
    ),
  );
}

const GATEWAY_HEADER = 'have the gateway accept a header of its own, such as X-Gateway-Key';

/** Headers that the suite or its browser sets. */
const OWN =
  /^(?:authorization|proxy-authorization|cookie|host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|accept|accept-encoding|origin|referer|content-.*|sec-.*)$/i;

const OWN_ADVICE = `the suite or its browser sets it: use \`edge.basic\` for HTTP Basic, \`proxy\` for a proxy of yours; else ${GATEWAY_HEADER}`;

/** Characters that every gateway reads alike; the browser would send others as UTF-8. */
const SENDABLE = /^[\x20-\x7e]*$/;

function gatewayHeaders(path: KeyPath, headers: Readonly<Record<string, string>> = {}): Problems {
  return Object.entries(headers).flatMap(([name, value]) => {
    const at = [...path, name];
    if (OWN.test(name))
      return refuse(true, at, 'a header of the gateway', `the header ${name}`, { advice: OWN_ADVICE });
    return refuse(
      !SENDABLE.test(value) || value !== value.trim(),
      at,
      'a value of printable ASCII characters, without spaces around it',
      'another text',
    );
  });
}

function basic({ edge, token }: Values): Problems {
  if (edge?.basic === undefined) return [];
  const { user, at } = edge.basic;
  if (user.includes(':')) {
    const expected = 'a name without a colon (RFC 7617 section 2)';
    return refuse(true, ['edge', 'basic', 'user'], expected, 'one with a colon');
  }
  const presentation = token?.presentation;
  return refuse(
    at !== 'authUrl' && (presentation === undefined || 'header' in presentation),
    ['edge', 'basic'],
    'HTTP Basic that the resource API does not ask for',
    'Basic at both addresses, although `Authorization` carries the access token at the resource API',
    {
      advice: `if only pages and the token endpoint ask for it, add \`"at": "authUrl"\`; if the API does, ${GATEWAY_HEADER}, and name it in \`requests.headers\``,
    },
  );
}

/** Checks the owner's credentials against the steps that fill them. */
function credentials({ owner, signIn: { steps = [] } }: Values): Problems {
  const stepWith = (credential: string) =>
    steps.findIndex((step) => 'with' in step && step.with === credential);
  const { description, example } = schemaNote(['owner', 'password']);
  const password = refuse(
    owner.password === undefined && stepWith('password') >= 0,
    ['owner', 'password'],
    `this key (${description})`,
    'nothing',
    { example },
  );
  const at: KeyPath = ['owner', 'totpSecret'];
  const { totpSecret } = owner;
  if (totpSecret === undefined) {
    const step = stepWith('totp');
    const expected = `a secret, because ${formatKey(['signIn', 'steps', step])} fills a one-time code`;
    const code = refuse(step >= 0, at, expected, 'nothing', { example: '{"env":"STAGING_TOTP_SECRET"}' });
    return [...password, ...code];
  }
  const isBase32 = totpSecret === '' || /^[A-Z2-7]{8,}=*$/i.test(totpSecret.replace(/[\s-]/g, ''));
  const expected = 'base32: letters A to Z and digits 2 to 7';
  return [...password, ...refuse(!isBase32, at, expected, 'another text')];
}

function proxy(written: ConfigurationFile, { proxy: address }: Values): Problems {
  if (address === undefined || address === '') return [];
  const url = URL.parse(address);
  if (url?.protocol !== 'http:')
    return refuse(true, ['proxy'], 'the http:// address of an HTTP proxy', 'another text', {
      example: '"http://proxy.example:3128"',
    });
  return refuse(
    typeof written.proxy === 'string' && url.password !== '',
    ['proxy'],
    'an address without a password, or an object that names an environment variable',
    'one with a password',
    {
      advice:
        'this file must not hold a secret: put the whole address into an environment variable, and write its name here',
      example: '{"env":"STAGING_PROXY"}',
    },
  );
}

function handover({ handover, users }: Values): Problems {
  return [
    ...refuse(
      handover !== undefined && users.includes(handover.user),
      ['handover', 'user'],
      'a user whom no check assigns or unassigns',
      'one of `users`',
      { advice: 'name another user, or remove this one from `users`' },
    ),
    ...shortPassphrase(['handover', 'passphrase'], handover?.passphrase),
  ];
}

function lock({ lock, users, handover }: Values): Problems {
  if (lock === false) return [];
  const byHandover = lock.user === handover?.user ? '`handover`' : undefined;
  const taken = users.includes(lock.user) ? '`users`' : byHandover;
  const expected = 'a user whom nothing but the lock assigns';
  const advice = 'name another user of the suite, whom neither `users` nor `handover` names';
  return refuse(taken !== undefined, ['lock', 'user'], expected, `a user of ${taken}`, { advice });
}

function shortPassphrase(path: KeyPath, passphrase = ''): Problems {
  const { length } = passphrase;
  const isShort = length > 0 && length < SHORTEST_PASSPHRASE;
  return refuse(isShort, path, `at least ${SHORTEST_PASSPHRASE} characters`, `${length} characters`);
}

/** Refuses missing files of a successor now: at the retirement it would be too late. */
function successors({ retired }: Values, file: string): Problems {
  return (['shim', 'profile'] as const).flatMap((key) => {
    const named = retired?.[key];
    return refuse(
      named !== undefined && !existsSync(resolve(dirname(file), named)),
      ['retired', key],
      'an existing file, relative to the configuration',
      'a path without a file',
    );
  });
}
