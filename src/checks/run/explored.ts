import type { Catalogue } from '../../catalogue/types.ts';
import type { Explored, ExploredFinding } from '../../explore/explore.ts';
import { inWords } from '../../explore/steps.ts';
import type { Fact } from '../../report/facts.ts';
import type { ExploredSequence } from '../../report/results.ts';
import { failing } from '../../report/results-of.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';

export function exploredFacts(
  { findings, seed }: Explored,
  catalogue: Catalogue,
  secrets: SecretRegistry,
): readonly Fact[] {
  return findings.map((finding) => {
    const { id, expected, got, steps, exchanges } = finding;
    const { level, clause } = catalogue.requirement(id);
    const story = steps.map((step, index) => `${index + 1}. ${inWords(step)}`);
    const lines = [
      `clause ${clause}: expected ${expected}; got ${got}, ${howFound(finding, seed)}`,
      ...story,
      'A pair is the access token and the refresh token of one token response.',
    ];
    return {
      kind: 'explored',
      requirement: id,
      failure: {
        result: failing({ level }),
        reason: secrets.redact(lines.join('\n')),
        signature: secrets.redact(`expected ${expected}; got ${got}`),
      },
      sentence: sentence(finding),
      exchanges,
    };
  });
}

/** @param counting the requirements that fail because of the sequences */
export function exploredSequences(
  { findings }: Explored,
  counting: ReadonlySet<string>,
): readonly ExploredSequence[] {
  return findings.map(({ id, expected, got, steps, rate, afterRequests, again, replayOf }) => ({
    requirement: id,
    counts: counting.has(id),
    expected,
    got,
    story: steps.map(inWords),
    steps,
    rate,
    afterRequests,
    ...(again && { again }),
    ...(replayOf !== undefined && { replayOf }),
  }));
}

function howFound({ again, rate, replayOf }: ExploredFinding, seed: number): string {
  if (replayOf !== undefined) return `by the sequence of ${replayOf}; not in its own check`;
  const how = `by exploring (seed ${seed}); not in its own check`;
  if (again === undefined) return `${how}; not repeated, in ${rate.broken} of ${rate.examples} examples`;
  if (again.shown === 0)
    return `${how}; it did not show again in ${again.of} repetitions, and came in ${rate.broken} of ${rate.examples} examples. Before it`;
  return `${how}; shown again ${again.shown} of ${again.of} times`;
}

function sentence({ expected, got, steps }: ExploredFinding): string {
  return `expected ${expected}; got ${got}, after ${steps.map(inWords).join('; ')}`;
}
