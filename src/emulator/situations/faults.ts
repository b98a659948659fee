import type { ArmedFault, Fault, FaultControl } from '../control-types.ts';
import type { Service } from '../service.ts';
import { checkFault } from './check-fault.ts';
import { fits, type Question } from './question.ts';

interface Armed {
  readonly id: string;
  readonly fault: Fault;
  readonly first: number;
  /** Infinity for no limit. */
  readonly last: number;
  met: number;
}

export class Faults implements FaultControl {
  readonly #service: Service;
  #armed: readonly Armed[] = [];
  #count = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  get idle(): boolean {
    return this.#armed.length === 0;
  }

  arm(fault: Fault): ArmedFault {
    checkFault(fault, this.#service);
    this.#count += 1;
    const first = fault.from ?? 1;
    const count = fault.count ?? (fault.to === undefined ? 1 : fault.to - first + 1);
    const last = count === 'unlimited' ? Number.POSITIVE_INFINITY : first + count - 1;
    const armed = { id: `fault#${this.#count}`, fault, first, last, met: 0 };
    this.#armed = [...this.#armed, armed];
    return shown(armed);
  }

  armed(): readonly ArmedFault[] {
    return this.#armed.map(shown);
  }

  clear(): void {
    this.#armed = [];
  }

  /** Disarms all, and restarts the count at 1. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }

  take(asked: Question): ArmedFault | undefined {
    for (const armed of this.#armed) {
      if (!fits(armed.fault, asked)) continue;
      armed.met += 1;
      if (armed.met < armed.first) continue;
      if (armed.met >= armed.last) this.#armed = this.#armed.filter((one) => one !== armed);
      return shown(armed);
    }
    return undefined;
  }
}

function shown({ id, fault, first, last, met }: Armed): ArmedFault {
  const left = last - Math.max(met, first - 1);
  return { ...fault, id, count: Number.isFinite(left) ? left : 'unlimited' };
}
