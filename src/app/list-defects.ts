/** The verb `defects`: what the emulator can be made to do wrong, by clause. */
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { type DefectFacts, loadDefects } from '../catalogue/load-defects.ts';

/** What the verb prints. */
export interface DefectList {
  /** Plain text, lines ended by line feeds, without colours. */
  readonly text: string;
  /** The same for machines, in the order of the clauses. */
  readonly json: readonly DefectFacts[];
}

/**
 * The emulator's defects by clause, with what each breaks.
 *
 * @throws SpecFileError when a file of `spec/` cannot be read
 */
export function listDefects(): DefectList {
  const json = loadDefects();
  const blocks = loadCatalogue().clauses.flatMap(({ clause, title }) => {
    const own = json.filter((defect) => defect.clause === clause);
    return own.length === 0 ? [] : [`${clause} ${title}`, ...own.flatMap(lines), ''];
  });
  const subtle = json.filter(({ severity }) => severity === 'subtle').length;
  const total = `${json.length} defects, ${subtle} of them subtle; switch them on with \`check --defect <ids>\` or \`emulate --defect <ids>\``;
  return { text: `${[...blocks, total].join('\n')}\n`, json };
}

function lines({ id, severity, summary, reference, breaks }: DefectFacts): readonly string[] {
  const seen = reference === undefined ? '' : ` (${reference})`;
  return [`  ${id}  ${severity}`, `    ${summary}${seen}`, `    breaks ${breaks.join(', ')}`];
}
