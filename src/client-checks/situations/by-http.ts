import {
  type ClientRequirement,
  loadClientCatalogue,
  type SituationId,
} from '../../document/load-client-requirements.ts';
import type { ByHand, ControlRequest } from './control-requests.ts';
import { type Names, situationsByHand } from './table-by-http.ts';

/** A situation as an integrator's own test brings it about, with requests to the control port. */
export interface SituationByHttp {
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
export function situationsByHttp(names: Names): readonly SituationByHttp[] {
  const { requirements } = loadClientCatalogue();
  const table = Object.entries(situationsByHand(names)) as [SituationId, ByHand][];
  return table.map(([situation, { before = [], act, after = [], next }]) => {
    const shown = requirements.filter(({ situations }) => situations.includes(situation));
    return {
      situation,
      before: [...before, mark(situation)],
      act,
      after: [mark(null), ...after],
      ...(next === undefined ? {} : { next }),
      shows: shown.filter((one) => !needsApp(one)).map(({ id }) => id),
      onlyWithApp: shown.filter(needsApp).map(({ id }) => id),
    };
  });
}

function mark(name: SituationId | null): ControlRequest {
  return { method: 'PUT', path: '/mark', body: { mark: name } };
}

/** True if only `client --app` can show it, because it sees how the application answers. */
function needsApp({ inTests }: ClientRequirement): boolean {
  return inTests.startsWith('run with --app');
}
