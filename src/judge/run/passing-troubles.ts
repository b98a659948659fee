import { isPage } from '../../http/answer-body.ts';
import { type Exchange, isBusy, isSuccess } from '../../http/exchange.ts';
import type { RecordEntry } from '../../http/recorder.ts';

const CLEANING_UP = 'unassign again';

/**
 * Returns the answers of a check that a moment's trouble of the service explains: 429, 502, 503, 504. Unless the check passed, also
 * no whole answer, another server error, or a page in place of an answer of the API.
 *
 * @returns one phrase an answer, joined by commas; empty for none
 */
export function passingTroubles(entries: readonly RecordEntry[], passed: boolean): string {
  return entries
    .flatMap((entry) => {
      if (entry.kind === 'step') {
        const { status, purpose } = entry.step;
        return status !== undefined && isBusy(status) ? [`${purpose}: status ${status}`] : [];
      }
      const trouble = troubleIn(entry.exchange, passed);
      return trouble === undefined ? [] : [`${entry.exchange.purpose}: ${trouble}`];
    })
    .join(', ');
}

function troubleIn({ purpose, request, response, failure }: Exchange, passed: boolean): string | undefined {
  if (purpose === CLEANING_UP) return undefined;
  const status = response?.status ?? 0;
  if (isBusy(status)) return `status ${status}`;
  if (passed) return undefined;
  if (failure !== undefined) return failure.kind === 'not-sent' ? undefined : failure.message;
  if (status >= 500) return `status ${status}`;
  const isOfTheApi = /\/oauth\/token$|\/projects\//.test(new URL(request.url).pathname);
  return isOfTheApi && isSuccess(response) && isPage(response) ? 'an HTML page' : undefined;
}
