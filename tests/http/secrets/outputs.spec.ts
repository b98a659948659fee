import { expect, test } from '@playwright/test';
import { verificationListing } from '../../../src/contracts/verification-listing.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { redactText } from '../../../src/http/to-evidence.ts';
import { comparisonListing } from '../../../src/report/compare/changes.ts';
import { renderReport } from '../../../src/report/files.ts';
import { listingText } from '../../../src/report/listing.ts';
import { ENCODINGS, TWO_LEVELS } from '../../support/canary/encodings.ts';
import { renderConsole, renderMarkdownSummary } from '../../support/render-results.ts';
import { aCatalogueOf, anExchange, aResult, aRun } from '../../support/results-builder.ts';

/** The last search before anything is written or printed finds a secret in any encoding, under the output's own escapes. */

const SECRET = 'canary+/&="<x>" ü-0123';

function runWith(text: string) {
  const { request, response, ...exchange } = anExchange();
  const evidence = [
    {
      ...exchange,
      request: { ...request, body: text },
      response: { status: 200, headers: [], body: text, bytes: 1 },
    },
  ];
  return aRun([aResult('list.safe', 'fail', { reason: text, evidence })]);
}

const change = (text: string) =>
  ({
    before: 'x',
    after: 'x',
    notes: [],
    same: 1,
    changes: [{ kind: 'broke', what: 'list.safe', about: '', breaks: 'likely', before: text, after: 'x' }],
  }) as unknown as Parameters<typeof comparisonListing>[0];

const verification = (text: string) =>
  ({
    pacts: [
      {
        consumer: 'a',
        provider: 'b',
        source: 'c',
        why: [],
        warnings: [],
        standing: 'counts',
        interactions: [{ description: 'd', states: [], reasons: [text], result: 'failed', pending: false }],
      },
    ],
    troubles: [],
  }) as unknown as Parameters<typeof verificationListing>[0];

const files = (text: string) => renderReport(runWith(text), aCatalogueOf(runWith(text)));

const OUTPUTS: Readonly<Record<string, (text: string) => string>> = {
  console: (text) => renderConsole(runWith(text), aCatalogueOf(runWith(text)), { style: 'plain' }),
  'results.json': (text) => files(text)[0]?.text ?? '',
  'results.json, as it is searched': (text) => files(text)[0]?.searched ?? '',
  'index.html': (text) => files(text)[1]?.text ?? '',
  'junit.xml': (text) => files(text)[2]?.text ?? '',
  'Markdown summary': (text) => renderMarkdownSummary(runWith(text), aCatalogueOf(runWith(text))),
  'contracts verify': (text) =>
    listingText(verificationListing(verification(text), { exitCode: 1, verdict: 'violates', because: [] }), {
      style: 'plain',
    }),
  'compare, console': (text) => listingText(comparisonListing(change(text)), { style: 'plain' }),
};

for (const [output, render] of Object.entries(OUTPUTS)) {
  test(`${output}: a secret is found in every encoding beside the output's own, and in none once it was redacted`, () => {
    const registry = new SecretRegistry();
    registry.register('client_secret', SECRET);
    const missed = Object.entries(ENCODINGS)
      .filter(([name, encode]) => !TWO_LEVELS.has(name) && registry.find(render(encode(SECRET))).length === 0)
      .map(([name]) => name);
    expect(missed).toEqual([]);
    const left = Object.entries(ENCODINGS)
      .filter(([, encode]) => registry.find(render(redactText(encode(SECRET), registry))).length > 0)
      .map(([name]) => name);
    expect(left).toEqual([]);
  });
}
