import type { Exchange, WireResponse } from '../exchange/exchange.ts';
import type { Answered } from '../flow/answers.ts';
import type { Conversation } from '../flow/conversation.ts';
import type { Given } from './given.ts';
import type { Observe } from './observe.ts';
import { NotRun } from './outcome.ts';
import type { Refusals } from './refusals.ts';

export interface Acting {
  readonly conversation: Conversation;
  readonly given: Given;
  readonly refusals: Refusals;
  readonly observe: Observe;
}

export function answered<
  T extends { readonly exchange: Exchange; readonly response: WireResponse | undefined },
>(purpose: string, answer: T): Answered<T> {
  const { response, exchange } = answer;
  if (response === undefined) throw new NotRun(`${purpose}: ${exchange.failure?.message ?? 'no answer'}`);
  if (response.status === 429) throw new NotRun(`${purpose}: the target answered 429, too many requests`);
  return { ...answer, response };
}
