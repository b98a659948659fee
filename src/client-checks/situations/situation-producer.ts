import type { SituationId } from '../../../generated/ids.ts';
import type { AnswersAnswer } from '../../../generated/schemas.d.ts';
import type { WholeProfile } from '../../emulator/policy/profile.ts';
import { defectsForAnswers } from '../answers.ts';
import { ClientUndrivable } from '../drive/client-driver.ts';
import type { ClientDriver } from '../drive/configured-driver.ts';
import type { Ports } from '../drive/ports.ts';
import type { Episode, Gap } from '../evaluate/episode.ts';
import { clientSeed, emulatorOn, placesIn } from '../service.ts';
import { type Tolerance, withTolerances } from '../tolerances.ts';
import { awaitsExpiry, perform } from './perform.ts';
import type { DrivenSituation } from './script.ts';
import { NotProduced, SituationContext, type SituationSettings, Unable } from './situation-context.ts';
import { SITUATIONS, situationsOf } from './situations.ts';

export interface ProducerSettings extends SituationSettings {
  /** Makes a client that was never started, with these variables in its environment. */
  readonly freshClient: (
    situation: SituationId,
    environment: NonNullable<DrivenSituation['environment']>,
  ) => Promise<ClientDriver>;
  readonly ports: Ports;
  /** Limit of journal entries per situation; later requests are not evaluated. */
  readonly journalLimit: number;
  readonly answers?: readonly AnswersAnswer[];
}

/** All situations share one client id and secret, because the evaluation must know the secret. */
export const CLIENT = {
  clientId: 'client-under-evaluation',
  clientSecret: 'secret-Zm9yLXRoZS1jbGllbnQtYWxvbmU',
} as const;

export const INTERRUPTED = 'the run was interrupted';

/** Produces situations, each with a fresh client on a service of its own. */
export class SituationProducer {
  readonly #run: ProducerSettings;
  readonly #documented: WholeProfile;
  readonly #interrupted: Promise<never>;
  /** Deviations of the client that the service accepts. */
  readonly tolerances: Tolerance[] = [];
  authUrl = '';
  baseUrl = '';
  /** Seconds until the client had started for the flow. */
  startSeconds = 0;

  constructor(run: ProducerSettings, documented: WholeProfile) {
    this.#run = run;
    this.#documented = documented;
    this.#interrupted = new Promise<never>((_, reject) => {
      const end = () => reject(new NotProduced(INTERRUPTED));
      if (run.signal?.aborted) end();
      else run.signal?.addEventListener('abort', end, { once: true });
    });
    this.#interrupted.catch(() => undefined);
  }

  /**
   * @throws ClientUndrivable if the client does not start for the flow
   * @throws StartedInBackground
   */
  async produce(situation: SituationId): Promise<Episode> {
    const { service: differing = {}, project = 'project', environment = {}, mayEnd } = SITUATIONS[situation];
    const { answers, retirement, tls = false, query = '', underBothHosts } = differing;
    const client = await this.#run.freshClient(situation, environment);
    const redirectUri = client.redirectUri + query;
    // A client may not have the query configured.
    const others = underBothHosts ? underOtherName(client) : [client.redirectUri];
    const own = { ...this.#documented, answers: { ...this.#documented.answers, ...answers } };
    const service = withTolerances(own, this.tolerances);
    const emulator = await emulatorOn(this.#run.ports, {
      profile: service.profile,
      defects: [...service.defects, ...defectsForAnswers(this.#run.answers ?? [])],
      retirement,
      addresses: { tls },
      clock: 'real',
      journalLimit: this.#run.journalLimit,
      seed: clientSeed(
        { redirectUris: [...new Set([redirectUri, ...others])], ...CLIENT },
        project === 'longProject',
      ),
    });
    try {
      const { authUrl, baseUrl } = emulator;
      this.authUrl = authUrl;
      this.baseUrl = baseUrl;
      const places = placesIn(service.profile);
      const projectId = places[project];
      const side = { authUrl, baseUrl, redirectUri, projectId, userId: places.user, ...CLIENT };
      const heedsSameSite = !this.tolerances.some((one) => one.ignoresSameSite);
      const context = new SituationContext(emulator, client, {
        ...this.#run,
        places,
        projectId,
        redirectUri,
        heedsSameSite,
      });
      const script = situationsOf(context.values)[situation];
      // Only where the token expires: with seconds left, some libraries refresh before every call.
      if (this.#run.expiresIn !== undefined && awaitsExpiry(script))
        emulator.control.lifetime.set(this.#run.expiresIn);
      // An application that never starts is described wrongly; one that started for the flow but not now is a gap.
      if (situation === 'flow') {
        const begun = performance.now();
        await client.start(side);
        this.startSeconds = (performance.now() - begun) / 1_000;
      }
      const produced = async () => {
        if (situation !== 'flow') await client.start(side);
        await perform(script, context);
      };
      const found = await gapOf(produced(), this.#interrupted);
      const gap = found && mayEnd ? { ...found, unable: true } : found;
      // The journal shows a pending request only after its client has stopped.
      await client.stop();
      await context.settled();
      return context.episode(situation, gap);
    } finally {
      await client.stop();
      await emulator.close();
    }
  }
}

/** Returns the same address under the other host name, if there is one: a client may build its address from the request. */
function underOtherName({ redirectUri, otherHost }: ClientDriver): readonly string[] {
  if (otherHost === undefined) return [];
  const other = new URL(redirectUri);
  other.hostname = otherHost;
  return [other.href];
}

/** Returns why a situation did not come about, if it did not. Does not wait for an interrupted one: its client is stopped next. */
async function gapOf(produced: Promise<void>, interrupted: Promise<never>): Promise<Gap | undefined> {
  try {
    await Promise.race([produced, interrupted]);
    return undefined;
  } catch (error) {
    if (error instanceof Unable) return { reason: error.message, unable: true };
    // An application that does not start again is a gap of this situation, not a reason to end the run.
    if (error instanceof NotProduced || error instanceof ClientUndrivable)
      return { reason: error.message, unable: false };
    throw error;
  }
}
