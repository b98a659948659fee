import { fileDigest, manifestOf } from '../profiles/manifest.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Target } from '../targets/target.ts';
import { PROFILE, STORIES, type Told } from './observe-stories.ts';
import { suiteDigest, suiteVersion } from './suite-version.ts';

/**
 * Returns the text of a record's manifest.
 *
 * @param text of the profile, as it is written
 * @param named the target, if the manifest may hold its addresses
 */
export async function manifestText(
  { observed }: Profile,
  text: string,
  told: Told,
  named: Pick<Target, 'authUrl' | 'baseUrl'> | undefined,
): Promise<string> {
  const { target: name, kind, at } = told.record;
  const manifest = manifestOf(
    new Map([
      [PROFILE, fileDigest(text)],
      [STORIES, fileDigest(told.text)],
    ]),
    {
      suite: { version: await suiteVersion(), digest: { sha256: await suiteDigest() } },
      target: { name, kind, ...(named && { authUrl: named.authUrl, baseUrl: named.baseUrl }) },
      recordedAt: observed?.at ?? at,
      risks: [...(observed?.risks ?? [])],
      requests: { probes: observed?.requests ?? 0, stories: told.record.requests },
    },
  );
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
