/** The verb `defects`: what the emulator can be made to do wrong. */
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { type DefectFacts, loadDefects, loadSecondOrderDefects } from '../catalogue/load-defects.ts';

/** What the verb prints. */
export interface DefectList {
  /** Plain text, lines ended by line feeds, without colours. */
  readonly text: string;
  /** The same for machines, in the same order. */
  readonly json: readonly DefectFacts[];
}

/**
 * The emulator's defects with what each breaks: those of first order by clause, then those of second order by class.
 *
 * @throws SpecFileError when a file of `spec/` cannot be read
 */
export function listDefects(): DefectList {
  const first = loadDefects();
  const second = loadSecondOrderDefects();
  const byClause = loadCatalogue().clauses.flatMap(({ clause, title }) =>
    block(
      `${clause} ${title}`,
      first.filter((defect) => defect.clause === clause),
    ),
  );
  const byClass = [...new Set(second.map((defect) => defect.class))].flatMap((kind) =>
    block(
      `Second order: ${kind}`,
      second.filter((defect) => defect.class === kind),
    ),
  );
  const subtle = first.filter(({ severity }) => severity === 'subtle').length;
  const total = `${first.length} defects, ${subtle} of them subtle, and ${second.length} of second order, which show only sometimes; switch them on with \`check --defect <ids>\` or \`emulate --defect <ids>\``;
  return { text: `${[...byClause, ...byClass, total].join('\n')}\n`, json: [...first, ...second] };
}

function block(title: string, defects: readonly DefectFacts[]): readonly string[] {
  return defects.length === 0 ? [] : [title, ...defects.flatMap(lines), ''];
}

function lines({ id, order, severity, summary, reference, breaks }: DefectFacts): readonly string[] {
  const seen = reference === undefined ? '' : ` (${reference})`;
  return [
    `  ${id}${order === 'first' ? `  ${severity}` : ''}`,
    `    ${summary}${seen}`,
    `    breaks ${breaks.join(', ')}`,
  ];
}
