import type { SituationId } from '../../../generated/ids.ts';
import { loadClientCatalogue } from '../../document/load-client-requirements.ts';
import type { Item } from './script.ts';
import { type ControlRequest, DURATIONS, type SituationValues } from './situation-context.ts';
import { situationsOf } from './situations.ts';

/** A situation as an integrator's own test brings it about, with requests to the control port. */
interface SituationByHttp {
  readonly situation: SituationId;
  readonly before: readonly ControlRequest[];
  /** The act of the application that your test brings about. */
  readonly act: string;
  readonly after: readonly ControlRequest[];
  /** Another act, after the requests. */
  readonly next?: string;
  /** Requirements that a report evaluates then. */
  readonly shows: readonly string[];
  /** Requirements that need `client --app`; here the test itself asserts them. */
  readonly onlyWithApp: readonly string[];
}

/** Returns every situation as plain requests. Each begins and ends with its mark. */
export function situationsByHttp(
  values: Omit<SituationValues, keyof typeof DURATIONS>,
): readonly SituationByHttp[] {
  const { requirements } = loadClientCatalogue();
  const table = Object.entries(situationsOf({ ...values, ...DURATIONS }));
  return table.map(([name, { before, act, after, next }]) => {
    const situation = name as SituationId;
    const shown = requirements.filter(({ situations }) => situations.includes(situation));
    return {
      situation,
      before: [...requestsIn(before), mark(situation)],
      act: act[0],
      after: [mark(null), ...requestsIn(after)],
      ...(next && { next: next[0] }),
      shows: shown.flatMap(({ id, inTests }) => (inTests === undefined ? [] : [id])),
      onlyWithApp: shown.flatMap(({ id, inTests }) => (inTests === undefined ? [id] : [])),
    };
  });
}

function requestsIn(items: readonly Item[] = []): readonly ControlRequest[] {
  return items.flatMap((item) => {
    if (typeof item === 'string') return [];
    return 'byHand' in item ? item.byHand : item;
  });
}

function mark(name: SituationId | null): ControlRequest {
  return { method: 'PUT', path: '/mark', body: { mark: name } };
}
