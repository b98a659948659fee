import { situationsByHttp } from '../../src/client-checks/situations/by-http.ts';
import type { ControlRequest } from '../../src/client-checks/situations/situation-context.ts';
import { EXAMPLE_VALUES } from '../../src/client-checks/situations/situations.ts';
import { code, type Page, table } from './page.ts';

/** The situations of clients as requests to the control port, as `GET /situations` has them. */
export function situationsByHttpPage(): Page {
  const situations = situationsByHttp(EXAMPLE_VALUES);
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
    .map((request) =>
      code(
        [request.method, request.path, ...('body' in request ? [JSON.stringify(request.body)] : [])].join(
          ' ',
        ),
      ),
    )
    .join(', ');
}
