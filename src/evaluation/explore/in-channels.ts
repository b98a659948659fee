import { CALL_CHANNELS, type Channel, TOKEN_CHANNELS } from '../../service/flow/channels.ts';
import type { Target } from '../../service/target.ts';
import {
  authorizeAll,
  NO_TOKEN,
  REFRESH_TOKEN_OF,
  type Step,
  UNKNOWN_TOKEN,
  WRONG_EXCHANGE_NAMES,
  WRONG_REFRESH_NAMES,
  type WrongExchange,
  type WrongRefresh,
} from './steps.ts';

/** One step in one channel: the right request, and the wrong ones that count only if it was honoured. */
interface Part {
  readonly step: 'exchange' | 'refresh' | 'assign' | 'unassign' | 'list';
  readonly right: readonly Step[];
  readonly wrong: readonly Step[];
}

/** The parts of a channel, which share a grant. */
interface ChannelRow {
  readonly channel: string;
  readonly before: readonly Step[];
  readonly parts: readonly Part[];
  readonly after: readonly Step[];
}

/** On a live target, wrong credentials are sent once in each channel. */
const LIVE_EXCHANGES: readonly WrongExchange[] = ['wrong secret', 'unknown code', 'no code', 'other address'];
const LIVE_REFRESHES: readonly WrongRefresh[] = ['unknown token', 'no token'];

const PAIR = 'pair 1';
const TOKENS = [NO_TOKEN, UNKNOWN_TOKEN, `${REFRESH_TOKEN_OF}${PAIR}`];

/**
 * Returns each channel's steps: the right request first, then each wrong one.
 * @param early true if a refresh before the expiry is honoured
 * @param few true for the channels of a live target's default run
 */
export function channelRows(target: Target, early: boolean, few: boolean): readonly ChannelRow[] {
  const wanted = ({ live }: Channel) => live === true || !few;
  return [
    ...TOKEN_CHANNELS.filter(wanted).map(({ name }) => tokenRow(name, early, target.isLive)),
    ...CALL_CHANNELS.filter(wanted).map(({ name }) => callRow(name, target)),
  ];
}

function tokenRow(channel: string, early: boolean, shared: boolean): ChannelRow {
  const exchanges = shared ? LIVE_EXCHANGES : WRONG_EXCHANGE_NAMES;
  const refreshes = shared ? LIVE_REFRESHES : WRONG_REFRESH_NAMES;
  const exchange: Part = {
    step: 'exchange',
    right: [authorizeAll('code 1'), { do: 'exchange', code: 'code 1', as: 'pair of code 1', channel }],
    wrong: exchanges.flatMap((how, index): readonly Step[] => {
      const code = `code ${index + 3}`;
      return [authorizeAll(code), { do: 'exchange wrongly', code, how, channel }];
    }),
  };
  const refresh: Part = {
    step: 'refresh',
    right: [
      authorizeAll('code 2'),
      { do: 'exchange', code: 'code 2', as: PAIR },
      { do: 'refresh', pair: PAIR, as: 'pair 2', channel },
    ],
    wrong: refreshes.map((how): Step => ({ do: 'refresh wrongly', pair: 'pair 2', how, channel })),
  };
  return { channel, before: [], parts: early ? [exchange, refresh] : [exchange], after: [] };
}

function callRow(channel: string, { projects: [project], users: [user] }: Target): ChannelRow {
  const usual = { project, with: PAIR };
  const list: Step = { do: 'list', ...usual };
  const change = (operation: 'assign' | 'unassign'): Step => ({ do: operation, user, ...usual });
  const changes = (operation: 'assign' | 'unassign'): Part => {
    const undo = change(operation === 'assign' ? 'unassign' : 'assign');
    return {
      step: operation,
      right: [undo, list, { do: operation, user, ...usual, channel }, list],
      wrong: TOKENS.flatMap((token): readonly Step[] => [
        undo,
        { do: operation, project, user, with: token, channel },
        list,
      ]),
    };
  };
  return {
    channel,
    before: [authorizeAll('code 1'), { do: 'exchange', code: 'code 1', as: PAIR }],
    parts: [
      changes('assign'),
      changes('unassign'),
      {
        step: 'list',
        right: [change('assign'), { do: 'list', ...usual, channel }],
        wrong: TOKENS.map((token): Step => ({ do: 'list', project, with: token, channel })),
      },
    ],
    after: [change('unassign')],
  };
}
