import { situationsByHttp } from '../../src/client-checks/situations/by-http.ts';
import type { ControlRequest } from '../../src/client-checks/situations/expiry-by-http.ts';
import { code, type Page, table } from './page.ts';

/** The situations of clients as requests to the control port, as `GET /situations` has them. */
export function situationsByHttpPage(): Page {
  const situations = situationsByHttp({
    first: 'ada@example.test',
    second: 'bruno@example.test',
    lifetime: 7_200,
    authUrl: 'http://127.0.0.1:8700',
    baseUrl: 'http://127.0.0.1:8701',
  });
  const rows = situations.map(({ situation, before, act, after, next, onlyWithApp }) => [
    code(situation),
    written(before),
    act,
    [written(after), next].filter(Boolean).join('. Then: '),
    onlyWithApp.map(code).join(', '),
  ]);
  return {
    file: 'client-situations-http.md',
    title: 'Situations of clients, by plain HTTP',
    when: 'You need this page when your own tests bring a situation about on the [control port](control-port.md); `GET /situations` has the same as JSON, with the addresses and owners of your emulator',
    body: `Before the act, a user is signed in, unless the act begins with a sign-in. Each row also sets its name as the mark before the act (\`PUT /mark\`), and null after it. If the clock
of your application cannot follow \`POST /clock/advance\`, send \`PUT /lifetime\` with \`{"expiresIn":3}\` before the sign-in, and wait. Your test asserts the requirements of the last column itself.

${table(['situation', 'requests before', 'make the application', 'requests after', 'your test asserts'], rows)}`,
  };
}

function written(requests: readonly ControlRequest[]): string {
  return requests
    .filter(({ path }) => path !== '/mark')
    .map(({ method, path, body }) =>
      code([method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' ')),
    )
    .join(', ');
}
