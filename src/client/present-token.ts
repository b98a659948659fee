/**
 * Puts an access token into a request for the resource API. Gets the request without a token, returns the one to send.
 * How the service wants it is not shown (clause 5.6); write another one where neither of these fits.
 */
export type TokenPresentation = (request: Request, accessToken: string) => Request;

/** `Authorization: Bearer …` (RFC 6750 section 2.1). */
export const bearerHeader: TokenPresentation = (request, accessToken) => {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
};

/**
 * A query parameter (RFC 6750 section 2.3). Only where the service knows no other way: addresses end up in the logs of
 * every proxy on the way.
 *
 * @param name of the parameter
 */
export function queryParameter(name = 'access_token'): TokenPresentation {
  return (request, accessToken) => {
    const url = new URL(request.url);
    url.searchParams.set(name, accessToken);
    return new Request(url, request);
  };
}
