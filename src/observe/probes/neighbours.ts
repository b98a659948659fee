import type { WireRequest } from '../../exchange/exchange.ts';
import { encodeForm, present } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import type { Probe } from '../probe-context.ts';
import { neverIssued, type ProbeContext } from '../probe-context.ts';

export const neighbours: Probe = {
  openPoint: 'neighbours',
  aspects: aspectsOfPoint('neighbours'),
  requests: 9,
  async run(context) {
    const get = (path: string): WireRequest => ({
      method: 'GET',
      url: `${context.target.authUrl}${path}`,
      headers: [['Accept', 'application/json']],
    });
    const status = async (purpose: string, request: WireRequest) =>
      (await context.send(purpose, request)).status;
    context.see(
      'neighbours.revoke',
      await status('revoke', revokeRequest(context, '/oauth/revoke', neverIssued())),
    );
    context.see(
      'neighbours.introspect',
      await status('introspect', revokeRequest(context, '/oauth/introspect', neverIssued())),
    );
    const info = present(
      get('/oauth/token/info'),
      context.conversation.requestStyle,
      await context.accessToken(),
    );
    context.see('neighbours.token-info', await status('ask about the token', info));
    context.see(
      'neighbours.authorization-server-metadata',
      await status('ask for metadata', get('/.well-known/oauth-authorization-server')),
    );
    context.see(
      'neighbours.openid-configuration',
      await status('ask for metadata', get('/.well-known/openid-configuration')),
    );
  },
};

export function revokeRequest(
  { target, application }: ProbeContext,
  path: string,
  token: string,
): WireRequest {
  return {
    method: 'POST',
    url: `${target.authUrl}${path}`,
    headers: [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body: encodeForm([
      ['client_id', application.clientId],
      ['client_secret', application.clientSecret],
      ['token', token],
    ]),
  };
}
