import { html } from 'hono/html';
import { type CatalogueView, rowsByClause } from '../catalogue-view.ts';
import type { Results } from '../results.ts';
import { targetWords, verdictWords } from '../words.ts';
import { attention, facts, masthead } from './masthead.ts';
import { matrix } from './matrix.ts';
import { openPoints } from './open-points.ts';
import { wholePage } from './page.ts';
import { requirements } from './requirements.ts';

export function renderHtml(results: Results, view: CatalogueView): string {
  const clauses = rowsByClause(results, view);
  return wholePage({
    title: `${verdictWords(results)}: ${targetWords(results)}`,
    main: html`${masthead(results)}
${attention(results, clauses)}
${matrix(clauses)}
${facts(results)}
${requirements(clauses)}
${openPoints(results, view)}`,
    foot: html`Passes are counted over what was evaluated. Secrets are replaced by ordinals: the same <i>refresh_token#1</i> is the same secret everywhere on this page. Printing opens everything that the filter shows. Of a pass with many exchanges those in the middle are a line each, and headers of the connection are left out: <code>results.json</code> beside this file has all of it.`,
  });
}
