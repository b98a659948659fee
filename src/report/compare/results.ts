import { canonical } from '../../document/canonical.ts';
import { isAspectId } from '../../document/profiles/aspects.ts';
import type { Catalogue } from '../../document/types.ts';
import type { Observation, RequirementResult, Results } from '../results.ts';
import { isEvaluated } from '../verdict.ts';
import { RESULT_WORD } from '../words.ts';
import {
  type Breaks,
  type ChangeKind,
  type Comparison,
  compareEach,
  kindOfPresence,
  notesOn,
  sortedChanges,
} from './changes.ts';
import { describedAspect, formatAnswer } from './profiles.ts';

export function compareResults(before: Results, after: Results, catalogue: Catalogue): Comparison {
  const difference = catalogueDifference(before, after);
  const requirements = compareRequirements(before, after, catalogue, difference);
  const observations = compareObservations(before, after, catalogue);
  return {
    of: 'results',
    before: nameOf(before),
    after: nameOf(after),
    changes: sortedChanges([...requirements.changes, ...observations.changes]),
    same: requirements.same + observations.same,
    catalogue: difference,
    notes: notes(before, after),
  };
}

function compareRequirements(
  before: Results,
  after: Results,
  catalogue: Catalogue,
  difference: Comparison['catalogue'],
) {
  const onlyOne = new Set([...(difference?.new ?? []), ...(difference?.gone ?? [])].map(({ id }) => id));
  return compareEach(byId(before), byId(after), (was, is, id) => {
    // A failure counts, however new its requirement is.
    if (onlyOne.has(id) && is?.result !== 'fail') return undefined;
    const kind = kindOf(was, is);
    if (kind === undefined) return 'same';
    const about = catalogue.requirements.find((requirement) => requirement.id === id)?.statement ?? '';
    const level = (is ?? was)?.level;
    const breaks: Breaks = level === 'documented' || level === 'frozen' ? 'likely' : 'unlikely';
    return { kind, about, breaks, before: resultText(was), after: resultText(is) };
  });
}

function byId({ requirements }: Results): ReadonlyMap<string, RequirementResult> {
  return new Map(requirements.map((result) => [result.id, result]));
}

/** Returns undefined if nothing changed. A result that is no longer evaluated is `stopped`. */
function kindOf(
  was: RequirementResult | undefined,
  is: RequirementResult | undefined,
): ChangeKind | undefined {
  const [before, now] = [was, is].map((one) => one !== undefined && isEvaluated(one));
  if (before && !now) return 'stopped';
  if (!before && now) return is?.result === 'pass' ? 'started' : 'broke';
  if (was?.result === is?.result) return was?.signature === is?.signature ? undefined : 'changed';
  if (!before) return was === undefined || is === undefined ? undefined : 'changed';
  if (is?.result === 'pass') return 'healed';
  return was?.result === 'pass' ? 'broke' : 'changed';
}

function resultText(result: RequirementResult | undefined): string {
  if (result === undefined) return 'not selected';
  if (result.result === 'pass') return RESULT_WORD.pass;
  return `${RESULT_WORD[result.result]}: ${result.signature ?? result.reason}`;
}

function compareObservations(before: Results, after: Results, catalogue: Catalogue) {
  return compareEach(seenIn(before), seenIn(after), (was, is, aspect) => {
    if (was === is) return 'same';
    return {
      kind: kindOfPresence(was, is),
      ...(isAspectId(aspect)
        ? describedAspect(aspect, catalogue)
        : { about: '', breaks: 'possible' as const }),
      before: was ?? 'not observed',
      after: is ?? 'not observed',
    };
  });
}

/** Returns what was seen at each aspect; several answers as one text. */
function seenIn({ observations }: Results): ReadonlyMap<string, string> {
  const byAspect = Map.groupBy(observations, ({ openPoint, aspect }) => `${openPoint}.${aspect}`);
  return new Map([...byAspect].map(([aspect, seen]) => [aspect, textOf(seen)]));
}

function textOf(seen: readonly Observation[]): string {
  const answers = new Map(seen.map(({ answer }) => [canonical(answer), formatAnswer(answer)]));
  return [...answers.keys()]
    .sort()
    .map((key) => answers.get(key))
    .join(' | ');
}

function nameOf({ target, startedAt, verdict }: Results): string {
  return `${target.name}, checked ${startedAt.slice(0, 10)} (${verdict})`;
}

function notes(before: Results, after: Results): readonly string[] {
  return [
    ...notesOn(
      ['two targets', before.target.name, after.target.name],
      ['two versions of the suite', before.suiteVersion, after.suiteVersion],
    ),
    ...(before.catalogueDigest === after.catalogueDigest ? [] : ['evaluated by two catalogues']),
    ...notesOn(
      ['selections', before.selection, after.selection],
      ['verdicts', before.verdict, after.verdict],
    ),
  ];
}

/**
 * Returns the requirements that only one of two runs' catalogues has. Only a complete run shows its catalogue.
 *
 * @returns undefined if both runs used the same catalogue
 */
export function catalogueDifference(before: Results, after: Results): Comparison['catalogue'] {
  if (before.catalogueDigest === after.catalogueDigest) return undefined;
  const lacking = (run: Results, other: Results) => {
    if (other.selection !== 'complete') return [];
    const has = new Set(other.requirements.map(({ id }) => id));
    return run.requirements
      .filter((result) => result.level !== 'frozen' && !has.has(result.id))
      .map(({ id, result }) => ({ id, result: RESULT_WORD[result] }));
  };
  return { new: lacking(after, before), gone: lacking(before, after) };
}
