/**
 * Puts an access token into a request for the resource API: gets the request without a token, returns the one to send. The
 * document does not show how (clause 5.6); write your own if neither of these fits.
 */
export type TokenPresentation = (request: Request, accessToken: string) => Request;

/** `Authorization: Bearer …` (RFC 6750 section 2.1). */
export const bearerHeader: TokenPresentation = (request, accessToken) => {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
};

/** A query parameter (RFC 6750 section 2.3). Use it only if the service accepts nothing else: every proxy may log addresses. */
export function queryParameter(name = 'access_token'): TokenPresentation {
  return (request, accessToken) => {
    const url = new URL(request.url);
    url.searchParams.set(name, accessToken);
    return new Request(url, request);
  };
}
