import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { readUtf8 } from '../../document/input/plain-data.ts';
import { unlessAborted } from '../../http/exchange.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { pagesToPropose } from '../../service/agent/browser/propose.ts';
import { shortPageText } from '../../service/agent/page-address.ts';
import type { AuthorizeOutcome } from '../../service/agent/user-agent.ts';
import { proposedKeys, withKeys } from '../../service/configuration/draft.ts';
import { credentialsOf } from '../../service/flow/connect.ts';
import { likelySetting } from '../../service/flow/diagnosis.ts';
import { authorizeAddress } from '../../service/flow/requests.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import { initialRequestStyle, type Session } from '../../service/flow/session.ts';
import type { FormPages, Proposal, Target } from '../../service/target.ts';
import { withSession } from '../shared/connection.ts';
import { whyWithheld, writeWhole } from '../shared/write-files.ts';
import { shownPageEnd } from './flow.ts';
import { type DoctorStep, failed, passed, type StepEnd } from './steps.ts';

/** Finds the sign-in, repeats it, writes it into the configuration, and asks for consent buttons that it does not know. */
export function proposalSteps(
  target: Target,
  secrets: SecretRegistry,
  say: (text: string) => void,
  signal?: AbortSignal,
): readonly DoctorStep[] {
  const { file = '', application } = target;
  const proposal: Proposal = { steps: [], buttons: [] };
  const finding = pagesToPropose(target.pages, proposal);
  const credentials = credentialsOf(target);
  const signIn = async (pages: FormPages): Promise<StepEnd> => {
    const view = async (session: Session) => {
      const serviceClient = new ServiceClient(session);
      const parameters = serviceClient.authorization({ application });
      const visit = { decision: 'view', signedIn: true, through: 'page' } as const;
      return unlessAborted(serviceClient.authorize(parameters, visit), signal);
    };
    const outcome = await withSession({ ...target, pages }, secrets, view, false, credentials);
    if (proposal.steps.length === 0 && outcome.trouble === undefined)
      return shownPageEnd(outcome, authorizeAddress(target, initialRequestStyle(target)));
    return signedIn(outcome, proposal, credentials.owner.password !== undefined);
  };
  return [
    { name: 'sign-in', check: () => signIn(finding) },
    {
      name: 'sign-in again',
      check: async () => {
        const { grant = finding.grant, buttons } = proposal;
        // A caught redirect has no buttons. Another page may be a refusal, which would come twice.
        const isKnown = proposal.grant !== undefined || buttons.length === 0;
        return isKnown ? signIn({ ...finding, proposal: undefined, grant }) : passed(UNTRIED);
      },
    },
    { name: 'file', check: () => write(file, proposal, secrets, say) },
    { name: 'consent', check: async () => consent(proposal, target.pages.consentShown) },
  ];
}

const UNTRIED = 'not tried: the page after the sign-in is unknown, and may be a refusal';

const BY_HAND = 'check `owner`; if it is right, write `signIn.steps` yourself: docs/service-pages.md';

/** The owner is signed in if a redirect to the client follows, or a page with buttons after the password, if there is one. */
function signedIn(outcome: AuthorizeOutcome, { steps, buttons }: Proposal, hasPassword: boolean): StepEnd {
  const { caught, trouble, finding, cause, pages, instead = 'no form followed' } = outcome;
  const last = pages.at(-1);
  const isTyped = !hasPassword || steps.some((step) => 'fill' in step && step.with === 'password');
  const isSignedIn = caught !== undefined || (isTyped && buttons.length > 0 && (last?.status ?? 0) < 400);
  if (trouble === undefined && isSignedIn)
    return passed(`no page asks for more after ${JSON.stringify(steps)}`);
  const { observed = trouble ?? instead, remedy } = finding ?? {};
  // The status of a page behind the sign-in says nothing about the application.
  const setting = likelySetting({ step: 'authorize', cause }, steps.length === 0 ? last : undefined);
  return failed(observed, remedy ?? setting ?? BY_HAND, cause);
}

/** Writes the keys into a JSON file, and prints them for a module. @throws Error if they hold a secret */
async function write(
  file: string,
  proposal: Proposal,
  secrets: SecretRegistry,
  say: (text: string) => void,
): Promise<StepEnd> {
  const keys = await proposedKeys(file, proposal);
  const withheld = whyWithheld(file, JSON.stringify(keys), secrets);
  if (withheld !== undefined) throw new Error(withheld);
  const names = Object.keys(keys).join(' and ');
  if (extname(file) !== '.json') {
    say(`\n${JSON.stringify(keys, null, 2).slice(2, -2)},\n`);
    return passed(`paste ${names} (above) into ${file}, in place of these keys`);
  }
  await writeWhole(file, withKeys(readUtf8(file), keys), statSync(file).mode);
  return passed(`wrote ${names} into ${file}; all else is as it was`);
}

const MOST_NAMED = 8;

function consent(
  { grant, deny, buttons, asksToTick }: Proposal,
  consentShown: FormPages['consentShown'],
): StepEnd {
  const names = buttons.flatMap((name) => shortPageText(name) || []).slice(0, MOST_NAMED);
  const has = names.map((name) => JSON.stringify(name)).join(', ') || 'none';
  if (grant === undefined && buttons.length === 0) {
    if (consentShown === 'never') return passed('no consent page was shown, as `consent.shown` says');
    return failed(
      'no consent page was shown: the service redirected at once',
      'if the service never asks, set `consent.shown` to "never"; if the sign-in grants, or an earlier grant is remembered, write `consent.grant` and `consent.deny` by the page; then run `doctor --walk`',
    );
  }
  if (grant === undefined) {
    const asked = 'write `consent.grant` and `consent.deny`';
    const example = '"consent": {"grant":{"button":"Allow"},"deny":{"button":"Deny"},"shown":"once"}';
    const notice = 'if the page is a notice, name what leads on in `signIn.interstitials`';
    const remedy = `${asked}, for example ${example}; then run \`doctor --walk\`; ${notice}`;
    return failed(`expected one button that grants, got ${has}`, remedy);
  }
  const denies = deny
    ? `${JSON.stringify(deny)} denies`
    : `nothing is known to deny: if one of ${has} does, write \`consent.deny\``;
  const note = '`consent.shown` is "once" unless the file says otherwise; `doctor --walk` checks it';
  const boxes = 'the page has boxes: if the owner must tick them, export `consent` from `signIn.module`';
  const notes = asksToTick ? [note, boxes] : [note];
  return passed(`${JSON.stringify(grant)} grants, ${denies}; not clicked`, ...notes);
}
