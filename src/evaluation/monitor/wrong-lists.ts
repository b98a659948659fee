import type { RequirementId } from '../../../generated/ids.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { MonitorFindings } from './findings.ts';
import type { WrongUser } from './projects.ts';

interface WrongList {
  readonly wrong: WrongUser;
  readonly blame: RequirementId;
  readonly exchange: Exchange;
  readonly during: string | undefined;
  /** Requirement that is violated if the same reader's next list is right. */
  readonly once: RequirementId;
  /** Requirement that is violated if another reader's list is right. */
  readonly ofReader: RequirementId;
  readonly token: string | undefined;
  /** Of the change that the wrong list shows. */
  readonly channel: string | undefined;
}

/** Keeps wrong lists until the next list, or the next change, shows whether they were only outdated. */
export class WrongLists {
  readonly #findings: MonitorFindings;
  readonly #wrong = new Map<string, WrongList[]>();

  constructor(findings: MonitorFindings) {
    this.#findings = findings;
  }

  get projects(): readonly string[] {
    return [...this.#wrong.keys()];
  }

  add(project: string, wrong: WrongList): void {
    const known = this.#wrong.get(project) ?? [];
    known.push(wrong);
    this.#wrong.set(project, known);
  }

  /**
   * Uses a list with no change in between.
   * @param token of the reader of that list
   * @returns the users whom it shows otherwise
   */
  compare(project: string, ids: ReadonlySet<string>, token: string): readonly WrongUser[] {
    const known = this.#wrong.get(project) ?? [];
    this.#wrong.delete(project);
    return known.flatMap((one) => {
      const { user, listed } = one.wrong;
      if (ids.has(user) === listed) {
        this.#tell(one, one.blame, false);
        return [];
      }
      const isSameReader = one.token === token;
      this.#tell(one, isSameReader ? one.once : one.ofReader, isSameReader);
      return [{ user, listed: !listed }];
    });
  }

  /** Ends the doubt about a project: a change of its users comes next. */
  settle(project: string): void {
    for (const one of this.#wrong.get(project) ?? []) this.#tell(one, unread(one.blame), false);
    this.#wrong.delete(project);
  }

  end(): void {
    for (const project of this.projects) this.settle(project);
  }

  /** @param once true if the next list was right */
  #tell({ wrong, exchange, during, channel }: WrongList, id: RequirementId, once: boolean): void {
    const [expected, got] = wrong.listed
      ? ['no user listed who is not assigned', 'a list with such a user']
      : ['every assigned user listed', 'a list without one of them'];
    const kind = wrong.listed ? 'listed' : 'absent';
    this.#findings.of(exchange, during, channel)(id, once ? `${kind} once` : kind, expected, got);
  }
}

/** Needed because only a second list shows that reading changed something. */
function unread(blame: RequirementId): RequirementId {
  return blame === 'list.safe' ? 'list.returns-assigned' : blame;
}
