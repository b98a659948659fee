import type { ExploredFinding } from './explore.ts';
import { isAboutLists, localize, type OpenFresh, replay } from './replay.ts';
import type { ReplayFile } from './replay-file.ts';

export async function replayed(
  { steps, name }: ReplayFile,
  open: OpenFresh,
): Promise<readonly ExploredFinding[]> {
  const found = await replay(steps, open);
  const kinds = new Map(
    found.filter(({ uncertain }) => !uncertain).map((one) => [`${one.id} ${one.kind}`, one]),
  );
  const explained: ExploredFinding[] = [];
  for (const one of kinds.values()) {
    const located = isAboutLists(one) ? await localize(one, steps, open) : undefined;
    const { id, kind, expected, got, exchanges } = located ?? one;
    if (explained.some((other) => other.id === id && other.kind === kind)) continue;
    explained.push({
      id,
      kind,
      expected,
      got,
      exchanges,
      steps,
      again: { shown: 1, of: 1 },
      rate: { broken: 1, examples: 1 },
      afterRequests: 0,
      replayOf: name,
    });
  }
  return explained;
}
