import { type ExplainedRequirement, explain } from '../../src/app/explain.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { code, type Page } from './page.ts';

/** A page for every clause that has requirements. */
export async function requirementPages(): Promise<readonly Page[]> {
  const all = await explain([]);
  return loadCatalogue().clauses.flatMap(({ clause, slug, title }) => {
    const requirements = all.filter((one) => one.clause === clause);
    if (requirements.length === 0) return [];
    return [
      {
        file: `requirements-${slug}.md`,
        title: `Clause ${clause}: ${title}`,
        when: `You need this page when a requirement of clause ${clause} failed, or when you want to know what it demands; \`legacy-conformance explain ${clause}\` prints the same`,
        body: requirements.map(entry).join('\n\n'),
      },
    ];
  });
}

function entry(requirement: ExplainedRequirement): string {
  const { id, level, clauses, rfc, statement, why, how, needs, brokenBy, seenWith } = requirement;
  const from = [
    `clause${clauses.length === 1 ? '' : 's'} ${clauses.join(', ')}`,
    ...(rfc === undefined ? [] : [rfc]),
  ];
  return [
    `### ${id}`,
    `*${level}, ${from.join(', ')}.* ${statement}`,
    `- Why: ${why}`,
    `- Checked: ${how}`,
    ...(needs.length === 0 ? [] : [`- Needs: ${needs.map(code).join(', ')}`]),
    ...(brokenBy.length === 0 ? [] : [`- Broken by: ${brokenBy.map((one) => code(one.id)).join(', ')}`]),
    ...(seenWith.length === 0
      ? []
      : [
          `- Seen with: ${seenWith.map(({ profile, reason }) => `${code(profile)} (${lower(reason)})`).join(', ')}`,
        ]),
  ].join('\n');
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
