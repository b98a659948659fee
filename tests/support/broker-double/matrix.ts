import type { Links } from './links.ts';
import { rowBody } from './matrix-row-body.ts';
import { type Place, type Row, resolve, rowsFor, type Selector } from './matrix-rows.ts';
import type { BrokerStore } from './store.ts';
import { type BrokerAnswer, hal, invalid } from './wire.ts';

/** Reads `q[][pacticipant]=…&q[][version]=…`; a repeated key begins the next group. */
export function selectorsIn(query: URLSearchParams): readonly Selector[] {
  const groups: Record<string, string>[] = [];
  for (const [key, value] of query) {
    const name = /^q\[\]\[(\w+)\]$/.exec(key)?.[1];
    if (name === undefined) continue;
    const last = groups.at(-1);
    if (last === undefined || name in last) groups.push({ [name]: value });
    else last[name] = value;
  }
  return groups.map(({ latest, ...rest }) => ({ ...rest, ...(latest === 'true' ? { latest: true } : {}) }));
}

/** The place that a query names. */
export function placeIn(query: URLSearchParams, tagKey: string): Place {
  const environment = query.get('environment');
  if (environment) return { environment };
  const tag = query.get(tagKey);
  return tag ? { tag } : undefined;
}

/** `GET /matrix`: may these versions be deployed together, or into an environment? */
export function matrix(
  store: BrokerStore,
  links: Links,
  selectors: readonly Selector[],
  place: Place,
): BrokerAnswer {
  const environment = place !== undefined && 'environment' in place ? place.environment : undefined;
  const errors = problems(store, selectors, environment);
  if (errors.length > 0) return invalid(errors);
  const specified = selectors.map((selector) => resolve(store, selector));
  const missing = specified.filter(({ exists }) => !exists);
  const rows = missing.length > 0 ? [] : rowsFor(store, specified, place);
  const unknown = rows.filter(({ verification }) => verification === undefined);
  const failed = rows.filter(({ verification }) => verification?.success === false);
  const reasons = [
    ...warnings(selectors, place),
    ...(missing.length > 0
      ? missing.map(({ name, number }) => error(neverPublished(name, number)))
      : rows.length === 0
        ? [info('There are no missing dependencies')]
        : failed.length + unknown.length === 0
          ? [info('All required verification results are published and successful')]
          : [
              ...failed.map((row) => error(`The verification for the pact between ${between(row)} failed`)),
              ...unknown.map((row) => error(`There is no verified pact between ${between(row)}`)),
            ]),
  ].filter((reason, index, all) => all.findIndex(({ text }) => text === reason.text) === index);
  const deployable = missing.length > 0 ? false : unknown.length > 0 ? null : failed.length === 0;
  return hal(200, {
    summary: {
      deployable,
      reason: reasons.map(({ text }) => text).join('\n'),
      success: rows.length - failed.length - unknown.length,
      failed: failed.length,
      unknown: unknown.length,
    },
    notices: reasons,
    matrix: rows.map((row) => rowBody(store, links, row)),
  });
}

const info = (text: string) => ({ type: 'info', text });
const error = (text: string) => ({ type: 'error', text });
const between = ({ consumer, provider }: Row) => `${consumer.description} and ${provider.description}`;

function neverPublished(name: string, number: string | undefined): string {
  const version = number === undefined ? '' : `version ${number} of `;
  return `No pacts or verifications have been published for ${version}${name}`;
}

function problems(
  store: BrokerStore,
  selectors: readonly Selector[],
  environment: string | undefined,
): readonly string[] {
  const unnamed = selectors
    .filter(({ pacticipant }) => pacticipant === undefined)
    .map(() => 'Please specify the pacticipant name');
  const unknown = selectors
    .flatMap(({ pacticipant }) => pacticipant ?? [])
    .filter((name) => store.pacticipant(name) === undefined)
    .map((name) => `Pacticipant ${name} not found`);
  const none = selectors.length === 0 ? ['Please provide 1 or more version selectors.'] : [];
  const nowhere =
    environment !== undefined && store.environment(environment) === undefined
      ? [`Environment with name '${environment}' does not exist`]
      : [];
  return [...unnamed, ...unknown, ...none, ...nowhere];
}

function warnings(selectors: readonly Selector[], place: Place) {
  const texts = [
    ...(selectors.length === 1 && place === undefined
      ? [
          'WARN: It is recommended to specify the environment into which you are deploying. Without the environment, this result will not be reliable.',
        ]
      : []),
    ...(selectors.every(({ version }) => version === undefined)
      ? [
          'WARN: It is recommended to specify the version number (rather than the tag or branch) of the pacticipant you wish to deploy to avoid race conditions. Without a version number, this result will not be reliable.',
        ]
      : []),
  ];
  return texts.map((text) => ({ type: 'warning', text }));
}
