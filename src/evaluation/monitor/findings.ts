import type { RequirementId } from '../../../generated/ids.ts';
import { isPage } from '../../http/answer-body.ts';
import { type Exchange, isServerError, jsonOf, type WireResponse } from '../../http/exchange.ts';
import type { ExchangeFinding, FindingKind } from '../../report/facts.ts';
import type { ConcurrentErrors } from './concurrent-errors.ts';
import { RightRequests } from './right-requests.ts';

export type { ExchangeFinding };

const KEPT = 3;

export type Broken = (id: RequirementId, kind: FindingKind, expected: string, got: string) => void;

/** Names the requirement, kind and form of request of a finding: alike for what most likely has one cause. */
export function causeKey({ id, kind, channel = '' }: FindingName): string {
  return `${id} ${kind} ${channel}`;
}

export type FindingName = Pick<ExchangeFinding, 'id' | 'kind' | 'channel'>;

/** Compares all but the requirement, which is only a first guess for lists. */
export function isOfKind(one: FindingName, other: FindingName): boolean {
  return one.kind === other.kind && one.channel === other.channel;
}

export class MonitorFindings {
  readonly #examples = new Map<RequirementId, number>();
  readonly right = new RightRequests();
  #all: ExchangeFinding[] = [];
  readonly #kept = new Map<string, number>();

  get all(): readonly ExchangeFinding[] {
    return this.#all;
  }

  get examples(): ReadonlyMap<RequirementId, number> {
    return this.#examples;
  }

  example(...ids: readonly RequirementId[]): void {
    for (const id of ids) this.#examples.set(id, (this.#examples.get(id) ?? 0) + 1);
  }

  finding(finding: ExchangeFinding): void {
    const key = `${causeKey(finding)} ${finding.during}`;
    const kept = this.#kept.get(key) ?? 0;
    this.#kept.set(key, kept + 1);
    this.#all.push(kept < KEPT ? finding : { ...finding, exchanges: [] });
  }

  of(exchange: Exchange, during: string | undefined, channel?: string): Broken {
    return (id, kind, expected, got) =>
      this.finding({
        id,
        kind,
        ...(channel !== undefined && { channel }),
        expected,
        got: channel === undefined ? got : `${got}, ${channel}`,
        during,
        uncertain: false,
        exchanges: [exchange],
      });
  }

  /** Fails the steps that a service refuses whenever two of them meet. */
  meetings(meetings: ConcurrentErrors, ownerOf: (step: string) => RequirementId): void {
    for (const { step, seen, failed, exchange } of meetings.refused()) {
      const broken = this.of(exchange, undefined);
      const got = `status ${exchange.response?.status} on ${failed} of ${seen} occasions`;
      broken(ownerOf(step), 'server error at once', `${step} beside another ${step} to be honoured`, got);
    }
  }

  /** Marks the findings in this index range as shown but not failing. */
  markUncertain(from: number, to: number): void {
    this.#all = this.#all.map((finding, index) =>
      index >= from && index < to ? { ...finding, uncertain: true } : finding,
    );
  }
}

/** Tolerates one page in place of JSON for each kind of request, once JSON came: a notice of maintenance passes. */
export class PassingPages {
  readonly #hadJson = new Set<string>();
  readonly #tolerated = new Set<string>();

  /** @param of the kind of request */
  tolerates(of: string, response: WireResponse | undefined): boolean {
    if (!isPage(response)) {
      if (jsonOf(response) !== undefined) this.#hadJson.add(of);
      return false;
    }
    if (!this.#hadJson.has(of) || this.#tolerated.has(of)) return false;
    this.#tolerated.add(of);
    return true;
  }
}

/** Tolerates one server error for each rightful request; a second one counts as a refusal. */
export class ServerErrors {
  readonly #failed = new Set<unknown>();

  /** @param owners requirements of the first error, and of another one */
  evaluate(
    request: unknown,
    response: WireResponse | undefined,
    what: string,
    owners: readonly [first: RequirementId, again: RequirementId],
    broken: Broken,
  ): void {
    if (response === undefined || !isServerError(response.status)) return;
    const [first, again] = owners;
    const isFirst = !this.#failed.has(request);
    this.#failed.add(request);
    const expected = isFirst ? `no server error for a right ${what}` : `${what} to be honoured`;
    broken(isFirst ? first : again, 'server error', expected, `status ${response.status}`);
  }

  forget(request: unknown): void {
    this.#failed.delete(request);
  }
}
