import { REDIRECTED_TO } from '../bait.ts';
import type { ActName } from '../episode.ts';
import {
  byOrdinal,
  entryHeader,
  FORM_TYPE,
  isDuring,
  ODD_TOKENS,
  resemblanceText,
  type Sent,
  stepsOf,
  type Watched,
} from '../journal.ts';
import { type Cited, cited, type Line, lineOf } from '../line.ts';
import {
  byEpisode,
  type ClientRules,
  type Evaluation,
  type EvaluationSettings,
  eachOf,
  evaluationOf,
  inOwnSituations,
  NOTHING,
} from '../rule.ts';

export const TOKEN_REQUESTS = {
  'token-request.form-post': byEpisode(eachOf(({ tokenRequests }) => tokenRequests, noFormPost)),
  'token-request.credentials-in-form': credentialsInForm,
  'token-request.one-authentication': byEpisode(
    eachOf(
      ({ tokenRequests }) => tokenRequests,
      (entry) => {
        if (entry.bearer !== undefined)
          return cited`${entry} has an access token in its Authorization header`;
        return (
          entry.authentication === 'both' &&
          cited`${entry} presents the client's credentials in the form and with HTTP Basic`
        );
      },
    ),
  ),
  'token-request.certificate-checked': inOwnSituations((episode) => ({
    examples: stepsOf(episode, 'callback', 'hostile').length,
    broken: episode.tokenRequests.map(
      (entry) => cited`${entry} was sent, although no authority that is known vouches for the service`,
    ),
  })),
  'token-request.values-as-issued': byEpisode(
    eachOf(
      // The integrator's own tests, and hostile callbacks, may send what was never issued.
      (episode) =>
        episode.steps.length === 0
          ? []
          : besides(episode, 'hostile', episode.tokenRequests.filter(isReadable)),
      notAsIssued,
    ),
  ),
  'code.five-parameters': byEpisode(
    eachOf(
      // A request after a denial has no code: that is one finding.
      (episode) => besides(episode, 'denied', episode.exchanges.filter(hasFields)),
      (entry) => lacking(entry, ['code', 'grant_type', 'redirect_uri'], 'authorization_code'),
    ),
  ),
  'renewal.four-parameters': byEpisode(
    eachOf(
      ({ refreshes }) => refreshes.filter(hasFields),
      (entry, episode) => {
        const names = isAfterFailure(episode, entry) ? ['grant_type'] : ['refresh_token', 'grant_type'];
        const code = entry.form.has('code') ? [cited`${entry} has a code beside the refresh token`] : [];
        return [...lacking(entry, names, 'refresh_token'), ...code];
      },
    ),
  ),
  'code.same-redirect-address': byEpisode((episode, settings) =>
    // A query that is cut off is a finding of its own.
    episode.situation === 'redirect-with-query' ? NOTHING : sameAddress(episode, settings),
  ),
  'token-request.redirect-not-followed': inOwnSituations(({ exchanges, entries }) => ({
    examples: exchanges.filter(({ fault }) => fault !== undefined).length,
    broken: entries
      .filter(({ path }) => path.endsWith(REDIRECTED_TO))
      .filter(({ body, authorization }) => body !== '' || authorization !== undefined)
      .map((entry) => cited`${atAddress(entry)} repeats what was sent to the token endpoint, after its 307`),
  })),
} satisfies ClientRules;

/** Compares the redirect address of each exchange with the one of its authorization request. */
const sameAddress = eachOf(
  addresses,
  ({ entry, got, wanted }) =>
    got !== wanted && cited`${entry} names ${got}; the authorization request named ${wanted}`,
);

/** Finds exchanges that name the address without its query. */
export const wholeAddress = eachOf(
  addresses,
  ({ entry, got, wanted = '' }) =>
    got !== wanted &&
    got === wanted.split('?')[0] &&
    cited`${entry} names ${got}, without the query of ${wanted}`,
);

function addresses({ entries, exchanges }: Watched) {
  return exchanges.flatMap((entry) => {
    const got = fieldsOf(entry).get('redirect_uri');
    const asked = entries.findLast(
      (one) => one.issued.code === (entry.presented.code ?? '') && one.asked.has('redirect_uri'),
    );
    return asked && got ? [{ entry, got, wanted: asked.asked.get('redirect_uri') ?? undefined }] : [];
  });
}

/** Leaves out what arrived during these callbacks. */
function besides(episode: Watched, as: ActName, sent: readonly Sent[]): readonly Sent[] {
  const steps = stepsOf(episode, 'callback', as);
  return sent.filter((entry) => !steps.some((step) => isDuring(step, entry)));
}

/** Names a request by its address: it went elsewhere. */
export function atAddress(entry: Sent): Cited {
  const { method, path, arrival } = entry;
  return { text: `${method} ${path} (request ${arrival})`, requests: [entry] };
}

function noFormPost(entry: Sent): Cited | undefined {
  const { method, mediaType } = entry;
  if (method !== 'POST') return cited`${entry} is a ${method}`;
  const misplaced = onlyInAddress(entry);
  if (misplaced.length > 0)
    return cited`${entry} has ${misplaced.join(', ')} in its address, not in the form`;
  if (mediaType === FORM_TYPE) return undefined;
  const type = entryHeader(entry, 'content-type')?.split(';')[0];
  return cited`${entry} has ${type === undefined ? 'no Content-Type' : `the Content-Type ${type}`}`;
}

/** Returns the names of a token request's parameters that are in its address and in no body. */
export function onlyInAddress({ parameters }: Sent): readonly string[] {
  const given = parameters.filter(({ place }) => place !== 'query').map(({ name }) => name);
  const asked = parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  return IN_FORM.filter((name) => asked.includes(name) && !given.includes(name));
}

const IN_FORM = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri', 'refresh_token'];

/** Bodies that are not a form are reported once, by their own requirement. */
function isReadable({ method, mediaType }: Sent): boolean {
  return method === 'POST' && mediaType === FORM_TYPE;
}

/** Returns the parameters from wherever the client sent them: the wrong place is another requirement's finding. */
function fieldsOf({ form, parameters }: Sent): URLSearchParams {
  const others = parameters.filter(({ name }) => !form.has(name));
  return new URLSearchParams([
    ...form,
    ...others.map(({ name, value }) => [name, value] as [string, string]),
  ]);
}

function hasFields(entry: Sent): boolean {
  return isReadable(entry) || entry.parameters.length > 0;
}

/** True if the token request before got no pair: an empty refresh token then shows how the client took that failure. */
function isAfterFailure({ tokenRequests }: Watched, { arrival }: Sent): boolean {
  const last = tokenRequests.findLast((one) => one.arrival < arrival && !one.isClientRefused);
  return last?.gotTokens === false;
}

function notAsIssued(
  entry: Sent,
  { situation }: Watched,
  { clientId, clientSecret }: EvaluationSettings,
): readonly Cited[] {
  const { form, presented, grantType, end } = entry;
  const compared = [
    ['client_id', clientId, 'client_secret', clientSecret],
    ['client_secret', clientSecret, 'client_id', clientId],
  ] as const;
  const wrong = compared.flatMap(([parameter, given, otherName, other]) =>
    form
      .getAll(parameter)
      .filter((value) => value !== '' && value !== given)
      .map((value) => `${parameter} is ${differenceOf(value, given, [otherName, other])}`),
  );
  const isMadeUp = presented.code?.startsWith('unissued_') === true && !ODD_TOKENS.includes(situation);
  const codes = grantType === 'authorization_code' && isMadeUp ? form.getAll('code') : [];
  return [...wrong, ...codes.map((code) => `code is ${differenceOf(code)}${resemblanceText(entry)}`)].map(
    (what) => cited`${entry} ${end}: ${what}`,
  );
}

function lacking(entry: Sent, names: readonly string[], grantType: string): readonly Cited[] {
  const fields = fieldsOf(entry);
  const credentials = /^basic /i.test(entry.authorization ?? '') ? [] : ['client_id', 'client_secret'];
  const wrong = [...names, ...credentials].flatMap((name) => timesWrong(fields, name));
  const type = fields.get('grant_type');
  if (type && type !== grantType) wrong.push(`grant_type ${JSON.stringify(type)}`);
  return wrong.length === 0 ? [] : [cited`${entry} has ${wrong.join(', ')}`];
}

function timesWrong(fields: URLSearchParams, name: string): string[] {
  const values = fields.getAll(name);
  if (values.length > 1) return [`${name} ${values.length} times`];
  if (values[0]) return [];
  const like = [...fields.keys()].find((other) => other !== name && bare(other) === bare(name));
  return [`no ${name}${like === undefined ? '' : ` (but ${encodeURIComponent(like)})`}`];
}

/** Returns a name without what hides the difference: letter case, a byte order mark, blanks, quotes, other separators. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Requires the form at least once for every code and refresh token: a library may try Basic first and be refused. */
function credentialsInForm(episodes: readonly Watched[]): Evaluation {
  const refused: Line[] = [];
  const honoured: Line[] = [];
  let examples = 0;
  for (const episode of episodes) {
    const { exchanges, refreshes } = episode;
    const sent = [...byOrdinal(exchanges, 'code'), ...byOrdinal(refreshes, 'refreshToken')];
    for (const [ordinal, entries] of sent) {
      const inForm = entries.filter(
        ({ authentication }) => authentication === 'form' || authentication === 'both',
      );
      const basic = entries.filter(({ authentication }) => authentication === 'basic');
      const [first] = basic;
      if (inForm.length > 0) examples += 1;
      // After a lost answer it may not try the form.
      else if (first && basic.every(({ isDelivered }) => isDelivered)) {
        const isRefused = basic.every(({ isClientRefused }) => isClientRefused);
        const why = isRefused ? '; the service takes the form alone, and refused' : '';
        const line = cited`${first} presents ${ordinal} with HTTP Basic and never with the form${why}`;
        (isRefused ? refused : honoured).push(lineOf(episode.situation, line));
      }
    }
  }
  // A refusal says the most.
  return evaluationOf([...refused, ...honoured].slice(0, 6), examples);
}

/** Texts that programs write in place of a value that is missing. */
const MISSING = /^(?:undefined|null|none|nil|NaN|\[object Object\])$/i;

/** Placeholders that a developer left in place of the value. */
const PLACEHOLDER = /^[<{$]*(?:(?:your|my|the)[-_ ]?)?(?:client[-_ ]?)?(?:id|secret|code|token)[>}]*$/i;

/** Describes how a sent value differs from the issued one, and from another named one. Shows no value that is a secret. */
export function differenceOf(
  sent: string,
  given?: string,
  other?: readonly [name: string, value: string],
): string {
  if (sent === other?.[1]) return `the ${other[0]}`;
  const named = given === undefined ? 'one' : 'the given one';
  if (MISSING.test(sent) || PLACEHOLDER.test(sent)) return `the word ${JSON.stringify(sent)}`;
  if (/^(["']).*\1$/.test(sent)) return `${named} in quotes`;
  if (/[\r\n]$/.test(sent)) return `${named} with a line break behind it`;
  if (sent.trim() !== sent) return `${named} with blanks around it`;
  if (given === undefined) return `one of ${sent.length} characters that was never issued`;
  if (encodeURIComponent(given) === sent) return `${named}, encoded twice`;
  if (given.startsWith(sent)) return `the first ${sent.length} of its ${given.length} characters`;
  if (given.toLowerCase() === sent.toLowerCase()) return `${named} in other letter case`;
  return `another one, of ${sent.length} characters`;
}
