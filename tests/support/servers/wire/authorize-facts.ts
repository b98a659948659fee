import { ADDRESSES, type Facts, type WireApi } from './api.ts';

/** The authorization request: addresses, scopes, the answer of the owner. */
export async function authorizeFacts(api: WireApi): Promise<Facts> {
  const getsCode = async (changes: Parameters<WireApi['authorize']>[0], extra = '') =>
    (await api.authorize(changes, 'grant', extra)).code === undefined ? 'no code' : 'code';
  const implicit = await api.authorize({ response_type: 'token', scope: 'write' });
  // Other scopes than the others': some servers remember a consent.
  const { asked, rest, code } = await api.authorize({ scope: 'destroy', state: 'a b&c' }, 'deny');
  const denied = `${rest.leaving?.searchParams.get('error')} ${rest.leaving?.searchParams.get('state')}`;
  return {
    'unregistered path': await getsCode({ redirect_uri: ADDRESSES.otherPath }),
    'longer path': await getsCode({ redirect_uri: ADDRESSES.longer }),
    'added query': await getsCode({ redirect_uri: ADDRESSES.withQuery }),
    'other port': await getsCode({ redirect_uri: ADDRESSES.otherPort }),
    'other loopback port': await getsCode({ redirect_uri: ADDRESSES.otherLoopbackPort }),
    'no redirect_uri': await getsCode({ redirect_uri: undefined }),
    'no scope': await getsCode({ scope: undefined }),
    'unknown scope': await getsCode({ scope: 'read everything' }),
    'doubled scope': await getsCode({}, '&scope=read'),
    'response_type=token': implicit.rest.leaving?.hash.includes('access_token=') ? 'token' : 'no token',
    denied: !asked ? 'not asked' : code === undefined ? denied : 'code',
  };
}
