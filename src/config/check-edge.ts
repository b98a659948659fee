import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { KeyPath } from '../catalogue/describe-errors.ts';
import type { ConfigurationProblem } from './configuration-error.ts';
import type { Resolved } from './resolve-references.ts';

type Written = Resolved<ConfigurationFile>;

/** Checks what goes to a gateway before the service against what the suite itself sends. */
export function checkEdge(resolved: Written): readonly ConfigurationProblem[] {
  const { requests } = resolved;
  return [
    ...headers(['requests', 'headers'], requests?.headers),
    ...headers(['requests', 'authUrl', 'headers'], requests?.authUrl?.headers),
    ...headers(['requests', 'baseUrl', 'headers'], requests?.baseUrl?.headers),
    ...oneOrigin(resolved),
    ...basic(resolved),
  ];
}

const GATEWAY_HEADER = 'have the gateway accept a header of its own, such as X-Gateway-Key';

/** Headers that the suite or its browser sets, with the way to say it instead. */
const OWN: readonly (readonly [RegExp, advice: string])[] = [
  [
    /^authorization$/i,
    `it carries the access token at the resource API: for HTTP Basic use \`edge.basic\`; else ${GATEWAY_HEADER}`,
  ],
  [
    /^proxy-authorization$/i,
    `no browser sends it for a page: for a proxy of yours use \`proxy\`; else ${GATEWAY_HEADER}`,
  ],
  [/^cookie$/i, `it would replace the owner's session in the browser: ${GATEWAY_HEADER}`],
  [
    /^(?:host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|accept|accept-encoding|origin|referer|content-.*|sec-.*)$/i,
    'remove it: the suite or its browser sets it',
  ],
];

/** Characters that every gateway reads alike; the browser would send others as UTF-8. */
const SENDABLE = /^[\x20-\x7e]*$/;

function headers(path: KeyPath, written: Readonly<Record<string, string>> = {}): ConfigurationProblem[] {
  return Object.entries(written).flatMap(([name, value]): ConfigurationProblem[] => {
    const advice = OWN.find(([pattern]) => pattern.test(name))?.[1];
    const at = [...path, name];
    if (advice !== undefined)
      return [{ path: at, expected: 'a header of the gateway', came: `the header ${name}`, advice }];
    if (SENDABLE.test(value) && value === value.trim()) return [];
    const expected = 'a value of printable ASCII characters, without spaces around it';
    return [{ path: at, expected, came: 'another text (not shown)' }];
  });
}

/** With both addresses on one origin, nothing distinguishes a page's request from the API's. */
function oneOrigin({ authUrl, baseUrl, requests }: Written): ConfigurationProblem[] {
  const [auth, api] = [URL.parse(authUrl), URL.parse(baseUrl)];
  if (auth === null || auth.origin !== api?.origin) return [];
  return (['authUrl', 'baseUrl'] as const)
    .filter((key) => requests?.[key] !== undefined)
    .map((key) => ({
      path: ['requests', key],
      expected: 'two addresses of different origins',
      came: `\`authUrl\` and \`baseUrl\` at ${auth.origin}`,
      advice: 'put the headers into `requests.headers`',
    }));
}

function basic({ edge, token }: Written): ConfigurationProblem[] {
  if (edge?.basic === undefined) return [];
  const { user, at } = edge.basic;
  if (user.includes(':')) {
    const expected = 'a name without a colon (RFC 7617 section 2)';
    return [{ path: ['edge', 'basic', 'user'], expected, came: 'one with a colon (not shown)' }];
  }
  const presentation = token?.presentation;
  if (at === 'authUrl' || (presentation !== undefined && !('header' in presentation))) return [];
  return [
    {
      path: ['edge', 'basic'],
      expected: 'HTTP Basic that the resource API does not ask for',
      came: 'Basic at both addresses, although `Authorization` carries the access token at the resource API',
      advice: `if only pages and the token endpoint ask for it, add \`"at": "authUrl"\`; if the API does, ${GATEWAY_HEADER}, and name it in \`requests.headers\``,
    },
  ];
}
