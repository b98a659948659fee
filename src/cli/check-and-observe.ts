import type { DefectId } from '../../generated/defect-ids.d.ts';
import type { OpenPointId } from '../../generated/ids.ts';
import type { ConfigurationFile, Profile } from '../../generated/schemas.d.ts';
import type { Risk } from '../document/types.ts';
import type { Results } from '../report/results.ts';
import { assembleResults } from '../report/verdict.ts';
import { checkedTarget } from './check.ts';
import type { CheckOptions, ProfileName } from './check-options.ts';
import { concluded, observedTarget, readBack } from './observe.ts';

/** A target: the emulator, the path of a configuration file, or a configuration. */
export type TargetOption = 'emulator' | (string & {}) | ConfigurationFile;

/** The name of a configuration that no file holds, in messages. Relative paths and `.env` are those of the current folder. */
const NO_FILE = 'configuration';

function namedTarget(target: TargetOption) {
  return typeof target === 'string' ? { target } : { target: NO_FILE, given: target };
}

/**
 * Checks a target: the emulator, or the live target of a configuration. Prints and writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @returns the contents of `results.json`, redacted
 * @throws UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function check(target: TargetOption = 'emulator', options: CheckOptions = {}): Promise<Results> {
  const { target: name, ...given } = namedTarget(target);
  const { run, secrets } = await checkedTarget(name, { ...options, ...given });
  const results = assembleResults(run);
  const leaks = [...new Set(secrets.find(JSON.stringify(results)).map(({ label }) => label))];
  if (leaks.length === 0) return results;
  const message = `the results would have held ${leaks.join(', ')}; this is a bug of the suite`;
  const broken = assembleResults({ ...run, troubles: [...run.troubles, { kind: 'broken', message }] });
  return JSON.parse(secrets.redact(JSON.stringify(broken))) as Results;
}

/** Options of an observation. Defaults are those of the command line. */
export interface ObserveOptions {
  /** The emulator's profile. */
  readonly profile?: ProfileName;
  /** The emulator's defects to switch on. */
  readonly defects?: readonly DefectId[];
  /** Accepted risks on a live target. */
  readonly risks?: readonly Risk[];
  /** Open points to observe exclusively, whatever their risk. */
  readonly probes?: readonly OpenPointId[];
  /** On a live target without a clock: wait until tokens expire, two hours. */
  readonly waitExpiry?: boolean;
  /** Environment for the variables that a configuration names. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborting it ends the observation: own users are unassigned, and there is no profile. */
  readonly signal?: AbortSignal;
}

/** A target's behaviour where the document is silent, or the reasons why it is unknown. */
export interface Observations {
  /** `conforms` if every requested probe got an answer; `violates` if the service does not unassign a user of the suite. */
  readonly verdict: 'conforms' | 'violates' | 'inconclusive' | 'broken';
  /** 0, 1, 3 or 4, as from the verb. */
  readonly exitCode: number;
  /** Reasons why the verdict is not `conforms`. */
  readonly because: readonly string[];
  /** The contents of the verb's file; absent if the verb would write none. */
  readonly profile?: Profile;
  /** The profile as YAML. */
  readonly text?: string;
  /** Requirements that the exchanges broke, a sentence each. */
  readonly alsoSeen: readonly string[];
}

/**
 * Observes a target where the document is silent, like the verb `observe`. Prints and writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @throws UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function observe(
  target: TargetOption = 'emulator',
  options: ObserveOptions = {},
): Promise<Observations> {
  const { profile = 'doorkeeper-5', defects = [], risks = [], probes = [], waitExpiry = false } = options;
  const { env, signal } = options;
  const observed = await observedTarget(
    { ...namedTarget(target), profile, defects, risks, probes, waitExpiry },
    { ...(env && { env }), ...(signal && { signal }) },
  );
  const { secrets, troubles, seen, record } = observed;
  const { verdict, exitCode, because } = concluded(observed, troubles);
  return {
    verdict: verdict as Observations['verdict'],
    exitCode,
    because,
    alsoSeen: seen.map((sentence) => secrets.redact(sentence)),
    // A text with a secret, or an invalid profile, is never returned.
    ...(record !== undefined && troubles.length === 0
      ? { profile: readBack(record.text), text: record.text }
      : {}),
  };
}
