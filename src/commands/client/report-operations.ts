import { placesIn } from '../../client-checks/service.ts';
import { situationsByHttp } from '../../client-checks/situations/by-http.ts';
import { programName } from '../../document/input/program-name.ts';
import type { JournalEntry, JournalPage } from '../../emulator/control-types.ts';
import type { ControlAnswer, ControlOperations } from '../../emulator/emulator-options.ts';
import { requireApplication } from '../../emulator/seed.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { listingText } from '../../report/listing.ts';
import { resultsListing } from '../../report/results-listing.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { verdictText } from '../../report/words.ts';
import { searchedReport } from '../report-results.ts';
import { type EvaluatedClient, evaluateWatched, lostRequests, watchedTests } from './report-client.ts';

/** `curl -f` fails from 400, and the three outcomes of a client differ. */
const STATUS_OF_EXIT: Readonly<Record<ExitCode, number>> = {
  [EXIT.conforms]: 200,
  [EXIT.violates]: 409,
  [EXIT.usage]: 500,
  [EXIT.inconclusive]: 425,
  [EXIT.broken]: 500,
};

/** Returns the operations of the control port that evaluate the emulator's clients. */
export function reportOperations(emulator: Emulator, isProfileChosen: boolean): ControlOperations {
  const { control, seed } = emulator;
  /** Real milliseconds since the epoch, on the journal's clock. */
  const begun = new Map<string, number>();
  /** @throws RangeError for an unknown application */
  const applicationOf = (clientId: string | undefined) =>
    clientId === undefined ? seed.applications[0] : requireApplication(clientId, seed);
  /** Evaluates what an application, by default the seed's first, has sent since its report began. */
  const evaluate = (clientId: string | undefined, strict: boolean): Promise<EvaluatedClient> => {
    const application = applicationOf(clientId);
    const page = control.journal.page();
    const since = begun.get(application.clientId) ?? page.startedAt;
    const { expiresIn, documented } = control.lifetime.read();
    const watched = watchedTests(emulator, {
      application,
      name: application.name,
      isProfileChosen,
      expiresIn: documented ? undefined : expiresIn,
      entries: entriesOf(page, application.clientId, since),
      troubles: [],
      lost: hasLost(page, since) ? lostRequests(page, LOST) : undefined,
      startedAt: new Date(since),
      durationMs: now() - since,
    });
    return evaluateWatched(watched, strict);
  };
  return {
    'GET /client-report': async (query) => {
      const { application, format = 'json', strict } = read(query, ['application', 'format', 'strict']);
      if (!FORMATS.includes(format))
        throw new RangeError(`format: expected one of ${FORMATS.join(', ')}, got ${JSON.stringify(format)}.`);
      if (strict !== undefined && strict !== 'true' && strict !== 'false')
        throw new RangeError(`strict: expected true or false, got ${JSON.stringify(strict)}.`);
      return rendered(await evaluate(application, strict === 'true'), format);
    },
    'DELETE /client-report': (query) => {
      const application = applicationOf(read(query, ['application']).application).clientId;
      const mark = control.journal.marked(application);
      if (mark !== undefined)
        throw new RangeError(
          `DELETE /client-report: expected no test under way, but the mark ${JSON.stringify(mark)} is set for ${application}. Set it to null first. If tests run side by side, give each worker an application of its own.`,
        );
      const since = now();
      begun.set(application, since);
      return json({ application, startedAt: new Date(since).toISOString() });
    },
    'GET /situations': (query) => {
      read(query, []);
      const [first, second = first] = seed.owners;
      return json({
        situations: situationsByHttp({
          first: first.email,
          second: second.email,
          lifetime: control.lifetime.read().expiresIn,
          baseUrl: emulator.baseUrl,
          authUrl: emulator.authUrl,
          emptyProject: placesIn(emulator.profile).emptyProject,
        }),
      });
    },
  };
}

const FORMATS = ['json', 'junit', 'text', 'exit'];

function rendered({ run, view, secrets }: EvaluatedClient, format: string): ControlAnswer {
  const { results, files } = searchedReport(run, view, secrets);
  const { exitCode, troubles } = results;
  if (format === 'exit')
    return plain(STATUS_OF_EXIT[exitCode], `${verdictText(results)}: exit code ${exitCode}\n`);
  if (format === 'text') {
    const listing = resultsListing(results, view, programName());
    return plain(200, secrets.redact(listingText(listing, { style: 'plain' })));
  }
  const [name, type] = format === 'json' ? ['results.json', 'json'] : ['junit.xml', 'xml'];
  const body = files.find((one) => one.name === name)?.text;
  if (body !== undefined) return { status: 200, contentType: `application/${type}; charset=utf-8`, body };
  return json({ error: secrets.redact(troubles.map(({ message }) => message).join('; ')) }, 500);
}

function plain(status: number, body: string): ControlAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

function json(value: unknown, status = 200): ControlAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}

/** @throws RangeError for another parameter, or one sent twice */
function read<const N extends string>(
  query: URLSearchParams,
  names: readonly N[],
): Readonly<Partial<Record<N, string>>> {
  const isKnown = (name: string): name is N => names.some((one) => one === name);
  const values: Partial<Record<N, string>> = {};
  for (const [name, value] of query) {
    if (!isKnown(name))
      throw new RangeError(`Expected the parameters ${names.join(', ') || '(none)'}, got ${name}.`);
    if (values[name] !== undefined) throw new RangeError(`Expected ${name} once, got it twice.`);
    values[name] = value;
  }
  return values;
}

/** The time of day may be set while the emulator runs; this clock only goes forward, as the journal's. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

const LOST = 'begin a report before each test run (DELETE /client-report), or raise --journal-limit';

/** Returns the requests of one application. A request that names no application counts if no other application has sent any. */
function entriesOf(page: JournalPage, clientId: string, since: number): readonly JournalEntry[] {
  const recent = page.entries.filter(({ arrivedMs }) => page.startedAt + arrivedMs >= since);
  const isAlone = recent.every(({ application = clientId }) => application === clientId);
  return recent.filter(
    ({ application }) => application === clientId || (application === undefined && isAlone),
  );
}

/** True if the journal may have dropped requests of the report: it drops those first that were answered first. */
function hasLost({ dropped, entries, startedAt }: JournalPage, since: number): boolean {
  const oldest = entries[0]?.answeredMs ?? 0;
  return dropped > 0 && startedAt + oldest >= since;
}
