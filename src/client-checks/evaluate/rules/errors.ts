import {
  type Act,
  type ClientRule,
  type Episode,
  each,
  inSituations,
  mustFail,
  mustSucceed,
  NOTHING,
} from '../episode.ts';
import { exchanges, gotTokens, refusedCalls, stepsOf } from '../journal.ts';

const FAILED_EXCHANGES: readonly Episode['situation'][] = [
  'exchange-500',
  'exchange-503',
  'exchange-html',
  'exchange-truncated',
  'exchange-lost',
];

const RECOVERIES: readonly Episode['situation'][] = [
  ...FAILED_EXCHANGES,
  'denial',
  'exchange-wrong-type',
  'exchange-stalled',
  'refresh-lost',
  'refresh-503',
  'refresh-429',
  'refresh-refused',
  'refresh-stalled',
  'call-stalled',
];

export const ERRORS = {
  'errors.failed-sign-in': inSituations(FAILED_EXCHANGES, (episode) => {
    const calls = stepsOf(episode, 'call', 'after-failure');
    // A client that has tokens is rightly signed in; other requirements cover how it got them.
    const until = calls[0]?.after ?? 0;
    if (exchanges(episode).some((entry) => entry.arrival <= until && gotTokens(entry))) return NOTHING;
    return mustFail(calls, ({ detail }) => `the exchange failed, and a call after it ended well (${detail})`);
  }),
  'errors.failed-call': inSituations(
    ['forbidden', 'unknown-project', 'unauthorized-always', 'retired'],
    (episode) =>
      mustFail(
        refusedCalls(episode),
        ({ detail }) => `the service refused, and the call ended well (${detail})`,
      ),
  ),
  'errors.still-answers': inSituations(RECOVERIES, (episode) => {
    const steps = episode.steps.filter(({ as }) => as === 'recover' || as === 'beside');
    const { examples, broken } = mustSucceed(steps, (step) => `${nextWord(step)} ${step.detail}`);
    return { examples, broken: broken.slice(0, 1) };
  }),
  'errors.deadline': inSituations(['exchange-stalled', 'call-stalled', 'refresh-stalled'], (episode) => {
    const steps = episode.steps.filter(({ as }) => as === 'stalled');
    return each(steps, ({ act, detail, outcome }) =>
      outcome === 'no-answer' ? `the service did not answer, and the ${act} ${detail}` : undefined,
    );
  }),
} satisfies Readonly<Record<string, ClientRule>>;

function nextWord({ act, as }: Act): string {
  if (as === 'beside') return "another user's call";
  return `the next ${act === 'call' ? 'call' : 'sign-in'}`;
}
