/** Wrong usage: nothing was sent, exit 2. The message says what to do. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
