import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { formatKey, type KeyPath } from '../catalogue/describe-errors.ts';
import { checkEdge } from './check-edge.ts';
import type { ConfigurationProblem } from './configuration-error.ts';
import type { Resolved } from './resolve-references.ts';
import { SHORTEST_PASSPHRASE } from './saved-session.ts';
import { schemaNote } from './schema-notes.ts';

/**
 * Checks the parts of a configuration against each other.
 *
 * @param file as written: shows which texts came from variables
 * @param resolved with the values of variables; empty for a missing variable, which is already reported
 */
export function checkConfiguration(
  file: ConfigurationFile,
  resolved: Resolved<ConfigurationFile>,
): readonly ConfigurationProblem[] {
  return [
    ...addresses(resolved),
    ...versionPrefix(resolved),
    ...headers('assign', resolved),
    ...headers('unassign', resolved),
    ...checkEdge(resolved),
    ...secondApplication(resolved),
    ...waysToSignIn(resolved),
    ...password(resolved),
    ...oneTimeCodes(resolved),
    ...accountArea(resolved),
    ...decisions(resolved),
    ...proxy(file, resolved),
    ...handover(resolved),
  ];
}

function handover({ handover, users }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (handover === undefined) return [];
  const problems: ConfigurationProblem[] = [];
  if (users.includes(handover.user))
    problems.push({
      path: ['handover', 'user'],
      expected: 'a user whom no check assigns or unassigns',
      came: 'one of `users`',
      advice: 'name another user, or remove this one from `users`',
    });
  const { length } = handover.passphrase;
  // A missing variable is reported already.
  if (length > 0 && length < SHORTEST_PASSPHRASE)
    problems.push({
      path: ['handover', 'passphrase'],
      expected: `at least ${SHORTEST_PASSPHRASE} characters`,
      came: `${length} characters`,
    });
  return problems;
}

function addresses(resolved: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  const all: [KeyPath, string | undefined][] = [
    [['authUrl'], resolved.authUrl],
    [['baseUrl'], resolved.baseUrl],
    [['clock', 'advanceUrl'], resolved.clock?.advanceUrl],
    ...origins(['signIn', 'origins'], resolved.signIn.origins),
    ...origins(['edge', 'origins'], resolved.edge?.origins),
    ...redirects('application', resolved.application),
    ...redirects('secondApplication', resolved.secondApplication),
  ];
  return all
    .filter(([, address]) => address !== undefined && !URL.canParse(address))
    .map(([path]) => ({ path, expected: 'a valid address', came: 'one with an impossible host or port' }));
}

function origins(path: KeyPath, addresses: readonly string[] = []): [KeyPath, string][] {
  return addresses.map((address, index) => [[...path, index], address]);
}

function redirects(
  key: string,
  application: Resolved<ConfigurationFile>['application'] | undefined,
): [KeyPath, string][] {
  return (application?.redirectUris ?? []).map((address, index) => [[key, 'redirectUris', index], address]);
}

function versionPrefix({ baseUrl }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (!/\/v2\/*$/.test(baseUrl)) return [];
  return [
    {
      path: ['baseUrl'],
      expected: 'the address without `/v2`, because the suite adds it (clause 9)',
      came: 'one that ends in `/v2`',
      advice: 'remove `/v2` from its end',
    },
  ];
}

/** Reports show headers, so a token must not be among them; `token.presentation` defines its place. */
function headers(
  operation: 'assign' | 'unassign',
  { requests }: Resolved<ConfigurationFile>,
): ConfigurationProblem[] {
  return Object.keys(requests?.[operation]?.headers ?? {})
    .filter((name) => /^(?:authorization|proxy-authorization|cookie)$/i.test(name))
    .map((name) => ({
      path: ['requests', operation, 'headers', name],
      expected: 'headers that carry no secret',
      came: `the header ${name}`,
      advice: 'set `token.presentation` to say how the suite sends the access token',
    }));
}

function secondApplication({
  application,
  secondApplication,
}: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (secondApplication === undefined || secondApplication.clientId === '') return [];
  if (secondApplication.clientId !== application.clientId) return [];
  return [
    {
      path: ['secondApplication', 'clientId'],
      expected: 'the id of another application than `application`',
      came: 'the same one',
      advice: 'if you have only one application, leave `secondApplication` out',
    },
  ];
}

function waysToSignIn({ signIn }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (signIn.steps !== undefined || signIn.module !== undefined || signIn.session !== undefined) return [];
  return [
    {
      path: ['signIn'],
      expected: 'a way to sign in: `steps`, a `module`, or a saved `session`',
      came: 'none',
      example: '{"form":"#login","steps":[{"fill":"#login","with":"login"},{"click":{"button":"Sign in"}}]}',
    },
  ];
}

function password({ owner, signIn }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (owner.password !== undefined || stepWith('password', signIn) < 0) return [];
  const { description, example } = schemaNote(['owner', 'password']);
  return [
    {
      path: ['owner', 'password'],
      expected: `this key (${description})`,
      came: 'nothing',
      example,
    },
  ];
}

function stepWith(
  credential: 'password' | 'totp',
  { steps = [] }: Resolved<ConfigurationFile>['signIn'],
): number {
  return steps.findIndex((step) => 'with' in step && step.with === credential);
}

function oneTimeCodes({ owner, signIn }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  const path: KeyPath = ['owner', 'totpSecret'];
  const example = '{"env":"STAGING_TOTP_SECRET"}';
  const step = stepWith('totp', signIn);
  if (owner.totpSecret === undefined) {
    if (step < 0) return [];
    const wanted = formatKey(['signIn', 'steps', step]);
    return [
      { path, expected: `a secret, because ${wanted} fills a one-time code`, came: 'nothing', example },
    ];
  }
  const letters = owner.totpSecret.replace(/[\s-]/g, '');
  if (owner.totpSecret === '' || /^[A-Z2-7]{8,}=*$/i.test(letters)) return [];
  return [{ path, expected: 'base32: letters A to Z and digits 2 to 7', came: 'another text (not shown)' }];
}

function accountArea({ abilities, accountArea }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (abilities?.includes('create-application') !== true || accountArea !== undefined) return [];
  return [
    {
      path: ['accountArea'],
      expected: 'the form for a new application, because `abilities` has create-application',
      came: 'nothing',
    },
  ];
}

/** Refuses one button for grant and deny: every denial would grant. */
function decisions({ consent }: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  if (consent.deny === undefined || JSON.stringify(consent.deny) !== JSON.stringify(consent.grant)) return [];
  return [
    { path: ['consent', 'deny'], expected: 'another element than `consent.grant`', came: 'the same one' },
  ];
}

function proxy(file: ConfigurationFile, resolved: Resolved<ConfigurationFile>): ConfigurationProblem[] {
  const address = resolved.proxy;
  if (address === undefined || address === '') return [];
  const path: KeyPath = ['proxy'];
  if (!URL.canParse(address) || new URL(address).protocol !== 'http:') {
    return [
      {
        path,
        expected: 'the http:// address of an HTTP proxy',
        came: 'another text (not shown)',
        example: '"http://proxy.example:3128"',
      },
    ];
  }
  if (typeof file.proxy !== 'string' || new URL(address).password === '') return [];
  return [
    {
      path,
      expected: 'an address without a password, or an object that names an environment variable',
      came: 'one with a password (not shown)',
      advice:
        'this file must not hold a secret: put the whole address into an environment variable, and write its name here',
      example: '{"env":"STAGING_PROXY"}',
    },
  ];
}
