import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { memberOf } from '../../../http/answer-body.ts';
import { isHarmlessMember } from '../../../http/answer-secrets.ts';
import { isSuccess, type WireResponse } from '../../../http/exchange.ts';
import { contentTypeOf, extraFieldsOf } from '../../../service/flow/answer-shape.ts';
import { withToken } from '../../../service/flow/requests.ts';
import { type PresentationPlace, TOKEN_PLACES } from '../../../service/target.ts';
import { type Probe, type ProbeContext, unissuedToken } from '../probe-context.ts';

export const tokenResponse: Probe = {
  aspects: aspectsOfPoint('token-response-fields'),
  async run(context) {
    const [code, another] = [await context.code(), await context.code()];
    const first = await context.exchange('exchange the code', code);
    const second = await context.exchange('exchange another code', another);
    const { response } = first;
    context.see('token-response-fields.extra-fields', extraFieldsOf(response));
    context.see('token-response-fields.content-type', contentTypeOf(response));
    const [one, other] = [context.pairOf(first), context.pairOf(second)];
    if (one === undefined || other === undefined) return;
    context.see('token-response-fields.distinct-tokens', one.accessToken !== other.accessToken);
    const type = memberOf(response, 'token_type');
    if (typeof type === 'string' && type !== 'bearer' && isHarmlessMember('token_type', type))
      context.noteDeparture({ tokenType: type });
  },
};

type TokenPlace = keyof typeof TOKEN_PLACES;

/** Open point 1: places of an access token. Uses assign, because a form needs a method with a body. */
export const tokenPresentation: Probe = {
  aspects: aspectsOfPoint('token-presentation'),
  async run(context) {
    const token = await context.accessToken();
    const accepted: TokenPlace[] = [];
    for (const place of Object.keys(TOKEN_PLACES) as TokenPlace[]) {
      const honoured = isSuccess(await assign(context, [[TOKEN_PLACES[place], token]]));
      if (honoured) accepted.push(place);
      const name = place === 'authorization-header' ? 'bearer-header' : place;
      context.see(`token-presentation.${name}`, honoured);
    }
    context.see('token-presentation.scheme-case', await schemeCase(context, token, accepted));
    context.see(
      'token-presentation.precedence',
      await precedence(context, token, accepted),
      'a right token and a wrong one in two places each',
    );
    await context.operate('unassign');
  },
};

async function schemeCase(context: ProbeContext, token: string, accepted: readonly TokenPlace[]) {
  if (!accepted.includes('authorization-header')) return null;
  const accepts = async (scheme: string) =>
    isSuccess(await assign(context, [[{ in: 'header', scheme }, token]]));
  const [lower, upper] = [await accepts('bearer'), await accepts('BEARER')];
  return lower && upper ? 'any' : 'exact';
}

/** Sends a wrong token in one place and a right one in another to see which place takes precedence. */
async function precedence(context: ProbeContext, token: string, accepted: readonly TokenPlace[]) {
  if (accepted.length < 2) return null;
  const wins = new Map<TokenPlace, number>(accepted.map((place) => [place, 0]));
  for (const [index, one] of accepted.entries()) {
    for (const other of accepted.slice(index + 1)) {
      const first = await winner(context, token, one, other);
      if (first === undefined) return 'refused';
      wins.set(first, (wins.get(first) ?? 0) + 1);
    }
  }
  return accepted.toSorted((one, other) => (wins.get(other) ?? 0) - (wins.get(one) ?? 0));
}

async function winner(
  context: ProbeContext,
  token: string,
  one: TokenPlace,
  other: TokenPlace,
): Promise<TokenPlace | undefined> {
  const wrong = unissuedToken();
  const both = (ofOne: string, ofOther: string) =>
    assign(context, [
      [TOKEN_PLACES[one], ofOne],
      [TOKEN_PLACES[other], ofOther],
    ]);
  if (isSuccess(await both(token, wrong))) return one;
  return isSuccess(await both(wrong, token)) ? other : undefined;
}

function assign(
  context: ProbeContext,
  tokens: readonly (readonly [PresentationPlace, string])[],
): Promise<WireResponse> {
  const request = context.operationRequest('assign', undefined);
  return context.send(
    `assign with ${tokens.length === 1 ? 'the token' : 'two tokens'} elsewhere`,
    tokens.reduce((sent, [place, token]) => withToken(sent, place, token), request),
  );
}
