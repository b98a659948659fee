import { validateProfile } from '../../../generated/validators.js';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { parseLocatedYaml } from '../../document/load-yaml.ts';
import { answersOf, digestOf } from '../../document/profiles/answers-of.ts';
import { type AspectId, namesOf, type SeenAnswers, sameAnswer } from '../../document/profiles/aspects.ts';
import type { Profile } from '../../document/profiles/profile.ts';
import type { Risk } from '../../document/types.ts';
import { DEFAULT_PROFILE } from '../../emulator/policy/load-profile.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { type Observed, observe } from '../../record/observe/observe.ts';
import { emulatorTarget } from '../../service/emulator.ts';
import { connectWithoutBrowser } from '../../service/flow/connect.ts';
import { runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import type { Target } from '../../service/target.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { whyWithheld } from '../shared/write-files.ts';

/** Makes a profile of what the probes saw. */
export async function profileFrom(
  observed: Observed,
  target: Target,
  at: Date,
  risks: ReadonlySet<Risk>,
): Promise<Profile> {
  const { answers, unseen, evidence, requests, departures } = observed;
  const { name, kind } = target;
  const moment = at.toISOString();
  const day = moment.slice(0, 10);
  const profile: Profile = {
    name: idFrom(name),
    title: `${name}, as observed on ${day}`,
    summary: `The behaviour of ${name} on ${day} where the document is silent.`,
    warnings: [],
    ...(Object.keys(departures).length > 0 && { departures }),
    base: DEFAULT_PROFILE,
    answers: Object.fromEntries(answers),
    observed: {
      target: name,
      kind,
      at: moment,
      suiteVersion: suiteVersion(),
      risks: [...risks],
      requests,
      notObserved: Object.fromEntries([...unseen].map(([aspect, { reason }]) => [aspect, reason])),
      evidence: Object.fromEntries(evidence),
    },
  };
  return withNotExpressed({ ...profile, digest: digestOf(profile) });
}

function idFrom(target: string): string {
  const id = target
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return id === '' ? 'observed' : id;
}

/** Returns why a profile must not be written: it holds a secret or a configured id, or its schema refuses it. */
export function whyNoProfile(text: string, secrets: SecretRegistry): string | undefined {
  const withheld = whyWithheld('the profile', text, secrets);
  if (withheld !== undefined) return withheld;
  if (/\S+@\S+\.\S+/.test(text)) return 'the profile would have held an e-mail address and was not written';
  try {
    parseLocatedYaml(text, 'profile', validateProfile);
    return undefined;
  } catch (error) {
    return `the profile is not what its schema says and was not written: ${(error as Error).message}`;
  }
}

/** Marks the aspects in which an emulator running this profile still answers differently. */
async function withNotExpressed(profile: Profile): Promise<Profile> {
  const configured = answersOf(profile);
  const shown = await shownOnEmulator(profile, configured);
  const notExpressed = [...configured].flatMap(([aspect, answer]): AspectId[] => {
    const actual = shown.get(aspect);
    return actual === undefined || sameAnswer(answer, actual) ? [] : [aspect];
  });
  if (profile.observed === undefined || notExpressed.length === 0) return profile;
  return { ...profile, observed: { ...profile.observed, notExpressed } };
}

async function shownOnEmulator(profile: Profile, configured: SeenAnswers): Promise<SeenAnswers> {
  const target = await emulatorTarget({ profile, defects: [], sockets: false });
  try {
    const session = connectWithoutBrowser(target, new SecretRegistry());
    const smokeFlow = await runSmokeFlow(session);
    const only = new Set([...configured.keys()].map((aspect) => namesOf(aspect).openPoint));
    const risks = new Set(['none'] as const);
    const request = { risks, only };
    return (
      await observe({ ...session, requestStyle: smokeFlow.requestStyle }, smokeFlow, loadCatalogue(), request)
    ).answers;
  } finally {
    await target.close();
  }
}
