import type { ShownCredentials } from '../../agent/user-agent.ts';
import type { ConfigurationFinding, Target } from '../../target.ts';

/** The document's path (clause 1). */
const DOCUMENTED_PATH = '/access-keys/applications';

/** Returns what does not fit in `accountArea`; undefined if nothing shows that it is wrong. */
export function accountAreaFinding(
  { clientId, clientSecret, instead, misled }: ShownCredentials,
  { pages, isLive }: Target,
): ConfigurationFinding | undefined {
  if (isLive && misled !== undefined) {
    const key = `\`accountArea.${misled}\``;
    const observed =
      misled === 'fields'
        ? `${key} does not complete the form (${instead})`
        : `${key} finds nothing on a page of the account area that offers something of the kind (${instead})`;
    return { observed, remedy: 'correct it, or take create-application out of `abilities`' };
  }
  const path = pages.accountArea?.path ?? DOCUMENTED_PATH;
  if ((clientId === undefined || clientSecret === undefined) && path !== DOCUMENTED_PATH)
    return {
      observed: `\`accountArea.path\` is \`${path}\`, where no application could be created (${instead})`,
      remedy: `the document has \`${DOCUMENTED_PATH}\` (clause 1): leave the key out`,
    };
  return undefined;
}
