import { setTimeout as pause } from 'node:timers/promises';
import { type BrokerAnswer, denied, granted, troubled, undecided } from './answer.ts';
import type { Broker } from './hal-client.ts';
import { noticesIn, type Resource } from './resource.ts';
import { BrokerFailed, TROUBLES } from './trouble.ts';

/** The question. */
export interface DeployQuestion {
  readonly pacticipant: string;
  readonly version: string;
  /** Where to: an environment, or what carries a tag. */
  readonly to: { readonly environment: string } | { readonly tag: string };
  /** How often to ask again while a result is missing: the verification may be under way. */
  readonly retries: number;
  /** Seconds between two times. */
  readonly intervalSeconds: number;
}

/** The broker's judgement: null where a result is missing. */
interface Judgement {
  readonly deployable: boolean | null;
  readonly reasons: readonly string[];
  readonly body: Resource;
}

/**
 * Asks whether a version may be deployed. The answer is read from the summary (`{}` is no yes).
 *
 * @returns exit 0 for yes, 1 for no, 3 where a result is missing or the broker cannot say
 */
export async function canIDeploy(broker: Broker, question: DeployQuestion): Promise<BrokerAnswer> {
  const { access } = broker;
  const { pacticipant, version, to, retries, intervalSeconds } = question;
  const what = `${pacticipant} ${version}`;
  const where = 'environment' in to ? to.environment : `the versions tagged ${to.tag}`;
  try {
    const address =
      'environment' in to
        ? await broker.link('pb:can-i-deploy-pacticipant-version-to-environment', {
            pacticipant,
            version,
            environment: to.environment,
          })
        : await broker.link('pb:can-i-deploy-pacticipant-version-to-tag', {
            pacticipant,
            version,
            tag: to.tag,
          });
    let judgement = await judgementAt(broker, address);
    for (let left = retries; left > 0 && judgement.deployable === null; left -= 1) {
      await pause(intervalSeconds * 1_000);
      judgement = await judgementAt(broker, address);
    }
    const { deployable, reasons, body } = judgement;
    if (deployable === true)
      return { ...granted(access, `yes: ${what} may be deployed to ${where}`, reasons), body };
    if (deployable === false)
      return { ...denied(access, `no: ${what} must not be deployed to ${where}`, reasons), body };
    const asked = retries === 0 ? '' : ` (asked ${retries + 1} times, ${intervalSeconds} s apart)`;
    const unknown = `unknown: whether ${what} may be deployed to ${where}: a verification result is missing${asked}`;
    return { ...undecided(access, unknown, reasons), body };
  } catch (error) {
    return troubled(access, error, ({ message }) => `${message} (asked about ${what} and ${where})`);
  }
}

async function judgementAt(broker: Broker, address: string): Promise<Judgement> {
  const body = await broker.get(address);
  const { deployable, reason } = (body.summary ?? {}) as {
    readonly deployable?: unknown;
    readonly reason?: unknown;
  };
  if ((typeof deployable !== 'boolean' && deployable !== null) || typeof reason !== 'string')
    throw new BrokerFailed(TROUBLES.noBroker(broker.url));
  const said = reason.split('\n');
  const further = noticesIn(body).flatMap(({ text }) => (said.includes(text) ? [] : [text]));
  return { deployable, reasons: [...said, ...further], body };
}
