export class BrokerFailed extends Error {
  /** `refused`: the broker contradicts what is published (409). `unanswered`: down or failing, so a change may have been made. */
  readonly kind: 'refused' | 'unanswered' | 'other';
  readonly details: readonly string[];

  constructor(message: string, kind: BrokerFailed['kind'] = 'other', details: readonly string[] = []) {
    super(message);
    this.name = 'BrokerFailed';
    this.kind = kind;
    this.details = details;
  }
}
