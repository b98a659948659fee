import type { Profile } from '../../generated/schemas.d.ts';
import { conclude } from '../report/verdict.ts';
import { gapsOf, observedTarget, readBack } from './observe.ts';

/** What `observe()` may be told besides its target. Whatever is absent is as on the command line. */
export interface ObserveOptions {
  /** The emulator's profile: an id, or the path of a file. */
  readonly profile?: string;
  /** Ids of the emulator's defects to switch on. */
  readonly defects?: readonly string[];
  /** What may be done to a live target: `refusals`, `revokes`, `slow`. */
  readonly risks?: readonly string[];
  /** Open points that are observed alone, whatever their risk. */
  readonly probes?: readonly string[];
  /** On a live target without a clock: wait until tokens expire, two hours. */
  readonly waitExpiry?: boolean;
  /** Where the variables are that a configuration names; those of the process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends it when it is aborted: own users are unassigned, and there is no profile. */
  readonly signal?: AbortSignal;
}

/** What a target does where the document is silent, or why that is not known. */
export interface Observations {
  /** `conforms` where all that was asked for got an answer. */
  readonly verdict: 'conforms' | 'inconclusive' | 'broken';
  /** 0, 3 or 4, as the verb ends. */
  readonly exitCode: number;
  /** Why the verdict is not `conforms`. */
  readonly because: readonly string[];
  /** What the file holds that the verb writes; absent where it would write none. */
  readonly profile?: Profile;
  /** The same as YAML. */
  readonly text?: string;
  /** What the exchanges showed broken, a sentence each. */
  readonly alsoSeen: readonly string[];
}

/**
 * Observes what a target does where the document is silent, as the verb `observe` does. Prints nothing, writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, or the path of a configuration file
 * @throws UsageError, ConfigurationError and the like before anything is sent, when something about the request is wrong
 */
export async function observe(target = 'emulator', options: ObserveOptions = {}): Promise<Observations> {
  const { profile = 'doorkeeper-5', defects = [], risks = [], probes = [], waitExpiry = false } = options;
  const { env, signal } = options;
  const { secrets, troubles, seen, record } = await observedTarget(
    { target, profile, defects, risks, probes, waitExpiry },
    { ...(env && { env }), ...(signal && { signal }) },
  );
  const judged = record?.observed.answers.size ?? 0;
  const gaps = record === undefined ? [] : gapsOf(record.observed);
  const { verdict, exitCode, because } = conclude({ troubles, violations: [], gaps, judged });
  return {
    verdict: verdict as Observations['verdict'],
    exitCode,
    because: because.map((sentence) => secrets.redact(sentence)),
    alsoSeen: seen.map((sentence) => secrets.redact(sentence)),
    // What would hold a secret, or is no profile, is handed to no one.
    ...(record !== undefined && troubles.length === 0
      ? { profile: readBack(record.text), text: record.text }
      : {}),
  };
}
