import { oneLine } from './printable.ts';
import type { Results } from './results.ts';
import { FINDING_WORD } from './words.ts';

/** GitHub silently drops annotations beyond this number per kind and step. */
const MOST = 10;

const LONGEST = 1_000;

interface Annotation {
  readonly kind: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

/**
 * Renders a run's findings as annotations of GitHub Actions: failures, troubles, known deviations that need attention, warnings.
 *
 * @param results redacted
 * @param file path in the integrator's repository for the annotations: the configuration, or the known deviations
 * @returns workflow commands, a line each; empty for a run without findings
 */
export function renderAnnotations(results: Results, file: string | undefined): string {
  const word = { fail: 'error', warning: 'warning' } as const;
  const all: Annotation[] = [
    ...results.troubles.map(({ kind, message }) => ({ kind: 'error', title: kind, message }) as const),
    ...results.requirements.flatMap(({ id, clause, result, reason }) =>
      result === 'fail' || result === 'warning'
        ? [{ kind: word[result], title: `${id} (clause ${clause})`, message: reason }]
        : [],
    ),
    ...results.findings.map(
      ({ kind, requirement, message }) =>
        ({ kind: 'error', title: `${FINDING_WORD[kind]}: ${requirement}`, message }) as const,
    ),
  ];
  const shown = (['error', 'warning'] as const).flatMap((kind) =>
    cut(
      all.filter((one) => one.kind === kind),
      kind,
    ),
  );
  return shown.map((annotation) => `${command(annotation, file)}\n`).join('');
}

function cut(annotations: readonly Annotation[], kind: Annotation['kind']): readonly Annotation[] {
  if (annotations.length <= MOST) return annotations;
  const rest = annotations.length - (MOST - 1);
  const more = { kind, title: 'and more', message: `${rest} further ${kind}s: see the report` };
  return [...annotations.slice(0, MOST - 1), more];
}

function command({ kind, title, message }: Annotation, file: string | undefined): string {
  const place = file === undefined ? '' : `file=${property(file)},`;
  return `::${kind} ${place}title=${property(oneLine(title))}::${data(oneLine(message, LONGEST))}`;
}

/** Escapes what would end the message or start another command; the runner decodes it. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
