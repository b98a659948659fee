import { canonical } from '../../document/canonical.ts';
import { type AspectAnswer, isAspectId } from '../../document/profiles/aspects.ts';
import type { Catalogue } from '../../document/types.ts';
import type { Observation, RequirementResult, Results } from '../results.ts';
import { RESULT_WORD } from '../words.ts';
import {
  type Breaks,
  type CatalogueDifference,
  type CatalogueEntries,
  type ChangeKind,
  type Comparison,
  compareEach,
  kindOfPresence,
  noteOn,
  sorted,
} from './changes.ts';
import { answerText, describedAspect } from './profiles.ts';

export function compareResults(before: Results, after: Results, catalogue: Catalogue): Comparison {
  const difference = catalogueDifference(before, after);
  const requirements = compareRequirements(before, after, catalogue, difference);
  const observations = compareObservations(before, after, catalogue);
  return {
    of: 'results',
    before: nameOf(before),
    after: nameOf(after),
    changes: sorted([...requirements.changes, ...observations.changes]),
    same: requirements.same + observations.same,
    ...(difference !== undefined && { catalogue: difference }),
    notes: notes(before, after),
  };
}

const JUDGED = ['pass', 'fail', 'warning', 'known-deviation'];

function compareRequirements(
  before: Results,
  after: Results,
  catalogue: Catalogue,
  difference: CatalogueDifference | undefined,
) {
  const [old, now] = [byId(before), byId(after)];
  const onlyOne = new Set([...(difference?.new ?? []), ...(difference?.gone ?? [])].map(({ id }) => id));
  return compareEach(new Set([...old.keys(), ...now.keys()]), (id) => {
    const [was, is] = [old.get(id), now.get(id)];
    // A failure counts, however new its requirement is.
    if (onlyOne.has(id) && is?.result !== 'fail') return undefined;
    const kind = kindOf(was, is);
    if (kind === undefined) return 'same';
    const about = catalogue.requirements.find((requirement) => requirement.id === id)?.statement ?? '';
    const level = (is ?? was)?.level;
    const breaks: Breaks = level === 'documented' || level === 'frozen' ? 'likely' : 'unlikely';
    return { kind, what: id, about, breaks, before: resultText(was), after: resultText(is) };
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
  const wasEvaluated = (result: RequirementResult | undefined) =>
    result !== undefined && JUDGED.includes(result.result);
  if (wasEvaluated(was) && !wasEvaluated(is)) return 'stopped';
  if (!wasEvaluated(was) && wasEvaluated(is)) return is?.result === 'pass' ? 'started' : 'broke';
  if (was?.result === is?.result) {
    return was?.signature === is?.signature && wasEvaluated(was) === wasEvaluated(is) ? undefined : 'changed';
  }
  if (!wasEvaluated(was)) return was === undefined || is === undefined ? undefined : 'changed';
  if (is?.result === 'pass') return 'healed';
  return was?.result === 'pass' ? 'broke' : 'changed';
}

function resultText(result: RequirementResult | undefined): string {
  if (result === undefined) return 'not selected';
  if (result.result === 'pass') return RESULT_WORD.pass;
  return `${RESULT_WORD[result.result]}: ${result.signature ?? result.reason}`;
}

function compareObservations(before: Results, after: Results, catalogue: Catalogue) {
  const [old, now] = [seenIn(before), seenIn(after)];
  return compareEach(new Set([...old.keys(), ...now.keys()]), (aspect) => {
    const [was, is] = [old.get(aspect), now.get(aspect)];
    if (was !== undefined && is !== undefined && textOf(was) === textOf(is)) return 'same';
    return {
      kind: kindOfPresence(was, is),
      what: aspect,
      ...(isAspectId(aspect)
        ? describedAspect(aspect, catalogue)
        : { about: '', breaks: 'possible' as const }),
      before: was === undefined ? 'not observed' : textOf(was),
      after: is === undefined ? 'not observed' : textOf(is),
    };
  });
}

function seenIn({ observations }: Results): ReadonlyMap<string, readonly Observation[]> {
  return Map.groupBy(observations, ({ openPoint, aspect }) => `${openPoint}.${aspect}`);
}

function textOf(seen: readonly Observation[]): string {
  const answers = new Map(seen.map(({ answer }) => [canonical(answer), answer as AspectAnswer]));
  return [...answers.keys()]
    .sort()
    .map((key) => answerText(answers.get(key)))
    .join(' | ');
}

function nameOf({ target, startedAt, verdict }: Results): string {
  return `${target.name}, checked ${startedAt.slice(0, 10)} (${verdict})`;
}

function notes(before: Results, after: Results): readonly string[] {
  const and = (what: string) => (old: string, now: string) => `${what}: ${old} and ${now}`;
  return [
    ...noteOn(before.target.name, after.target.name, and('two targets')),
    ...noteOn(before.suiteVersion, after.suiteVersion, and('two versions of the suite')),
    ...noteOn(before.catalogueDigest, after.catalogueDigest, () => 'evaluated by two catalogues'),
    ...noteOn(before.selection, after.selection, and('selections')),
    ...noteOn(before.verdict, after.verdict, and('verdicts')),
  ];
}

/**
 * Returns the requirements that only one of two runs' catalogues has. Only a complete run shows its catalogue.
 *
 * @returns undefined if both runs used the same catalogue
 */
export function catalogueDifference(before: Results, after: Results): CatalogueDifference | undefined {
  if (before.catalogueDigest === after.catalogueDigest) return undefined;
  const lacking = (run: Results, other: Results): CatalogueEntries => {
    if (other.selection !== 'complete') return [];
    const has = new Set(other.requirements.map(({ id }) => id));
    return run.requirements
      .filter((result) => result.level !== 'frozen' && !has.has(result.id))
      .map(({ id, result }) => ({ id, result: RESULT_WORD[result] }));
  };
  return { new: lacking(after, before), gone: lacking(before, after) };
}
