import type { JournalEntry } from '../../../emulator/control-types.ts';
import { differenceOf } from '../difference.ts';
import {
  byEpisode,
  type ClientRule,
  type Episode,
  type EvaluationSettings,
  each,
  evaluationOf,
  inSituations,
  lineOf,
  NOTHING,
} from '../episode.ts';
import {
  authorizationParameters,
  byOrdinal,
  clientRefused,
  delivered,
  endOf,
  exchanges,
  formOf,
  gotTokens,
  headerOf,
  isDuring,
  isForm,
  type NameAndValue,
  nameOf,
  ODD_TOKENS,
  pathOf,
  refreshes,
  resembled,
  stepsOf,
  tokenRequests,
  valuesOf,
} from '../journal.ts';

export const REDIRECTED_TO = '/moved-token-endpoint';

export const LIST_REDIRECTED_TO = '/moved-list';

export const TOKEN_REQUESTS = {
  'token-request.form-post': byEpisode((episode) => each(tokenRequests(episode), noFormPost)),
  'token-request.credentials-in-form': credentialsInForm,
  'token-request.one-authentication': byEpisode((episode) =>
    each(tokenRequests(episode), (entry) =>
      entry.authentication === 'both'
        ? `${nameOf(entry)} presents the client's credentials in the form and with HTTP Basic`
        : undefined,
    ),
  ),
  'token-request.values-as-issued': byEpisode((episode, settings) => {
    // The integrator's own tests, and hostile callbacks, may send what was never issued.
    if (episode.steps.length === 0) return NOTHING;
    const hostile = stepsOf(episode, 'callback', 'hostile');
    const sent = tokenRequests(episode).filter(
      (entry) => isReadable(entry) && !hostile.some((step) => isDuring(step, entry)),
    );
    return each(sent, (entry) => notAsIssued(entry, episode, settings));
  }),
  'code.five-parameters': byEpisode((episode) => {
    // A request after a denial has no code: that is one finding.
    const denied = stepsOf(episode, 'callback', 'denied');
    const sent = exchanges(episode).filter(
      (entry) => hasFields(entry) && !denied.some((step) => isDuring(step, entry)),
    );
    return each(sent, (entry) =>
      lacking(entry, ['code', 'grant_type', 'redirect_uri'], 'authorization_code'),
    );
  }),
  'renewal.four-parameters': byEpisode((episode) =>
    each(refreshes(episode).filter(hasFields), (entry) => {
      const names = isAfterFailure(episode, entry) ? ['grant_type'] : ['refresh_token', 'grant_type'];
      const code =
        valuesOf(formOf(entry), 'code').length > 0
          ? [`${nameOf(entry)} has a code beside the refresh token`]
          : [];
      return [...lacking(entry, names, 'refresh_token'), ...code];
    }),
  ),
  'code.same-redirect-address': byEpisode((episode) => {
    const asked = new Map<string, string>();
    for (const entry of episode.entries) {
      const [address] = valuesOf(authorizationParameters(entry), 'redirect_uri');
      if (entry.issued.code !== undefined && address !== undefined) asked.set(entry.issued.code, address);
    }
    const sent = exchanges(episode).flatMap((entry) => {
      const [got] = valuesOf(fieldsOf(entry), 'redirect_uri');
      const wanted = asked.get(entry.presented.code ?? '');
      return wanted === undefined || !got ? [] : [{ entry, got, wanted }];
    });
    return each(sent, ({ entry, got, wanted }) =>
      got === wanted ? undefined : `${nameOf(entry)} names ${got}; the authorization request named ${wanted}`,
    );
  }),
  'token-request.redirect-not-followed': inSituations(['exchange-redirected'], (episode) => {
    const redirected = exchanges(episode).filter(({ fault }) => fault !== undefined);
    const broken = episode.entries
      .filter((entry) => pathOf(entry).endsWith(REDIRECTED_TO))
      .filter((entry) => entry.body !== '' || headerOf(entry, 'authorization') !== undefined)
      .map(
        (entry) =>
          `${entry.method} ${pathOf(entry)} (request ${entry.arrival}) repeats what was sent to the token endpoint, after its 307`,
      );
    return { examples: redirected.length, broken };
  }),
} satisfies Readonly<Record<string, ClientRule>>;

function noFormPost(entry: JournalEntry): readonly string[] {
  if (entry.method !== 'POST') return [`${nameOf(entry)} is a ${entry.method}`];
  const misplaced = inAddressAlone(entry);
  if (misplaced.length > 0)
    return [`${nameOf(entry)} has ${misplaced.join(', ')} in its address, not in the form`];
  if (isForm(entry)) return [];
  const type = headerOf(entry, 'content-type');
  return [
    `${nameOf(entry)} has ${type === undefined ? 'no Content-Type' : `the Content-Type ${type.split(';')[0]}`}`,
  ];
}

/** Returns the names of a token request's parameters that are in its address and in no body. */
export function inAddressAlone({ parameters }: JournalEntry): readonly string[] {
  const given = parameters.filter(({ place }) => place !== 'query').map(({ name }) => name);
  const asked = parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  return asked.filter((name) => IN_FORM.includes(name) && !given.includes(name));
}

const IN_FORM = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri', 'refresh_token'];

/** Bodies that are not a form are reported once, by their own requirement. */
function isReadable(entry: JournalEntry): boolean {
  return entry.method === 'POST' && isForm(entry);
}

/** Returns the parameters from wherever the client sent them: the wrong place is another requirement's finding. */
function fieldsOf(entry: JournalEntry): readonly NameAndValue[] {
  const form = formOf(entry);
  const others = entry.parameters.filter(({ name }) => valuesOf(form, name).length === 0);
  return [...form, ...others.map(({ name, value }) => [name, value] as const)];
}

function hasFields(entry: JournalEntry): boolean {
  return isReadable(entry) || entry.parameters.length > 0;
}

/** True if the token request before got no pair: an empty refresh token then shows how the client took that failure. */
function isAfterFailure(episode: Episode, { arrival }: JournalEntry): boolean {
  const last = tokenRequests(episode).findLast((one) => one.arrival < arrival && !clientRefused(one));
  return last !== undefined && !gotTokens(last);
}

function notAsIssued(
  entry: JournalEntry,
  { situation }: Episode,
  { clientId, clientSecret }: EvaluationSettings,
): readonly string[] {
  const pairs = formOf(entry);
  const compared = [
    ['client_id', clientId, 'client_secret', clientSecret],
    ['client_secret', clientSecret, 'client_id', clientId],
  ] as const;
  const wrong = compared.flatMap(([name, given, otherName, other]) =>
    valuesOf(pairs, name)
      .filter((value) => value !== '' && value !== given)
      .map((value) => `${name} is ${differenceOf(value, given, [otherName, other])}`),
  );
  const isMadeUp = entry.presented.code?.startsWith('unissued_') === true && !ODD_TOKENS.includes(situation);
  const codes = entry.grantType === 'authorization_code' && isMadeUp ? valuesOf(pairs, 'code') : [];
  return [...wrong, ...codes.map((code) => `code is ${differenceOf(code)}${resembled(entry)}`)].map(
    (what) => `${nameOf(entry)} ${endOf(entry)}: ${what}`,
  );
}

function lacking(entry: JournalEntry, names: readonly string[], grantType: string): readonly string[] {
  const pairs = fieldsOf(entry);
  const credentials = /^basic /i.test(headerOf(entry, 'authorization') ?? '')
    ? []
    : ['client_id', 'client_secret'];
  const wrong = [...names, ...credentials].flatMap((name) => timesWrong(pairs, name));
  const [type] = valuesOf(pairs, 'grant_type');
  if (type !== undefined && type !== '' && type !== grantType)
    wrong.push(`grant_type ${JSON.stringify(type)}`);
  return wrong.length === 0 ? [] : [`${nameOf(entry)} has ${wrong.join(', ')}`];
}

function timesWrong(pairs: readonly NameAndValue[], name: string): string[] {
  const values = valuesOf(pairs, name);
  if (values.length > 1) return [`${name} ${values.length} times`];
  if (values[0]) return [];
  const like = pairs.find(([other]) => other !== name && bare(other) === bare(name));
  return [`no ${name}${like === undefined ? '' : ` (but ${encodeURIComponent(like[0])})`}`];
}

/** Returns a name without what hides the difference: letter case, a byte order mark, blanks, quotes, other separators. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Requires the form at least once for every code and refresh token: a library may try Basic first and be refused. */
function credentialsInForm(episodes: readonly Episode[]): ReturnType<ClientRule> {
  const refused: string[] = [];
  const honoured: string[] = [];
  let examples = 0;
  for (const episode of episodes) {
    const sent = [...byOrdinal(exchanges(episode), 'code'), ...byOrdinal(refreshes(episode), 'refreshToken')];
    for (const [ordinal, entries] of sent) {
      const inForm = entries.filter(
        ({ authentication }) => authentication === 'form' || authentication === 'both',
      );
      const basic = entries.filter(({ authentication }) => authentication === 'basic');
      if (inForm.length > 0) examples += 1;
      // After a lost answer it may not try the form.
      else if (basic.length > 0 && basic.every(delivered))
        (basic.every(clientRefused) ? refused : honoured).push(lineOf(episode, basicOnly(ordinal, basic)));
    }
  }
  // A refusal says the most.
  return evaluationOf([...new Set([...refused, ...honoured])].slice(0, 6), examples);
}

function basicOnly(ordinal: string, basic: readonly JournalEntry[]): string {
  const [first] = basic;
  const refused = basic.every(clientRefused) ? '; the service takes the form alone, and refused' : '';
  return `${first === undefined ? '' : nameOf(first)} presents ${ordinal} with HTTP Basic and never with the form${refused}`;
}
