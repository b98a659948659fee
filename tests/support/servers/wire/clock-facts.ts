import type { Facts, WireApi } from './api.ts';
import { granted, newPair } from './token-facts.ts';

/** The lifetimes of tokens and codes, on a server whose clock can be moved. */
export async function clockFacts(api: WireApi): Promise<Facts> {
  const { access_token: token, refresh_token: refreshToken = '' } = await newPair(api);
  const acts = async () => `${(await api.call('GET', '/projects/104/assigned_users', token)).status}`;
  await api.advance(7_090);
  const before = await acts();
  await api.advance(115);
  const after = await acts();
  const refreshed = await api.refresh(refreshToken);
  const code = await api.code();
  await api.advance(605);
  const late = await api.exchange(code);
  return {
    'token after 7090 s': before,
    'token after 7205 s': after,
    'refresh after 7205 s': granted(refreshed) ? 'tokens' : 'refused',
    'code after 605 s': granted(late) ? 'tokens' : 'refused',
  };
}
