import { enableCompileCache } from 'node:module';
import { ready } from './ready.js';

/** oauth2-mock-server as its README starts it. It checks no token and signs two JWTs for each refresh. */

enableCompileCache();

const { OAuth2Server } = await import('oauth2-mock-server');
const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(0, '127.0.0.1');
const origin = `http://127.0.0.1:${server.address().port}`;
const anything = (count) => Array.from({ length: count }, (_, i) => ({ access: `a${i}`, refresh: `r${i}` }));

ready(
  {
    firstUrl: `${origin}/.well-known/openid-configuration`,
    tokenUrl: `${origin}/token`,
    listUrl: `${origin}/userinfo`,
    clientId: 'app',
    clientSecret: 'secret',
  },
  { tokens: anything },
);
