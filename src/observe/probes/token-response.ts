import { headerOf } from '../../exchange/exchange.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import type { Probe } from '../probe-context.ts';
import { contentTypeOf, fieldsOfTokenResponse } from '../read.ts';

/** Not in the order of the smoke flow. The probe of consent tells `granted` from `fixed`. */
const ASKED = 'destroy write read';

export const tokenResponse: Probe = {
  openPoint: 'token-response-fields',
  aspects: aspectsOfPoint('token-response-fields'),
  requests: 10,
  async run(context) {
    const codes = [await context.code({ scope: ASKED }), await context.code({ scope: ASKED })];
    const [first, second] = [
      await context.exchange('exchange the code', codes[0] ?? ''),
      await context.exchange('exchange another code', codes[1] ?? ''),
    ];
    const { json, response } = first;
    const { extra, order } = fieldsOfTokenResponse(json);
    context.see('token-response-fields.extra-fields', extra);
    context.see('token-response-fields.order', order);
    context.see('token-response-fields.content-type', contentTypeOf(response));
    context.see('token-response-fields.cache-control', headerOf(response, 'cache-control') ?? null);
    context.see('token-response-fields.pragma', headerOf(response, 'pragma') ?? null);
    const [one, other] = [context.pairOf(first), context.pairOf(second)];
    if (one === undefined || other === undefined) return;
    context.see('token-response-fields.distinct-tokens', one.accessToken !== other.accessToken);
    const length = (a: string, b: string) => (a.length === b.length ? a.length : null);
    context.see('token-response-fields.access-token-length', length(one.accessToken, other.accessToken));
    context.see('token-response-fields.refresh-token-length', length(one.refreshToken, other.refreshToken));
    const { token_type: type, scope } = json as { token_type?: unknown; scope?: unknown };
    if (typeof scope !== 'string') context.see('token-response-fields.scope-order', null);
    else if (scope === ASKED) context.see('token-response-fields.scope-order', 'asked');
    if (typeof type === 'string' && type !== 'bearer') context.departs({ tokenType: type });
  },
};
