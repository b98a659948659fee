// A clock that a request can move.

const RealDate = Date;
let ahead = 0;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length) super(...given);
    else super(RealDate.now() + ahead);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};

export function advance(seconds) {
  ahead += seconds * 1000;
}
