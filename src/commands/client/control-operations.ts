import { placesIn } from '../../client-checks/service.ts';
import { situationsByHttp } from '../../client-checks/situations/by-http.ts';
import { programName } from '../../document/input/program-name.ts';
import type { ControlAnswer, ControlOperations } from '../../emulator/start/emulator-options.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import { listingText } from '../../report/listing.ts';
import type { Verdict } from '../../report/results.ts';
import { resultsListing } from '../../report/results-listing.ts';
import { verdictText } from '../../report/words.ts';
import { type ReportableRun, searchedReport } from '../shared/report-results.ts';
import { applicationIn, evaluateSince } from './report.ts';

/** `curl -f` fails from 400, and the three outcomes of a client differ. */
const STATUS: Readonly<Record<Verdict, number>> = {
  conforms: 200,
  retired: 200,
  violates: 409,
  inconclusive: 425,
  broken: 500,
};

/** Returns the operations of the control port that evaluate the emulator's clients. */
export function reportOperations(emulator: Emulator, isProfileChosen: boolean): ControlOperations {
  const { control, seed } = emulator;
  /** Real milliseconds since the epoch, on the journal's clock. */
  const begun = new Map<string, number>();
  const applicationOf = (clientId: string | undefined) => applicationIn(seed, clientId);
  const evaluate = (clientId: string | undefined, strict: boolean): Promise<ReportableRun> => {
    const since = begun.get(applicationOf(clientId).clientId);
    return evaluateSince(emulator, { clientId, since, strict, isProfileChosen });
  };
  return {
    'GET /client-report': async (query) => {
      const { application, format, strict, verbose } = read(query, [
        'application',
        'format',
        'strict',
        'verbose',
      ]);
      return rendered(
        await evaluate(application, oneOf('strict', FLAG, strict) === 'true'),
        oneOf('format', FORMATS, format),
        oneOf('verbose', FLAG, verbose) === 'true',
      );
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

/** @returns the first one where none was sent */
function oneOf(name: string, allowed: readonly string[], value = allowed[0] ?? ''): string {
  if (allowed.includes(value)) return value;
  throw new RangeError(`${name}: expected one of ${allowed.join(', ')}, got ${JSON.stringify(value)}.`);
}

const FLAG = ['false', 'true'];

const FORMATS = ['json', 'junit', 'text', 'exit'];

function rendered(evaluated: ReportableRun, format: string, verbose: boolean): ControlAnswer {
  const { view, secrets } = evaluated;
  const { results, files } = searchedReport(evaluated);
  const { verdict, exitCode, troubles } = results;
  if (format === 'exit') return plain(STATUS[verdict], `${verdictText(results)}: exit code ${exitCode}\n`);
  if (format === 'text') {
    const listing = resultsListing(results, view, programName(), verbose ? 'whole' : 'brief');
    return plain(200, secrets.redact(listingText(listing, { style: 'plain', verbose })));
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
