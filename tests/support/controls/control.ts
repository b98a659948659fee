import type { AbilityId, RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import type { WholeProfile } from '../../../src/emulator/policy/profile.ts';
import { type EmulatorStart, emulatorTarget } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';
import { type RowOutcome, runWithoutBrowser } from '../../proof/kill-matrix/run-checks.ts';

/** A service that keeps the document's word in a form of its own. No documented requirement may fail under it. */
export interface Control {
  readonly name: string;
  readonly profile: WholeProfile;
  /** Behaviour that no profile can say, and that breaks nothing but what `warns` names. */
  readonly behaviour?: Defect['create'];
  readonly start?: EmulatorStart;
  /** Changes of the target that the checks get. */
  readonly target?: (target: Target) => Target;
  /** The requirements of level strictness or standard that it breaks. */
  readonly warns: readonly RequirementId[];
  /** Abilities that the target lacks beside `scope-visible`, which the profile decides. */
  readonly lacks?: readonly AbilityId[];
}

/** Runs every check against a control, each on the same fresh emulator. */
export async function runControl(control: Control): Promise<readonly RowOutcome[]> {
  const { profile, behaviour, start, target: connectionOptions = (target: Target) => target } = control;
  const defects = behaviour === undefined ? [] : [{ id: 'control', create: behaviour }];
  return runWithoutBrowser(
    connectionOptions(await emulatorTarget({ profile, defects, sockets: false, ...(start && { start }) })),
  );
}

/** Outcomes that a control must not have, and declared warnings that did not occur. */
export function controlProblems(control: Control, outcomes: readonly RowOutcome[]): readonly string[] {
  const declared = new Set<RequirementId>(control.warns);
  const inapplicable = inapplicableUnder(control);
  const fits = (o: RowOutcome) => {
    if (o.broken !== undefined) return false;
    if (inapplicable.has(o.id)) return o.result === 'not-applicable';
    if (declared.has(o.id)) return o.result === 'warning' || o.result === 'blocked';
    return o.result === 'pass';
  };
  return outcomes
    .filter((o) => !fits(o))
    .map((o) => `${o.id} came out as ${o.result}: ${o.broken?.split('\n')[0] ?? o.reason}`);
}

/** They find a consent page where they can, and need no ability by name; without any page they do not apply. */
const OF_A_CONSENT_PAGE: readonly RequirementId[] = ['authorize.not-framable', 'authorize.no-307'];

function inapplicableUnder({ profile, lacks = [] }: Control): ReadonlySet<RequirementId> {
  const visible = profile.answers['token-response-fields.extra-fields'].includes('scope');
  const lacking = new Set<AbilityId>(visible ? lacks : [...lacks, 'scope-visible']);
  const inapplicable = loadCatalogue().requirements.filter(({ needs }) => needs.some((n) => lacking.has(n)));
  const ofConsent = lacking.has('fresh-consent') ? OF_A_CONSENT_PAGE : [];
  return new Set([...inapplicable.map(({ id }) => id), ...ofConsent]);
}
