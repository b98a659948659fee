import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import type { Handler } from './listener.ts';
import * as pages from './pages.ts';
import type { Seeds } from './seeds.ts';
import type { Settings } from './settings.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Accepts codes of the present half minute and its neighbours, each once (RFC 6238 section 5.2). `secret`: base32. */
function oneTimeCodes(secret: string, now: () => number = Date.now): (code: string) => boolean {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const used = new Set<number>();
  return (code) => {
    const present = Math.floor(now() / 30_000);
    const period = [present, present - 1, present + 1].find((one) => codeAt(key, one) === code);
    if (period === undefined || used.has(period)) return false;
    used.add(period);
    return true;
  };
}

function codeAt(key: Buffer, period: number): string {
  const message = Buffer.from(period.toString(16).padStart(16, '0'), 'hex');
  const mac = createHmac('sha1', key).update(message).digest();
  const word = mac.readUInt32BE(mac.readUInt8(19) % 16) % 2 ** 31;
  return String(word).slice(-6).padStart(6, '0');
}

interface Progress {
  readonly csrf: string;
  login?: string;
  passwordAccepted?: boolean;
  codeAccepted?: boolean;
}

type Obstacles = Pick<Settings, 'interstitial' | 'captcha' | 'totpSecret' | 'drawnAfterMs' | 'defect'>;

const MAX_FORM_BYTES = 16 * 1024;

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) throw new Error('form too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

function sendPage(res: ServerResponse, status: number, body: string): void {
  res
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
    })
    .end(body);
}

/**
 * The pages between authorization and redirect; `oidc-provider` knows them by a cookie and a path.
 * @param root path under which the pages of one authorization request are found
 * @param obstacles pages between password and consent, or hindrances on the way
 */
export function makePages(provider: Provider, seeds: Seeds, root: string, obstacles: Obstacles): Handler {
  const { interstitial, captcha, totpSecret, drawnAfterMs, defect } = obstacles;
  const progressOf = new Map<string, Progress>();
  const acceptsCode = totpSecret === undefined ? () => true : oneTimeCodes(totpSecret);

  function progress(uid: string): Progress {
    const known = progressOf.get(uid) ?? { csrf: randomBytes(16).toString('base64url') };
    progressOf.set(uid, known);
    return known;
  }

  async function show(res: ServerResponse, interaction: Interaction): Promise<void> {
    const state = progress(interaction.uid);
    const frame = { action: `${root}/${interaction.uid}`, csrf: state.csrf, captcha, drawnAfterMs };
    if (interaction.prompt.name === 'consent') {
      const client = await provider.Client.find(interaction.params.client_id ?? '');
      const scopes = interaction.prompt.details.missingOIDCScope ?? [];
      return sendPage(res, 200, await pages.consentPage(frame, client?.clientName ?? '', scopes));
    }
    if (state.passwordAccepted && totpSecret !== undefined && !state.codeAccepted)
      return sendPage(res, 200, await pages.codePage(frame));
    if (state.passwordAccepted) return sendPage(res, 200, await pages.noticePage(frame));
    if (state.login !== undefined) return sendPage(res, 200, await pages.passwordPage(frame, state.login));
    return sendPage(res, 200, await pages.identifierPage(frame));
  }

  async function signedIn(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const result = { login: { accountId: seeds.owner.accountId } };
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  async function consent(req: IncomingMessage, res: ServerResponse, interaction: Interaction): Promise<void> {
    const { grantId, params, session, prompt } = interaction;
    const accountId = session?.accountId ?? '';
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant = known ?? new provider.Grant({ accountId, clientId: params.client_id ?? '' });
    grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
    const result = { consent: { grantId: await grant.save() } };
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
  }

  async function deny(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const result = { error: 'access_denied', error_description: 'the owner said no' };
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  async function submit(
    req: IncomingMessage,
    res: ServerResponse,
    interaction: Interaction,
    step: string,
  ): Promise<void> {
    const form = await readForm(req);
    const state = progress(interaction.uid);
    const frame = { action: `${root}/${interaction.uid}`, csrf: state.csrf, captcha, drawnAfterMs };
    const again = () => res.writeHead(303, { Location: frame.action, 'Cache-Control': 'no-store' }).end();

    if (form.get('_csrf') !== state.csrf) {
      return sendPage(res, 403, await pages.failurePage('forged_form', 'Start again.'));
    }
    const prompt = interaction.prompt.name;
    if (prompt === 'login' && step === 'identifier') {
      const login = form.get('login')?.trim() ?? '';
      if (login !== seeds.owner.login) {
        return sendPage(res, 200, await pages.identifierPage(frame, 'We know nobody by that name.'));
      }
      state.login = login;
      again();
    } else if (prompt === 'login' && step === 'password' && state.login !== undefined) {
      if (captcha || form.get('passwd') !== seeds.owner.password) {
        return sendPage(res, 200, await pages.passwordPage(frame, state.login, 'That was not it.'));
      }
      state.passwordAccepted = true;
      if (interstitial || totpSecret !== undefined) again();
      else await signedIn(req, res);
    } else if (prompt === 'login' && step === 'code' && state.passwordAccepted) {
      if (!acceptsCode(form.get('otp') ?? '')) {
        return sendPage(res, 200, await pages.codePage(frame, 'That code is not valid, or was used.'));
      }
      state.codeAccepted = true;
      if (interstitial) again();
      else await signedIn(req, res);
    } else if (
      prompt === 'login' &&
      step === 'notice' &&
      state.passwordAccepted &&
      (totpSecret === undefined || state.codeAccepted)
    ) {
      await signedIn(req, res);
    } else if (prompt === 'consent' && step === 'consent') {
      if (form.get('decision') === 'allow' || defect === 'denial-grants')
        await consent(req, res, interaction);
      else await deny(req, res);
    } else {
      again();
    }
  }

  return async (req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    const [, uid, step] = /^\/([^/]+)(?:\/([^/]+))?$/.exec(path.slice(root.length)) ?? [];
    let interaction: Interaction;
    try {
      interaction = await provider.interactionDetails(req, res);
      if (interaction.uid !== uid) throw new Error('the cookie belongs to another request');
    } catch {
      return sendPage(
        res,
        400,
        await pages.failurePage('expired', 'Go back to the application and start again.'),
      );
    }
    if (req.method === 'GET' && step === undefined) return show(res, interaction);
    if (req.method === 'POST' && step !== undefined) return submit(req, res, interaction, step);
    return sendPage(res, 404, await pages.failurePage('not_found', 'There is nothing here.'));
  };
}
