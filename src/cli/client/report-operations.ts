import { situationsByHttp } from '../../client-checks/situations/by-http.ts';
import { programName } from '../../document/input/program-name.ts';
import type { JournalEntry, JournalPage } from '../../emulator/control-types.ts';
import type { ControlAnswer, ControlOperations } from '../../emulator/emulator-options.ts';
import { requireApplication } from '../../emulator/seed.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import type { ReportFile } from '../../report/document.ts';
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
  const reports = new ClientReports(emulator, isProfileChosen);
  return {
    'GET /client-report': async (query) => {
      const { application, format = 'json', strict } = read(query, ['application', 'format', 'strict']);
      const render = FORMATS.get(format);
      if (render === undefined)
        throw new RangeError(
          `format: expected one of ${[...FORMATS.keys()].join(', ')}, got ${JSON.stringify(format)}.`,
        );
      if (strict !== undefined && strict !== 'true' && strict !== 'false')
        throw new RangeError(`strict: expected true or false, got ${JSON.stringify(strict)}.`);
      return render(await reports.evaluate(application, strict === 'true'));
    },
    'DELETE /client-report': (query) => json(reports.begin(read(query, ['application']).application)),
    'GET /situations': (query) => {
      read(query, []);
      const { owners } = emulator.seed;
      const [first, second = first] = owners;
      return json({
        situations: situationsByHttp({
          first: first.email,
          second: second.email,
          lifetime: emulator.control.lifetime.read().expiresIn,
          baseUrl: emulator.baseUrl,
          authUrl: emulator.authUrl,
        }),
      });
    },
  };
}

type Render = (evaluated: EvaluatedClient) => ControlAnswer;

const FORMATS: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['json', (evaluated) => file(evaluated, 'results.json', 'application/json; charset=utf-8')],
  ['junit', (evaluated) => file(evaluated, 'junit.xml', 'application/xml; charset=utf-8')],
  [
    'text',
    ({ run, view, secrets }) => {
      const { results } = searchedReport(run, view, secrets);
      const text = listingText(resultsListing(results, view, programName()), { style: 'plain' });
      return plain(200, secrets.redact(text));
    },
  ],
  [
    'exit',
    ({ run, view, secrets }) => {
      const { results } = searchedReport(run, view, secrets);
      const text = `${verdictText(results)}: exit code ${results.exitCode}\n`;
      return plain(STATUS_OF_EXIT[results.exitCode], secrets.redact(text));
    },
  ],
]);

function file(
  { run, view, secrets }: EvaluatedClient,
  name: ReportFile['name'],
  contentType: string,
): ControlAnswer {
  const { results, files } = searchedReport(run, view, secrets);
  const body = files.find((one) => one.name === name)?.text;
  if (body !== undefined) return { status: 200, contentType, body };
  const error = secrets.redact(results.troubles.map(({ message }) => message).join('; '));
  return json({ error }, 500);
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

/** Reports on the clients of a running emulator, one for each application. */
class ClientReports {
  readonly #emulator: Emulator;
  readonly #isProfileChosen: boolean;
  /** Real milliseconds since the epoch, on the journal's clock. */
  readonly #begun = new Map<string, number>();

  /** @param isProfileChosen true if the user named the profile: it then describes the user's service */
  constructor(emulator: Emulator, isProfileChosen: boolean) {
    this.#emulator = emulator;
    this.#isProfileChosen = isProfileChosen;
  }

  /**
   * Evaluates what an application has sent since its report began.
   *
   * @param clientId default: the seed's first application
   * @throws RangeError for an unknown application
   */
  evaluate(clientId: string | undefined, strict: boolean): Promise<EvaluatedClient> {
    const { control } = this.#emulator;
    const application = this.#application(clientId);
    const page = control.journal.page();
    const begun = this.#begun.get(application.clientId) ?? page.startedAt;
    const { expiresIn, documented } = control.lifetime.read();
    return evaluateWatched(
      watchedTests(this.#emulator, {
        application,
        name: application.name,
        isProfileChosen: this.#isProfileChosen,
        expiresIn: documented ? undefined : expiresIn,
        entries: entriesOf(page, application.clientId, begun),
        troubles: [],
        lost: hasLost(page, begun) ? lostRequests(page, LOST) : undefined,
        startedAt: new Date(begun),
        durationMs: now() - begun,
      }),
      strict,
    );
  }

  /**
   * Begins a new report for an application.
   *
   * @throws RangeError for an unknown application, and while a test has its mark set
   */
  begin(clientId: string | undefined): { readonly application: string; readonly startedAt: string } {
    const application = this.#application(clientId).clientId;
    const mark = this.#emulator.control.journal.marked(application);
    if (mark !== undefined)
      throw new RangeError(
        `DELETE /client-report: expected no test under way, but the mark ${JSON.stringify(mark)} is set for ${application}. Set it to null first. If tests run side by side, give each worker an application of its own.`,
      );
    const begun = now();
    this.#begun.set(application, begun);
    return { application, startedAt: new Date(begun).toISOString() };
  }

  #application(clientId: string | undefined) {
    const { seed } = this.#emulator;
    return clientId === undefined ? seed.applications[0] : requireApplication(clientId, seed);
  }
}

/** The time of day may be set while the emulator runs; this clock only goes forward, as the journal's. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

const LOST = 'begin a report before each test run (DELETE /client-report), or raise --journal-limit';

/**
 * Returns the requests of one application. A request that names no application counts if no other application has sent
 * any.
 */
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
