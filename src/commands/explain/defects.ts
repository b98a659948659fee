import { programName } from '../../document/input/program-name.ts';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { DEFECT_FACTS, DEFECTS, type DefectFacts } from '../../emulator/defects/index.ts';

export function listDefects() {
  const byClause = loadCatalogue().clauses.flatMap(({ clause, title }) => {
    const defects = DEFECT_FACTS.filter((defect) => defect.clause === clause);
    return defects.length === 0 ? [] : [`${clause} ${title}`, ...defects.flatMap(lines), ''];
  });
  const subtle = DEFECT_FACTS.filter(({ severity }) => severity === 'subtle').length;
  const total = `${DEFECT_FACTS.length} defects, ${subtle} of them subtle; switch them on with \`check --defect <ids>\` or \`emulate --defect <ids>\``;
  return { text: `${[...byClause, total].join('\n')}\n`, json: DEFECT_FACTS };
}

function lines({ id, severity, summary, reference, breaks }: DefectFacts): readonly string[] {
  const seen = reference === undefined ? '' : ` (${reference})`;
  return [`  ${id}  ${severity}`, `    ${summary}${seen}`, `    breaks ${breaks.join(', ')}`];
}

export function refuseUnknownDefects(ids: readonly string[]): void {
  const known = DEFECTS.map(({ id }) => id);
  const unknown = ids.find((id) => !known.some((one) => one === id));
  if (unknown === undefined) return;
  throw new UsageError(
    `--defect: expected ids that \`${programName()} explain defects\` lists, got ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`,
  );
}
