interface InChannel {
  readonly plain: boolean;
  readonly channel?: string;
}

/** The channels in which a service was seen to honour a right request. Only in them must it refuse a wrong one. */
export class Channels {
  readonly #honoured = new Set<string>();

  /** Returns a request as one in a channel: nothing promises that it is honoured, and the refusals are due in an honoured one. */
  read<R extends InChannel & { readonly is?: string; readonly operation?: string }>(
    request: R,
    channel: string,
  ): R {
    const plain = request.plain && this.honours(channel, request.is ?? request.operation ?? '');
    return { ...request, plain, channel, documented: false, otherwise: true };
  }

  honoured(channel: string | undefined, step: string): void {
    if (channel !== undefined) this.#honoured.add(`${step} ${channel}`);
  }

  honours(channel: string, step: string): boolean {
    return this.#honoured.has(`${step} ${channel}`);
  }
}
