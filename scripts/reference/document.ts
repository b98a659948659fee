import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import type { Clause } from '../../src/document/types.ts';
import { code, type Page } from './page.ts';

/** The clauses of the document in the suite's own words: demands, open questions, and the duties of others. */
export function documentPage(): Page {
  return {
    file: 'document.md',
    title: 'The document, clause by clause',
    when: 'You need this page when a report names a clause, and you do not have the document at hand',
    body: [
      'The document is the description of the legacy service by its maker: OAuth 2.0 with a code and refresh rotation (clauses 2.1 to 4.3), and three operations on the users of a project (clause 4.4).',
      "Its maker gives the original to integrators; this repository does not hold it. It is the only source of what the suite demands. This page has its content in the suite's own words: show it to the service's maker beside a failure's evidence.",
      'Where the document is silent, nothing is a failure. The suite observes such points, and `observe` records them.',
      ...loadCatalogue().clauses.map(section),
    ].join('\n\n'),
  };
}

function section({ clause, title, slug, requirements, notes, reading }: Clause): string {
  const landed = new Set(reading.flatMap(({ lands }) => lands));
  const documented = requirements.filter(({ level }) => level === 'documented');
  const others = requirements.length - documented.length;
  const open = loadCatalogue().openPoints.filter(({ id }) => landed.has(id));
  const here = `requirements-${slug}.md`;
  return [
    `## Clause ${clause}\n\n**${title}.**`,
    [
      ...documented.map(
        ({ id, statement }) => `- ${statement} [${code(id)}](${here}#${id.replaceAll('.', '')})`,
      ),
      ...notes.map(
        ({ kind, statement }) =>
          `- ${kind === 'client-duty' ? 'Duty of the client' : 'Notice'}: ${lower(statement)}`,
      ),
      ...(open.length === 0 ? [] : [`- Left open: ${open.map(({ question }) => question).join(' ')}`]),
      ...(others === 0
        ? []
        : [
            `- Beyond the document: [${others} ${others === 1 ? 'requirement' : 'requirements'}](${here}) of RFCs and of common sense.`,
          ]),
    ].join('\n'),
  ].join('\n\n');
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
