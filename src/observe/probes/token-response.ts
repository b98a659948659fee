import { headerOf } from '../../exchange/exchange.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import type { Probe } from '../probe.ts';
import { contentTypeOf, fieldsOfTokenResponse } from '../read.ts';

/** Open point 12: two exchanges for one user, application and scopes. */
export const tokenResponse: Probe = {
  openPoint: 'token-response-fields',
  aspects: aspectsOfPoint('token-response-fields'),
  requests: 10,
  async run(lab) {
    const codes = [await lab.code(), await lab.code()];
    const [first, second] = [
      await lab.exchange('exchange the code', codes[0] ?? ''),
      await lab.exchange('exchange another code', codes[1] ?? ''),
    ];
    const { json, response } = first;
    const { extra, order } = fieldsOfTokenResponse(json);
    lab.see('token-response-fields.extra-fields', extra);
    lab.see('token-response-fields.order', order);
    lab.see('token-response-fields.content-type', contentTypeOf(response));
    lab.see('token-response-fields.cache-control', headerOf(response, 'cache-control') ?? null);
    lab.see('token-response-fields.pragma', headerOf(response, 'pragma') ?? null);
    const [one, other] = [lab.pairOf(first), lab.pairOf(second)];
    if (one === undefined || other === undefined) return;
    lab.see('token-response-fields.distinct-tokens', one.accessToken !== other.accessToken);
    const { token_type: type } = json as { token_type?: unknown };
    if (typeof type === 'string' && type !== 'bearer') lab.departs({ tokenType: type });
  },
};
