import type { OriginApp } from './routes.ts';

/**
 * Hands a request to an app without a socket. Never follows a redirect.
 *
 * @throws TypeError when a fault breaks the connection, the signal's reason when the caller gave up, as `fetch` does
 */
export async function dispatch(app: OriginApp, request: Request): Promise<Response> {
  let broken: unknown;
  const response = await app.fetch(request, {
    onBreak: (error) => {
      broken = error;
    },
  });
  if (broken !== undefined) throw broken;
  if (request.signal.aborted) throw request.signal.reason;
  return response;
}
