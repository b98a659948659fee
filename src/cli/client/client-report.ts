import { takesBasic } from '../../client-checks/service.ts';
import type { JournalEntry, JournalPage } from '../../emulator/control-types.ts';
import { requireApplication } from '../../emulator/seed.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { type EvaluatedClient, evaluateWatched } from './report-client.ts';
import { lostRequests, watchedTests } from './watched-tests.ts';

/** Reports on the clients of a running emulator, one for each application. */
export class ClientReports {
  readonly #emulator: Emulator;
  readonly #isProfileChosen: boolean;
  /** Real milliseconds since the epoch, on the journal's clock. */
  readonly #begun = new Map<string, number>();

  /** @param isProfileChosen true if the user named the profile: HTTP Basic is then no breach where the profile takes it */
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
    const { control, profile } = this.#emulator;
    const application = this.#application(clientId);
    const page = control.journal.page();
    const begun = this.#begun.get(application.clientId) ?? page.startedAt;
    const { expiresIn, documented } = control.lifetime.read();
    return evaluateWatched(
      watchedTests(this.#emulator, {
        application,
        name: application.name,
        basicAgreed: this.#isProfileChosen && takesBasic(profile),
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
