import type { JournalEntry } from '../../../emulator/control-types.ts';
import { byEpisode, type ClientRule, each, inSituations, NOTHING } from '../episode.ts';
import { formOf, headerOf, nameOf, operations, pathOf, valuesOf } from '../journal.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from './token-requests.ts';

export const SECRETS = {
  'secrets.not-in-address': byEpisode(({ entries }, { clientSecret }) => {
    const sent = entries.filter(({ endpoint }) => endpoint !== 'page');
    return each(sent, (entry) => inAddress(entry, clientSecret));
  }),
  'secrets.to-token-endpoint-only': byEpisode(({ entries }, { clientSecret }) => {
    const sent = entries.filter(
      (entry) =>
        entry.endpoint !== 'page' && entry.endpoint !== 'token' && !pathOf(entry).endsWith(REDIRECTED_TO),
    );
    return each(sent, (entry) => {
      const where = elsewhere(entry, clientSecret);
      return where && `${nameOf(entry)} carries ${where}`;
    });
  }),
  'secrets.not-in-output': byEpisode((episode, { clientSecret }) => {
    const { output, entries } = episode;
    if (output === undefined) return NOTHING;
    const printed = [
      ...(output.includes(clientSecret) ? ['the client secret'] : []),
      ...entries.flatMap((entry) => printedTokens(entry, output)),
    ];
    const some = [...new Set(printed)].slice(0, 4).join(', ');
    return { examples: 1, broken: some === '' ? [] : [`the client printed ${some}`] };
  }),
  'secrets.access-token-to-api-only': inSituations(['call-redirected'], (episode) => {
    const redirected = operations(episode).filter(({ fault }) => fault !== undefined);
    const carries = (entry: JournalEntry) =>
      headerOf(entry, 'authorization') !== undefined || /[?&]access_token=/.test(entry.target);
    const broken = episode.entries
      .filter((entry) => pathOf(entry).endsWith(LIST_REDIRECTED_TO) && carries(entry))
      .map(
        (entry) =>
          `${entry.method} ${pathOf(entry)} (request ${entry.arrival}) carries the access token to another origin, after a 307`,
      );
    return { examples: redirected.length, broken };
  }),
} satisfies Readonly<Record<string, ClientRule>>;

function printedTokens(entry: JournalEntry, text: string): readonly string[] {
  const { accessToken, refreshToken } = entry.presented;
  const bearer = /^bearer +(\S+)/i.exec(headerOf(entry, 'authorization') ?? '')?.[1];
  const [renewal] = valuesOf(formOf(entry), 'refresh_token');
  return [
    ...(accessToken !== undefined && bearer && text.includes(bearer) ? [accessToken] : []),
    ...(refreshToken !== undefined && renewal && text.includes(renewal) ? [refreshToken] : []),
  ];
}

const TOKEN_NAMES = ['access_token', 'refresh_token', 'bearer_token'];

function inAddress(entry: JournalEntry, clientSecret: string): readonly string[] {
  const query = entry.parameters.filter(({ place }) => place === 'query');
  const named = query.filter(
    ({ name, value }) =>
      TOKEN_NAMES.includes(name) || name === 'client_secret' || /^(access|refresh)_token#/.test(value),
  );
  const code = entry.endpoint === 'token' ? query.filter(({ name }) => name === 'code') : [];
  const found = [...named, ...code].map(({ name }) => name);
  const inPath =
    decoded(entry.target).includes(clientSecret) && !found.includes('client_secret')
      ? ['the client secret']
      : [];
  const all = [...found, ...inPath];
  return all.length === 0 ? [] : [`the address of ${nameOf(entry)} holds ${[...new Set(all)].join(', ')}`];
}

function elsewhere(entry: JournalEntry, clientSecret: string): string | undefined {
  const authorization = headerOf(entry, 'authorization') ?? '';
  if (/^basic /i.test(authorization)) return 'the client credentials as HTTP Basic';
  // The decision form repeats the client's query, which is already checked in the address.
  const body = entry.endpoint === 'authorize' ? '' : decoded(entry.body);
  const carried = `${entry.headers.map(([, value]) => value).join('\n')}\n${body}`;
  if (carried.includes(clientSecret)) return 'the client secret';
  if (entry.endpoint !== 'authorize' && entry.presented.refreshToken !== undefined && !inQuery(entry))
    return entry.presented.refreshToken;
  return /^refresh_token#/.test(entry.presented.accessToken ?? '')
    ? `${entry.presented.accessToken} as its access token`
    : undefined;
}

function inQuery({ parameters }: JournalEntry): boolean {
  return parameters.some(({ place, name }) => place === 'query' && name === 'refresh_token');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
