import type { CliEnd } from './pact-cli.ts';
import { TRIES } from './pact-cli.ts';

/** Why the broker brought no judgement. `refused` is its judgement: what was sent contradicts what it has. */
export interface BrokerTrouble {
  readonly kind: 'unreachable' | 'failing' | 'unauthorized' | 'no-broker' | 'unknown' | 'refused';
  /** One sentence: what came, what to do. Holds no credentials. */
  readonly message: string;
}

/** What the broker's failures mean, whoever asked it. */
export const TROUBLES = {
  unreachable: (url: string, tries: number = TRIES) =>
    trouble('unreachable', `the broker at ${url} cannot be reached (${tries} tries): see that it runs`),
  late: (url: string, seconds: number) =>
    trouble('unreachable', `the broker at ${url} gave no answer within ${seconds} s: see that it runs`),
  status: (url: string, status: number, tries: number = TRIES): BrokerTrouble => {
    if (status === 401 || status === 403) {
      return trouble(
        'unauthorized',
        `the broker at ${url} does not let us do this (${status}): see PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD, and that they may write`,
      );
    }
    if (status === 429 || status >= 500)
      return trouble(
        'failing',
        `the broker at ${url} answered ${status} (${tries === 1 ? '1 try' : `${tries} tries`}): try again later`,
      );
    if (status === 404)
      return trouble(
        'unknown',
        `the broker at ${url} has no such resource (404): see the address, and the names`,
      );
    return trouble(
      'unauthorized',
      `the broker at ${url} refuses the request (${status}): see the credentials; a broker of one's own knows no tokens`,
    );
  },
  noBroker: (url: string) =>
    trouble(
      'no-broker',
      `what answers at ${url} is no Pact Broker: see the address, and whether a proxy or a login page stands before it`,
    ),
} as const;

function trouble(kind: BrokerTrouble['kind'], message: string): BrokerTrouble {
  return { kind, message };
}

/**
 * What a call that did not succeed came to, told from what the program printed: it ends with 1 whatever happened, and
 * panics (101) at an index without links.
 *
 * @param deadlineMs what the call was allowed, for the sentence
 */
export function troubleOf({ stdout, stderr, late }: CliEnd, url: string, deadlineMs: number): BrokerTrouble {
  if (late) return TROUBLES.late(url, deadlineMs / 1000);
  const said = `${stdout}\n${stderr}`;
  const validation = /failed validation - (\[.*\])/.exec(said)?.[1];
  if (validation !== undefined)
    return trouble('unknown', `the broker at ${url} says: ${sentences(validation)}`);
  const environment = /Environment (.+) does not exist/.exec(said)?.[1];
  if (environment !== undefined)
    return trouble(
      'unknown',
      `the broker at ${url} has no environment ${environment}: create it there first`,
    );
  const status = /failed: (\d{3}) /.exec(said)?.[1];
  if (status !== undefined) return TROUBLES.status(url, Number(status));
  if (/Failed to access pact broker path|error sending request/.test(said)) return TROUBLES.unreachable(url);
  if (/valid HAL|missing field|panicked/.test(said)) return TROUBLES.noBroker(url);
  const words = said.replaceAll(/\s+/g, ' ').trim();
  return trouble('failing', `Pact's broker program failed at ${url}: ${words || 'without a word'}`);
}

function sentences(list: string): string {
  try {
    return (JSON.parse(list) as readonly unknown[]).join('; ');
  } catch {
    return list;
  }
}
