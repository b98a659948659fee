import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { connectWithoutBrowser } from '../flow/connect.ts';
import { runSmokeFlow } from '../flow/smoke-flow.ts';
import { observe } from '../observe/observe.ts';
import { answersOf } from '../profiles/answers-of.ts';
import { type AspectId, namesOf, type SeenAnswers, sameAnswer } from '../profiles/aspects.ts';
import type { Profile } from '../profiles/profile.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { emulatorTarget } from '../targets/emulator.ts';

/** Marks the aspects in which an emulator running this profile still answers differently. */
export async function withNotExpressed(profile: Profile): Promise<Profile> {
  const said = answersOf(profile);
  const shown = await shownOnEmulator(profile, said);
  const notExpressed = [...said].flatMap(([aspect, answer]): AspectId[] => {
    const actual = shown.get(aspect);
    return actual === undefined || sameAnswer(aspect, answer, actual) ? [] : [aspect];
  });
  if (profile.observed === undefined || notExpressed.length === 0) return profile;
  return { ...profile, observed: { ...profile.observed, notExpressed } };
}

async function shownOnEmulator(profile: Profile, said: SeenAnswers): Promise<SeenAnswers> {
  const target = await emulatorTarget({ profile, defects: [], sockets: false });
  try {
    const session = connectWithoutBrowser(target, new SecretRegistry());
    const smokeFlow = await runSmokeFlow(session);
    const only = new Set([...said.keys()].map((aspect) => namesOf(aspect).openPoint));
    const risks = new Set(['none'] as const);
    const request = { risks, only };
    return (
      await observe({ ...session, requestStyle: smokeFlow.requestStyle }, smokeFlow, loadCatalogue(), request)
    ).answers;
  } finally {
    await target.close();
  }
}
