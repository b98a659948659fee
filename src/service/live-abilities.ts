import { type AbilityId, abilityIds } from '../../generated/ids.ts';
import type { Configuration } from './configuration/configuration.ts';
import type { Target } from './target.ts';

export function liveAbilities(configuration: Configuration): Pick<Target, 'abilities' | 'missing'> {
  const whyNot = reasons(configuration);
  const missing = new Map(
    abilityIds.flatMap((ability) => (whyNot[ability] ? [[ability, whyNot[ability]] as const] : [])),
  );
  return { abilities: new Set(abilityIds.filter((ability) => !missing.has(ability))), missing };
}

function reasons(c: Configuration): Readonly<Record<AbilityId, string | undefined>> {
  const granted = (ability: 'destructive-ids' | 'create-application') =>
    c.abilities.includes(ability) ? undefined : `it is granted on request only: add it to \`abilities\``;
  return {
    clock:
      c.clock === undefined
        ? 'the clock of this target cannot be moved: configure `clock`, or wait with --wait-expiry'
        : undefined,
    'second-application':
      c.secondApplication === undefined
        ? 'there is one application: configure `secondApplication`'
        : undefined,
    'second-redirect-uri': atLeast(2, c.application.redirectUris, 'application.redirectUris'),
    'second-project': atLeast(2, c.projects, 'projects'),
    'three-users': atLeast(3, c.users, 'users'),
    'create-application': granted('create-application'),
    'fresh-consent': freshConsent(c),
    // The scopes probe finds out if granted scopes are visible.
    'scope-visible': undefined,
    // The first check that refreshes an earlier grant in vain finds out.
    'several-grants': undefined,
    'destructive-ids': granted('destructive-ids'),
  };
}

function atLeast(wanted: number, configured: readonly unknown[], key: string): string | undefined {
  if (configured.length >= wanted) return undefined;
  return `\`${key}\` has ${configured.length} of the ${wanted} that it takes: add more`;
}

function freshConsent({ consent }: Configuration): string | undefined {
  const deny = 'the suite does not know how to deny: configure `consent.deny`';
  if (consent.shown === 'always') return consent.deny === undefined ? deny : undefined;
  const shown = `the consent page is shown ${consent.shown === 'once' ? 'once only' : 'never'} (\`consent.shown\`)`;
  if (consent.shown === 'once' && consent.deny === undefined) return `${shown}, and ${deny}`;
  return `${shown}: have the service ask every time`;
}
