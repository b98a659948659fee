import { ALL_SCOPES } from '../../service/target.ts';
import type { Authorize, StepSupply } from './step-supply.ts';
import type { OperationSpelling, SingleStep, Step } from './steps.ts';

export class Script {
  readonly steps: Step[] = [];
  readonly supply: StepSupply;
  #token: string | undefined;

  constructor(supply: StepSupply) {
    this.supply = supply;
    this.#token = supply.liveToken();
  }

  add(...steps: readonly Step[]): void {
    this.steps.push(...steps);
  }

  maybe(probability: number, act: () => void): void {
    if (this.supply.random.chance(probability)) act();
  }

  code(change: Partial<Authorize> = {}): string {
    const step = this.supply.authorize({ scope: ALL_SCOPES, ...change });
    this.add(step);
    return step.as;
  }

  exchange(code: string): string {
    const as = this.supply.newName('pair');
    this.add({ do: 'exchange', code, as, ...this.supply.spelling(5) });
    return as;
  }

  /** Replays a used code. A refused replay is one request. */
  replayLast(): void {
    const used = this.steps.findLast((step) => step.do === 'exchange');
    if (used !== undefined) this.exchange(used.code);
  }

  pair(change: Partial<Authorize> = {}): { readonly code: string; readonly pair: string } {
    const code = this.code(change);
    return { code, pair: this.exchange(code) };
  }

  refresh(pair: string): string {
    const as = this.supply.newName('pair');
    if (!this.supply.early) this.wait(7_215);
    this.add({ do: 'refresh', pair, as, ...this.supply.spelling(4) });
    return as;
  }

  token(): string {
    this.#token ??= this.pair({ application: 0 }).pair;
    return this.#token;
  }

  list(project: string, pair: string, spelling?: OperationSpelling): void {
    this.add({ do: 'list', project, with: pair, ...(spelling ? { spelling } : this.supply.asked('list')) });
  }

  change(operation: 'assign' | 'unassign', project: string, user: string, pair: string): void {
    this.add({ do: operation, project, user, with: pair, ...this.supply.asked(operation) });
  }

  wait(seconds: number): void {
    this.add({ do: 'wait', seconds });
    if (seconds > 600) this.#token = undefined;
  }

  atOnce(steps: readonly SingleStep[]): void {
    if (steps.length > 1) this.add({ do: 'at once', steps });
    else this.add(...steps);
  }
}
