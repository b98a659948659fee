import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { DEFECT_FACTS, type DefectFacts } from '../emulator/defects/index.ts';

export interface DefectList {
  readonly text: string;
  readonly json: readonly DefectFacts[];
}

export function listDefects(): DefectList {
  const byClause = loadCatalogue().clauses.flatMap(({ clause, title }) =>
    block(
      `${clause} ${title}`,
      DEFECT_FACTS.filter((defect) => defect.clause === clause),
    ),
  );
  const subtle = DEFECT_FACTS.filter(({ severity }) => severity === 'subtle').length;
  const total = `${DEFECT_FACTS.length} defects, ${subtle} of them subtle; switch them on with \`check --defect <ids>\` or \`emulate --defect <ids>\``;
  return { text: `${[...byClause, total].join('\n')}\n`, json: DEFECT_FACTS };
}

function block(title: string, defects: readonly DefectFacts[]): readonly string[] {
  return defects.length === 0 ? [] : [title, ...defects.flatMap(lines), ''];
}

function lines({ id, severity, summary, reference, breaks }: DefectFacts): readonly string[] {
  const seen = reference === undefined ? '' : ` (${reference})`;
  return [`  ${id}  ${severity}`, `    ${summary}${seen}`, `    breaks ${breaks.join(', ')}`];
}
