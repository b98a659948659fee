import type { Session } from '../../flow/session.ts';
import { type BaseWalk, walkBase } from '../../flow/smoke-flow.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Target } from '../../targets/target.ts';
import type { Interaction, Pact } from '../pact/pact.ts';
import { addressOf, type ProviderNames } from '../providers.ts';
import { type NativeVerifier, startNativeVerifier } from './native-verifier.ts';
import type { InteractionOutcome, PactOutcome, Verification } from './outcome.ts';
import { refusePacts } from './refuse-pacts.ts';
import { startRelay } from './relay.ts';
import { TargetActions } from './target-actions.ts';
import { type Found, found, type VerifierParts, verifyInteraction } from './verify-interaction.ts';

export interface VerifyOptions {
  readonly names?: ProviderNames;
  /** A running verifier to reuse; without it a new one is started. */
  readonly verifier?: NativeVerifier;
  readonly signal?: AbortSignal;
  readonly onInteraction?: (pact: Pact, interaction: Interaction) => void;
}

/** Consecutive interactions without an answer after which the verification stops. */
const PATIENCE = 2;

/**
 * Verifies pacts against a target: walks the base flow once, then brings each interaction's states about, has Pact's
 * verifier compare request and answer, and puts back what was assigned. On a live target interactions that are to be
 * refused come last, and a failure counts only if the base walk still works at the end.
 *
 * @param pacts at least one
 * @param session connected to the target; its secrets redact every reason
 * @throws PactRefused before anything is sent, with all that is wrong with the pacts
 */
export async function verifyPacts(
  pacts: readonly Pact[],
  session: Session,
  options: VerifyOptions = {},
): Promise<Verification> {
  const { target, secrets } = session;
  refusePacts(pacts, target, options.names ?? {});
  const walk = await walkBase(session);
  await session.shareCookies();
  const actions = new TargetActions({ ...session, dialect: walk.dialect });
  const left = await actions.cleanUp();
  const troubles: RunTrouble[] =
    left === undefined ? [] : [{ kind: 'broken', message: secrets.redact(left) }];
  const why = unusable(walk, target);
  if (why !== undefined) {
    const message = secrets.redact(why);
    return { pacts: notRun(pacts, message), troubles: [...troubles, { kind: 'inconclusive', message }] };
  }
  const run = new Run(pacts, actions, options, troubles);
  return confirmed(await run.run(), actions, walk.stopped?.step);
}

function unusable({ stopped, steps }: BaseWalk, { kind }: Target): string | undefined {
  if (kind !== 'live' || stopped === undefined || stopped.status === 'wrong') return undefined;
  if (stopped.ownLeft === undefined && steps.some(({ status }) => status === 'departed')) return undefined;
  return `${stopped.step}: ${stopped.message}`;
}

class Run {
  readonly #pacts: readonly Pact[];
  readonly #actions: TargetActions;
  readonly #options: VerifyOptions;
  readonly #troubles: RunTrouble[];
  readonly #outcomes = new Map<Interaction, InteractionOutcome>();
  #unheard = 0;

  constructor(
    pacts: readonly Pact[],
    actions: TargetActions,
    options: VerifyOptions,
    troubles: readonly RunTrouble[],
  ) {
    this.#pacts = pacts;
    this.#actions = actions;
    this.#options = options;
    this.#troubles = [...troubles];
  }

  async run(): Promise<Verification> {
    const verifier = this.#options.verifier ?? (await startNativeVerifier());
    const relay = await startRelay();
    const parts: VerifierParts = { verifier, relay, actions: this.#actions };
    try {
      for (const [pact, interaction] of this.#inOrder()) await this.#one(pact, interaction, parts);
    } finally {
      await relay.close();
      if (this.#options.verifier === undefined) await verifier.close();
    }
    return {
      pacts: this.#pacts.map((pact) => ({
        ...named(pact),
        interactions: pact.interactions.flatMap((one) => this.#outcomes.get(one) ?? []),
      })),
      troubles: this.#troubles,
    };
  }

  /** Puts refusals last on a live target, because they may revoke tokens or lock the application. */
  #inOrder(): readonly (readonly [Pact, Interaction])[] {
    const all = this.#pacts.flatMap((pact) => pact.interactions.map((one) => [pact, one] as const));
    if (this.#actions.session.target.kind === 'emulator') return all;
    const refused = ([, { status }]: (typeof all)[number]) => status >= 400;
    return [...all.filter((one) => !refused(one)), ...all.filter(refused)];
  }

  async #one(pact: Pact, interaction: Interaction, parts: VerifierParts): Promise<void> {
    const { secrets } = this.#actions.session;
    const begun = performance.now();
    const came = this.#giveUp() ?? (await this.#verify(pact, interaction, parts));
    this.#unheard = came.result === 'not-run' ? this.#unheard + 1 : 0;
    const mismatches = came.mismatches.map((one) => ({
      ...one,
      description: secrets.redact(one.description),
    }));
    this.#outcomes.set(interaction, {
      ...about(interaction),
      result: came.result,
      reasons: mismatches.map(({ description }) => description),
      mismatches,
      durationMs: Math.round(performance.now() - begun),
    });
    this.#options.onInteraction?.(pact, interaction);
  }

  #giveUp(): Found | undefined {
    if (this.#options.signal?.aborted) return found('not-run', 'interrupted');
    if (this.#unheard < PATIENCE) return undefined;
    return found('not-run', `not tried: the target gave no answer ${PATIENCE} times in a row`);
  }

  async #verify(pact: Pact, interaction: Interaction, parts: VerifierParts): Promise<Found> {
    const address = addressOf(pact, interaction, this.#options.names) ?? 'api';
    try {
      return await verifyInteraction(pact, interaction, address, parts);
    } catch (error) {
      this.#broken(`"${interaction.description}": ${error instanceof Error ? error.message : String(error)}`);
      return found('not-run', 'the suite failed');
    } finally {
      const left = await parts.actions.cleanUp();
      if (left !== undefined) this.#broken(left);
    }
  }

  #broken(message: string): void {
    this.#troubles.push({ kind: 'broken', message: this.#actions.session.secrets.redact(message) });
  }
}

/** Counts a failure on a live target only if the base walk still works; otherwise it may be an outage. */
async function confirmed(
  verification: Verification,
  actions: TargetActions,
  stoppedBefore: string | undefined,
): Promise<Verification> {
  const { session } = actions;
  const failed = verification.pacts.some(({ interactions }) =>
    interactions.some(({ result }) => result === 'failed'),
  );
  if (session.target.kind !== 'live' || !failed) return verification;
  const { stopped } = await walkBase(session);
  actions.next();
  const left = await actions.cleanUp();
  const troubles: readonly RunTrouble[] =
    left === undefined
      ? verification.troubles
      : [...verification.troubles, { kind: 'broken', message: session.secrets.redact(left) }];
  if (stopped === undefined || stopped.status === 'wrong' || stopped.step === stoppedBefore) {
    return { ...verification, troubles };
  }
  const why = session.secrets.redact(
    `afterwards the smoke flow stopped at ${stopped.step} (${stopped.message}), so it cannot be told from an outage`,
  );
  return {
    troubles,
    pacts: verification.pacts.map((pact) => ({
      ...pact,
      interactions: pact.interactions.map((one) =>
        one.result === 'failed' ? { ...one, result: 'not-run', reasons: [why, ...one.reasons] } : one,
      ),
    })),
  };
}

export function notRun(pacts: readonly Pact[], why: string): readonly PactOutcome[] {
  return pacts.map((pact) => ({
    ...named(pact),
    interactions: pact.interactions.map((one) => ({
      ...about(one),
      result: 'not-run' as const,
      reasons: [why],
      mismatches: [{ description: why }],
      durationMs: 0,
    })),
  }));
}

function named({ source, consumer, provider }: Pact) {
  return { source, consumer, provider, standing: 'counts', why: [], warnings: [] } as const;
}

function about({ description, states, id, pending }: Interaction) {
  return {
    description,
    states: states.map(({ name }) => name),
    id,
    pending,
  };
}
