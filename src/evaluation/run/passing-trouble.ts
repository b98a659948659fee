import { isPage } from '../../http/answer-body.ts';
import { type Exchange, isBusy, isServerError, isSuccess, isTemporary } from '../../http/exchange.ts';
import { type RecordEntry, statusOf } from '../../http/recorder.ts';
import { CLEANING_UP } from '../../service/flow/clean-up.ts';

/** Answers that a moment's trouble of the service explains. */
export interface PassingTrouble {
  /** One phrase an answer, joined by commas. */
  readonly answers: string;
  /** True if one of them says so itself: 429, 502, 503, 504. */
  readonly busy: boolean;
  /** True if there was no answer at all. */
  readonly unreachable: boolean;
  /** True if an answer was 410 or a server error that asks for no wait. */
  readonly refusing: boolean;
  /** The longest wait that a page asked for. The transport knows those of the API. */
  readonly retryAfterMs: number;
}

/**
 * Returns the answers of a check that a moment's trouble of the service explains: 429, 502, 503, 504. Unless the check passed, also
 * 410, no whole answer, another server error, or a page in place of an answer of the API.
 */
export function passingTrouble(entries: readonly RecordEntry[], passed: boolean): PassingTrouble | undefined {
  const troubled = entries.flatMap((entry) => {
    const { purpose } = entry.kind === 'step' ? entry.step : entry.exchange;
    const trouble =
      entry.kind === 'step' ? statusText(statusOf(entry), passed) : troubleIn(entry.exchange, passed);
    return trouble === undefined ? [] : [{ entry, answer: `${purpose}: ${trouble}` }];
  });
  if (troubled.length === 0) return undefined;
  return {
    answers: troubled.map(({ answer }) => answer).join(', '),
    busy: troubled.some(({ entry }) => isTemporary(statusOf(entry) ?? 0)),
    unreachable: troubled.every(({ entry }) => statusOf(entry) === undefined),
    refusing: troubled.some(({ entry }) => {
      const status = statusOf(entry) ?? 0;
      return isServerError(status) || (isTemporary(status) && !isBusy(status));
    }),
    retryAfterMs: Math.max(
      ...troubled.map(({ entry }) => (entry.kind === 'step' ? (entry.step.retryAfterMs ?? 0) : 0)),
    ),
  };
}

/** A check that passed expected its 410. */
function statusText(status = 0, passed: boolean): string | undefined {
  return (passed ? isBusy : isTemporary)(status) ? `status ${status}` : undefined;
}

function troubleIn({ purpose, request, response, failure }: Exchange, passed: boolean): string | undefined {
  if (purpose === CLEANING_UP) return undefined;
  const status = response?.status ?? 0;
  const text = statusText(status, passed);
  if (passed || text !== undefined) return text;
  if (failure !== undefined) return failure.kind === 'not-sent' ? undefined : failure.message;
  if (status >= 500) return `status ${status}`;
  const isOfTheApi = /\/oauth\/token$|\/projects\//.test(new URL(request.url).pathname);
  return isOfTheApi && isSuccess(response) && isPage(response) ? 'an HTML page' : undefined;
}
