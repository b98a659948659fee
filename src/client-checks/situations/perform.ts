import type { ActName, SessionName } from '../evaluate/episode.ts';
import { ACTS, callIfAble, type OwnStep, type Perform } from './acts.ts';
import type { DrivenSituation, StepName, Verb } from './script.ts';
import type { ControlRequest, SituationContext } from './situation-context.ts';

/** Returns every item of a situation but those by hand. */
function itemsOf(situation: DrivenSituation): readonly (StepName | ControlRequest)[] {
  const {
    before = [],
    act: [, ...acts],
    after = [],
    next: [, ...further] = [''],
  } = situation;
  return [...before, ...acts, ...after, ...further].filter(
    (item) => typeof item === 'string' || 'method' in item,
  );
}

/** True if a token expires that was issued before the situation states a short life itself. */
export function awaitsExpiry(situation: DrivenSituation): boolean {
  const items = itemsOf(situation);
  const expires = items.some(
    (item) => item === 'let the token expire' || (typeof item !== 'string' && item.path === '/clock/advance'),
  );
  return expires && !items.includes('state a short life');
}

export async function perform(situation: DrivenSituation, context: SituationContext): Promise<void> {
  for (const item of itemsOf(situation))
    await (typeof item === 'string' ? stepOf(item)(context) : context.send(item));
}

const SPOKEN = /^(many users: )?(.+?)( second)?(?: as (\S+))?$/;

function stepOf(name: StepName): Perform {
  const own: Perform | undefined = ACTS[name as OwnStep];
  if (own !== undefined) return own;
  const [, condition, verb, second, as = ''] = SPOKEN.exec(name) ?? [];
  const session = second === undefined ? 'first' : 'second';
  return async (context) => {
    if (condition === undefined || context.client.manyUsers)
      await VERBS[verb as Verb](context, as as ActName, session);
  };
}

const VERBS: Readonly<
  Record<Verb, (context: SituationContext, as: ActName, session: SessionName) => Promise<unknown>>
> = {
  call: (context, as, session) => context.call(as, session),
  'sign in': (context, as, session) => context.signIn(as, session),
  deliver: async (context, as) => context.deliver(await context.authorize(), as),
  // A refused write shows more than a refused list: the application may say that it is done.
  assign: (context, as, session) => callIfAble(context, as, session, 'assign'),
  unassign: (context, as, session) => callIfAble(context, as, session, 'unassign'),
};
