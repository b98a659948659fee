import { type Exchange, headerOf, isServerError, type WireResponse } from '../../http/exchange.ts';
import { exchangesOf } from '../../http/recorder.ts';
import { retirementSign, saysRetired } from '../../http/retirement.ts';
import { edgeRefusal } from './edge-refusal.ts';
import { authorizeAddress } from './requests.ts';
import { ServiceClient } from './service-client.ts';
import { newRecorder, type Session } from './session.ts';
import { type Clues, type StepOutcome, stoppedText } from './smoke-steps.ts';

/** Diagnoses a failed step that no workaround fixes. Sends at most three reads, without tokens and credentials. */
export async function diagnose(session: Session, stopped: StepOutcome): Promise<Diagnosis> {
  const exchange = answerOf(stopped) ?? (await secondLook(session, stopped));
  const { request, response, failure } = exchange ?? {};
  const stop = stoppedText(stopped);
  if (response !== undefined && saysRetired(response)) {
    const status = response.status === 410 ? 'it answers 410' : 'its answer says so';
    const proof = await proveRetirement(session);
    return { proof, exchange, message: `retired: the service is no more, ${status} (${stop})` };
  }
  const edge = request && response && (await edgeRefusal(session.target, request.url, response));
  if (edge !== undefined) {
    const observed = stop.endsWith(edge.observed) ? stop : `${stop}; ${edge.observed}`;
    return { exchange, message: `${observed}: ${edge.remedy}` };
  }
  const hint = likelySetting(stopped, response, session.target.keys);
  const more = [failure?.message, hint].filter((part) => part !== undefined && !stop.includes(part));
  return { exchange, message: [stop, ...more].join('; ') };
}

interface Diagnosis {
  /** Present for an answer that says that the service is retired. */
  readonly proof?: RetirementProof;
  /** The exchange that decides; undefined if the step sent none. */
  readonly exchange: Exchange | undefined;
  readonly message: string;
}

/** Returns the answer to the documented request, sent first; for pages, which are recorded incompletely, the last answer. */
function answerOf({ step, entries }: StepOutcome): Exchange | undefined {
  const exchanges = exchangesOf(entries);
  return step === 'authorize' || step === 'sign-in' ? exchanges.at(-1) : exchanges[0];
}

/** Requests the authorization address again without a browser, which gives better errors and a readable page. */
async function secondLook(session: Session, { step }: StepOutcome): Promise<Exchange | undefined> {
  if (step !== 'authorize' && step !== 'sign-in') return undefined;
  return askForPage(session, 'look again without a browser');
}

function askForPage(session: Session, purpose: string): Promise<Exchange> {
  const url = authorizeAddress(session.target, session.requestStyle);
  return newRecorder(session).send(purpose, { method: 'GET', url, headers: [['Accept', 'text/html']] });
}

export interface RetirementProof {
  /** Both addresses announce the retirement in a way that no outage does. */
  readonly proven: boolean;
  readonly signs: readonly string[];
}

/**
 * Sends one read to each address, without token and credentials. Both must agree: a gateway may answer 410 for its own
 * reasons, and a half working service is not retired.
 */
async function proveRetirement(session: Session): Promise<RetirementProof> {
  const authorize = await askForPage(session, 'ask the authorization server whether it is retired');
  const serviceClient = new ServiceClient(session);
  const list = await serviceClient.resource('ask the resource API whether it is retired', {
    operation: 'list',
    project: session.target.projects[0],
    token: undefined,
  });
  const asked = [
    ['authorization server', authorize.response],
    ['resource API', list.response],
  ] as const;
  return {
    proven: asked.every(([, response]) => response !== undefined && retirementSign(response) !== undefined),
    signs: asked.map(([name, response]) => `${name}: ${saidBy(response)}`),
  };
}

function saidBy(response: WireResponse | undefined): string {
  if (response === undefined) return 'no answer';
  return retirementSign(response) ?? `status ${response.status}, which is no sign of retirement`;
}

/** Returns the setting that likely caused a failed step; undefined without a clue. */
export function remedyFor(failed: StepOutcome): string | undefined {
  return likelySetting(failed, answerOf(failed)?.response);
}

/** @param response the answer to the step's documented request */
export function likelySetting(
  { step, cause, finding, says = '', pageStatus }: Clues & Pick<StepOutcome, 'step'>,
  response: Pick<WireResponse, 'status' | 'headers'> | undefined,
  { user, project } = KEYS,
): string | undefined {
  // The page's own trouble tells more than its status.
  if (finding !== undefined) return undefined;
  if (response?.status === 429) return SLOWER;
  // Its page may quote any word.
  if (response !== undefined && isServerError(response.status)) return undefined;
  const type = (response && headerOf(response, 'content-type')) ?? '';
  const status = String(response?.status ?? pageStatus ?? '');
  const fits = (row: Row) =>
    (row.cause?.includes(cause) ?? true) &&
    (row.says?.test(says) ?? true) &&
    (row.status?.test(status) ?? true) &&
    (row.html === undefined || /html/i.test(type));
  return LIKELY[step]?.find(fits)?.setting.replace('USER', user).replace('PROJECT', project);
}

const KEYS = { user: '`users[0]`', project: '`projects[0]`' };

/** A setting, and the clues to it; all of those that are present. USER and PROJECT stand for the keys that name them. */
interface Row {
  readonly cause?: readonly Clues['cause'][];
  readonly says?: RegExp;
  readonly status?: RegExp;
  readonly html?: true;
  readonly setting: string;
}

const SLOWER = 'lower `pacing.requestsPerSecond`, or set `pacing.perMinute` for the limited method';

const REDIRECT: Row = {
  status: /^3/,
  setting: "it redirects: check that `authUrl` and `baseUrl` are the service's own addresses",
};

const AUTHORIZE: readonly Row[] = [
  {
    cause: ['error redirected'],
    says: /^invalid_scope$/,
    setting: 'check that `application` may ask for read, write and destroy',
  },
  {
    cause: ['error redirected'],
    says: /^access_denied$/,
    setting: 'check that `consent.grant` names the button that grants, and that `owner` may grant',
  },
  {
    cause: ['error redirected'],
    setting:
      'check how `application` is registered: for the authorization code grant, and without undocumented parameters',
  },
  { cause: ['request refused'], says: /redirect/i, setting: 'correct `application.redirectUris[0]`' },
  { cause: ['request refused'], says: /client|application/i, setting: 'correct `application.clientId`' },
  {
    status: /^404/,
    setting:
      'check `authUrl`: it must be the address before `/oauth/authorize`, and `baseUrl` the one of the resource API; they may be swapped',
  },
  {
    status: /^4/,
    setting:
      'check that the service knows `application.clientId`, and that `application.redirectUris[0]` is authorized for it',
  },
  {
    cause: ['authUrl'],
    setting: 'check `authUrl`, or sign in to the gateway; if this is the sign-in page, correct `signIn.form`',
  },
  { cause: ['form-action'], setting: "have the service allow the clients' redirect addresses there" },
  { cause: ['covered'], setting: 'add the button that closes it to `signIn.interstitials`' },
  { cause: ['other window', 'framed'], setting: 'use `signIn.module`, which can do what steps cannot' },
  {
    cause: ['consent.grant'],
    setting:
      'correct `consent.grant`; if the page is a notice, name what leads on in `signIn.interstitials`; if it asks for more to sign in, add that to `signIn.steps`',
  },
  {
    cause: ['signIn.form'],
    setting: 'correct `signIn.form`: name one of these fields, or have `doctor --walk --propose` find them',
  },
  {
    cause: ['no form'],
    setting: 'check `authUrl`; if it is right, give the page more time by `consent.settleMs`',
  },
];

const TOKEN: readonly Row[] = [
  REDIRECT,
  {
    says: /invalid_client/,
    setting: 'check `application.clientSecret`, and that it belongs to `application.clientId`',
  },
  {
    status: /^401/,
    setting: 'check `application.clientSecret`, and that it belongs to `application.clientId`',
  },
  { says: /unauthorized_client/, setting: 'check that `application` may use this grant' },
];

const BEFORE_TOKEN = 'check `authUrl`: it must be the address before `/oauth/token`';

const TOKEN_ENDPOINT: readonly Row[] = [
  { status: /^40[45]/, setting: BEFORE_TOKEN },
  { html: true, setting: BEFORE_TOKEN },
];

const USER: readonly Row[] = [
  REDIRECT,
  { cause: ['lock'], setting: 'correct `lock`' },
  { status: /^404/, setting: 'check that there is a user USER' },
  { status: /^403/, setting: 'check that `owner` may assign and unassign in PROJECT' },
  {
    status: /^4(?:00|11|15|22)/,
    setting:
      'check that the service knows USER; if it wants a body or a header, set `requests.assign` or `requests.unassign`',
  },
];

/** By step the settings; the first one that fits counts. */
const LIKELY: Readonly<Partial<Record<StepOutcome['step'], readonly Row[]>>> = {
  'sign-in': AUTHORIZE,
  authorize: AUTHORIZE,
  exchange: [
    ...TOKEN,
    {
      says: /invalid_grant/,
      setting: 'check that the service knows `application.redirectUris[0]` in exactly this spelling',
    },
    ...TOKEN_ENDPOINT,
  ],
  refresh: [
    ...TOKEN,
    {
      says: /invalid_grant/,
      setting:
        'if the service accepts a refresh only after expiry, configure `clock`, or wait with --wait-expiry',
    },
    ...TOKEN_ENDPOINT,
  ],
  act: [
    REDIRECT,
    {
      status: /^403/,
      setting:
        'check that `owner` may see and change PROJECT, and that `application` may have read, write and destroy',
    },
    {
      status: /^401/,
      setting: 'the service accepts none of the usual ways to present a token: set `token.presentation`',
    },
    {
      status: /^404/,
      setting: 'check that `owner` may see a project PROJECT, and that `baseUrl` is the address before `/v2`',
    },
  ],
  assign: USER,
  unassign: USER,
};
