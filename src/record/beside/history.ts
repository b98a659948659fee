import { LIFETIME } from '../../document/lifetime.ts';
import {
  givesOf,
  NO_TOKEN,
  REFRESH_TOKEN_OF,
  type SingleStep,
  type Step,
  singleSteps,
  UNKNOWN_TOKEN,
} from '../../judge/explore/steps.ts';

/** Describes a step's request from the steps before it: `list with an expired token`. */
export class StoryHistory {
  #now = 0;
  readonly #given = new Map<string, number>();
  readonly #used = new Set<string>();

  note(step: Step): void {
    for (const one of singleSteps([step])) {
      if (one.do === 'wait') this.#now += one.seconds;
      if (one.do === 'exchange') this.#used.add(one.code);
      if (one.do === 'refresh') this.#used.add(one.pair);
    }
    for (const name of givesOf(step)) this.#given.set(name, this.#now);
  }

  asked(step: SingleStep): string {
    switch (step.do) {
      case 'authorize wrongly':
      case 'exchange wrongly':
      case 'refresh wrongly':
        return `${step.do}: ${step.how}`;
      case 'exchange':
        return `exchange${this.#used.has(step.code) ? ' of a used code' : this.#isOld(step.code, MOMENT) ? ' of an old code' : ''}`;
      case 'refresh':
        return `refresh${this.#used.has(step.pair) ? ' with a used token' : ''}`;
      case 'assign':
      case 'unassign':
      case 'list':
        return this.#operation(step);
      default:
        return step.do;
    }
  }

  #operation(step: Extract<SingleStep, { do: 'assign' | 'unassign' | 'list' }>): string {
    const { spelling } = step;
    const how = [
      spelling?.head && 'HEAD',
      spelling?.unlessSame && 'If-None-Match',
      step.project.startsWith('unknown') && 'an unknown project',
      'user' in step && step.user.startsWith('unknown') && 'an unknown user',
      this.#token(step.with),
    ].filter((one) => typeof one === 'string');
    return how.length === 0 ? step.do : `${step.do} with ${how.join(', ')}`;
  }

  #token(name: string): string | undefined {
    if (name === NO_TOKEN || name === UNKNOWN_TOKEN) return name;
    if (name.startsWith(REFRESH_TOKEN_OF)) return 'a refresh token';
    if (name.startsWith('code ')) return 'a code';
    if (this.#isOld(name, LIFETIME)) return 'an expired token';
    return this.#used.has(name) ? 'a refreshed token' : undefined;
  }

  #isOld(name: string, seconds: number): boolean {
    return this.#now - (this.#given.get(name) ?? this.#now) > seconds;
  }
}

const MOMENT = 10;
