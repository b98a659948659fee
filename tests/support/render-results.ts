import type { CatalogueView } from '../../src/report/catalogue-view.ts';
import { listingMarkdown, listingText, type TextOptions } from '../../src/report/listing.ts';
import type { Results } from '../../src/report/results.ts';
import { resultsListing } from '../../src/report/results-listing.ts';

/** Results as the console and the step summary show them. */

export function renderConsole(results: Results, view: CatalogueView, options: TextOptions): string {
  return listingText(resultsListing(results, view), options);
}

export function renderMarkdownSummary(
  results: Results,
  view: CatalogueView = { clauses: [], openPoints: [] },
): string {
  return listingMarkdown(resultsListing(results, view));
}
