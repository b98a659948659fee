import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AuthorizationCode } from '../../../../src/emulator/store/records.ts';

/** A used code that is accepted again, though its own time may be over, from some time after its exchange on. */
export function goodAgainAfter(seconds: number): Changes {
  const over = (record: AuthorizationCode, now: number) =>
    record.usedAt !== undefined && now >= record.usedAt + seconds;
  return ({ code }) => ({
    code: {
      check: (record, exchange, now) =>
        code.check(record, exchange, over(record, now) ? record.issuedAt : now),
      redeem(record, exchange, now) {
        if (over(record, now)) record.usedAt = undefined;
        return code.redeem(record, exchange, now);
      },
    },
  });
}
