export interface BrokerFailure {
  readonly kind: 'unreachable' | 'failing' | 'unauthorized' | 'no-broker' | 'unknown' | 'refused';
  readonly message: string;
}

export class BrokerFailed extends Error {
  readonly trouble: BrokerFailure;
  readonly details: readonly string[];

  constructor(trouble: BrokerFailure, details: readonly string[] = []) {
    super(trouble.message);
    this.name = 'BrokerFailed';
    this.trouble = trouble;
    this.details = details;
  }
}

export const FAILURES = {
  unreachable: (url: string, tries: number, why: string) =>
    trouble(
      'unreachable',
      `the broker at ${url} cannot be reached (${count(tries)}: ${why}): check that it runs`,
    ),
  late: (url: string, seconds: number) =>
    trouble('unreachable', `the broker at ${url} gave no answer within ${seconds} s: check that it runs`),
  failing: (url: string, status: number, tries: number) =>
    trouble('failing', `the broker at ${url} answered ${status} (${count(tries)}): try again later`),
  unauthorized: (url: string, status: number, writing: boolean) =>
    trouble(
      'unauthorized',
      `the broker at ${url}: ${status === 401 ? '401 Unauthorized' : '403 Forbidden'}: check PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD${writing ? ', and that they may write' : ''}`,
    ),
  undecipherable: (url: string, status: number) =>
    trouble(
      'unauthorized',
      `the broker at ${url} refuses the request (${status}) without a reason: check the credentials; a broker of one's own takes a user and a password and no tokens`,
    ),
  missing: (url: string) =>
    trouble('unknown', `the broker at ${url} has no such resource (404): check the address, and the names`),
  said: (url: string, status: number, sentences: readonly string[]) =>
    trouble(
      status === 409 ? 'refused' : 'unknown',
      `the broker at ${url} refuses the request (${status}): ${sentences.join('; ')}`,
    ),
  redirects: (url: string, status: number, to: string) =>
    trouble(
      'no-broker',
      `${url} redirects to ${to} (${status}): if that is the broker, set PACT_BROKER_BASE_URL to it; if it is a login page or a proxy, go around it. Credentials are sent to no other origin`,
    ),
  noBroker: (url: string) =>
    trouble(
      'no-broker',
      `what answers at ${url} is no Pact Broker: check the address, and whether a proxy or a login page stands before it`,
    ),
  noLink: (url: string, relation: string) =>
    trouble(
      'no-broker',
      `the broker at ${url} has no link ${relation}: it is too old for this (Pact Broker 2.80 or newer is needed), or it is none`,
    ),
} as const;

function trouble(kind: BrokerFailure['kind'], message: string): BrokerFailure {
  return { kind, message };
}

function count(tries: number): string {
  return tries === 1 ? '1 try' : `${tries} tries`;
}
