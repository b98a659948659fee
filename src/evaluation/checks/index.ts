import type { Check } from '../language/check.ts';
import { refusalCheck } from '../language/refused.ts';
import { WRONG_REQUESTS } from '../requests/wrong-requests.ts';
import { checks as clause1 } from './1-what-the-service-does.ts';
import { checks as clause21 } from './2-1-token-response.ts';
import { checks as clause22 } from './2-2-authorization-code.ts';
import { checks as clause23 } from './2-3-other-records.ts';
import { checks as clause3 } from './3-states-and-transitions.ts';
import { checks as clause41 } from './4-1-authorization-request.ts';
import { checks as clause42 } from './4-2-exchange.ts';
import { checks as clause43 } from './4-3-refresh.ts';
import { checks as clause44 } from './4-4-assigned-users.ts';
import { checks as clause5 } from './5-authentication.ts';
import { checks as clause7 } from './7-errors.ts';
import { checks as clause8 } from './8-limits.ts';
import { checks as clause9 } from './9-versioning.ts';

const WRITTEN: readonly Check[] = [
  ...clause1,
  ...clause21,
  ...clause22,
  ...clause23,
  ...clause3,
  ...clause41,
  ...clause42,
  ...clause43,
  ...clause44,
  ...clause5,
  ...clause7,
  ...clause8,
  ...clause9,
];

const REQUIRED = new Set(WRONG_REQUESTS.map(({ requirement }) => requirement));

/** A requirement that the table of wrong requests states whole needs no check of its own. */
export const CHECKS: readonly Check[] = [
  ...WRITTEN,
  ...[...REQUIRED].filter((wanted) => !WRITTEN.some(({ id }) => id === wanted)).map(refusalCheck),
];
