import { presentId } from '../catalogue/former-ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { type AspectAnswer, type AspectId, canonical, isAspectId } from '../profiles/aspects.ts';
import type { Observation, RequirementResult, Results } from '../report/results.ts';
import { RESULT_WORD } from '../report/words.ts';
import { catalogueDifference } from './catalogues.ts';
import {
  type Breaks,
  type CatalogueDifference,
  type Change,
  type ChangeKind,
  type Comparison,
  sorted,
} from './changes.ts';
import { answerText, wordsOf } from './profiles.ts';

export function compareResults(before: Results, after: Results, catalogue: Catalogue): Comparison {
  const difference = catalogueDifference(before, after, catalogue);
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

interface Part {
  readonly changes: readonly Change[];
  readonly same: number;
}

const JUDGED = ['pass', 'fail', 'warning', 'known-deviation'];

function compareRequirements(
  before: Results,
  after: Results,
  catalogue: Catalogue,
  difference: CatalogueDifference | undefined,
): Part {
  const [old, now] = [byId(before, catalogue), byId(after, catalogue)];
  const onlyOne = new Set([...(difference?.new ?? []), ...(difference?.gone ?? [])].map(({ id }) => id));
  const changes: Change[] = [];
  let same = 0;
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(id), now.get(id)];
    // A failure counts, however new its requirement is.
    if (onlyOne.has(id) && is?.result !== 'fail') continue;
    const kind = kindOf(was, is);
    if (kind === undefined) {
      same += 1;
      continue;
    }
    const about = catalogue.requirements.find((requirement) => requirement.id === id)?.statement ?? '';
    const level = (is ?? was)?.level;
    const breaks: Breaks = level === 'documented' || level === 'frozen' ? 'likely' : 'unlikely';
    changes.push({ kind, what: id, about, breaks, before: resultText(was), after: resultText(is) });
  }
  return { changes, same };
}

function byId({ requirements }: Results, catalogue: Catalogue): ReadonlyMap<string, RequirementResult> {
  return new Map(requirements.map((result) => [presentId(catalogue.requirements, result.id), result]));
}

/** Returns undefined if nothing changed. A result that is no longer evaluated is `stopped`. */
function kindOf(
  was: RequirementResult | undefined,
  is: RequirementResult | undefined,
): ChangeKind | undefined {
  const judged = (result: RequirementResult | undefined) =>
    result !== undefined && JUDGED.includes(result.result);
  if (judged(was) && !judged(is)) return 'stopped';
  if (!judged(was) && judged(is)) return is?.result === 'pass' ? 'started' : 'broke';
  if (was?.result === is?.result) {
    return was?.signature === is?.signature && judged(was) === judged(is) ? undefined : 'changed';
  }
  if (!judged(was)) return was === undefined || is === undefined ? undefined : 'changed';
  if (is?.result === 'pass') return 'healed';
  return was?.result === 'pass' ? 'broke' : 'changed';
}

function resultText(result: RequirementResult | undefined): string {
  if (result === undefined) return 'not selected';
  if (result.result === 'pass') return RESULT_WORD.pass;
  return `${RESULT_WORD[result.result]}: ${result.signature ?? result.reason}`;
}

function compareObservations(before: Results, after: Results, catalogue: Catalogue): Part {
  const [old, now] = [seenIn(before), seenIn(after)];
  const changes: Change[] = [];
  let same = 0;
  for (const aspect of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(aspect), now.get(aspect)];
    if (was !== undefined && is !== undefined && textOf(was) === textOf(is)) {
      same += 1;
      continue;
    }
    changes.push({
      kind: is === undefined ? 'stopped' : was === undefined ? 'started' : 'changed',
      what: aspect,
      ...(isAspectId(aspect) ? wordsOf(aspect, catalogue) : { about: '', breaks: 'possible' as const }),
      before: was === undefined ? 'not observed' : textOf(was),
      after: is === undefined ? 'not observed' : textOf(is),
    });
  }
  return { changes, same };
}

function seenIn({ observations }: Results): ReadonlyMap<string, readonly Observation[]> {
  return Map.groupBy(
    observations,
    ({ openPoint, aspect }) => `${openPoint}.${aspect}` satisfies string | AspectId,
  );
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
  const differs = <T>(of: (results: Results) => T, words: (old: T, now: T) => string) =>
    of(before) === of(after) ? [] : [words(of(before), of(after))];
  return [
    ...differs(
      ({ target }) => target.name,
      (old, now) => `two targets: ${old} and ${now}`,
    ),
    ...differs(
      ({ suiteVersion }) => suiteVersion,
      (old, now) => `two versions of the suite: ${old} and ${now}`,
    ),
    ...differs(
      ({ catalogueDigest }) => catalogueDigest,
      () => 'evaluated by two catalogues',
    ),
    ...differs(
      ({ selection }) => selection,
      (old, now) => `selections: ${old} and ${now}`,
    ),
    ...differs(
      ({ verdict }) => verdict,
      (old, now) => `verdicts: ${old} and ${now}`,
    ),
  ];
}
