import { headerLines } from '../../http/exchange.ts';
import type { ArmedFault, JournalEntry } from '../control-types.ts';
import type { Refusal } from '../refusal.ts';
import type { RequestOutcome } from '../request.ts';
import type { Service } from '../service.ts';
import type { Labels } from './labels.ts';
import { identitiesOf, readSent, type SentRequest } from './sent.ts';

/** Marks by the client id of an application, or {@link EVERY_APPLICATION}. Replaced as a whole, so that records share it. */
export type MarkByApplication = ReadonlyMap<string, string>;

export const EVERY_APPLICATION = '';

/** Returns the application's own mark, else the mark for every application. */
export function markFor(marks: MarkByApplication, application = EVERY_APPLICATION): string | undefined {
  return marks.get(application) ?? marks.get(EVERY_APPLICATION);
}

/** A request's record while it is served. Holds no request, socket or answer, which would stay alive as long as the record. */
export interface JournalRecord extends SentRequest {
  readonly arrival: number;
  /** Number of resets of the journal before. */
  readonly resets: number;
  /** Real milliseconds since the journal was opened. */
  readonly arrivedMs: number;
  /** The marks at arrival. The application is known only when the journal is read. */
  readonly marks: MarkByApplication;
  /** The emulator's time, in seconds since the epoch. */
  readonly at: number;
  readonly connection: number | undefined;
  readonly method: string;
  readonly outcome: RequestOutcome;
  answeredMs: number;
  status: number | undefined;
  refusal: Refusal | undefined;
  clientGone: boolean;
  fault: Pick<ArmedFault, 'id' | 'kind'> | undefined;
  held: JournalEntry['held'];
}

/** Converts a record to a journal entry: decoded, with secrets replaced by ordinals. */
export function entryOf(
  record: JournalRecord,
  sequence: number,
  service: Service,
  labels: Labels,
): JournalEntry {
  const { resets, rawHeaders, outcome, fault, refusal, marks, ...same } = record;
  const said = readSent(record);
  const { grant, user, application } = identitiesOf(said, outcome, service);
  return withoutUndefined<JournalEntry>({
    sequence,
    ...same,
    mark: markFor(marks, application),
    arrivedMs: rounded(record.arrivedMs),
    answeredMs: rounded(record.answeredMs),
    headers: headerLines(rawHeaders),
    parameters: said.parameters.map((parameter) => labels.parameter(parameter, said)),
    grantType: said.grantType,
    authentication: said.authentication,
    presentation: said.presentation,
    presented: withoutUndefined(labels.ordinals(said)),
    issued: withoutUndefined(labels.ordinals(outcome)),
    grant: grant === undefined ? undefined : `grant#${grant.ordinal}`,
    user,
    application,
    effect: outcome.effect,
    refusal:
      refusal === undefined
        ? undefined
        : withoutUndefined({
            ...refusal,
            detail: labels.clean(refusal.detail, said),
            resembles: labels.resembled(refusal, said),
          }),
    fault: fault?.kind,
    faultId: fault?.id,
  });
}

/** Returns the object without the members that are undefined. */
export function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
