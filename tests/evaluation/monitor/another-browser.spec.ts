/** A page in place of a redirect refuses only if the same visit works for another address. */
import { expect, test } from '@playwright/test';
import { StepPerformer } from '../../../src/evaluation/explore/step-performer.ts';
import { attachMonitor } from '../../../src/evaluation/monitor/attach.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import type { UserAgent } from '../../../src/service/agent/user-agent.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { type AuthorizeVisit, ServiceClient } from '../../../src/service/flow/service-client.ts';

/** Leads to a page of the service, whatever was asked for. */
function agentWithoutCode(kind: UserAgent['kind']): UserAgent {
  return {
    kind,
    authorize: async () => ({
      pages: [{ url: 'https://auth.test/home', status: 200, headers: [], shows: 'other' }],
      visited: [],
      decided: false,
    }),
    createApplication: async () => ({ instead: 'none' }),
  };
}

async function foundAfter(elsewhere: AuthorizeVisit['elsewhere']): Promise<readonly string[]> {
  const target = await emulatorTarget({ profile: 'by-the-rfc', defects: [], sockets: false });
  try {
    const connected = connectWithoutBrowser(target, new SecretRegistry());
    const agents = { pageAgent: agentWithoutCode('page'), quickAgent: agentWithoutCode('cookies') };
    const { session, monitor } = attachMonitor({ ...connected, ...agents });
    const client = new ServiceClient(session);
    const visit = { decision: 'grant', signedIn: true, through: 'cookies-only' } as const;
    await client.authorize(client.authorization(), { ...visit, elsewhere });
    monitor.end();
    return monitor.findings.map(({ id }) => id);
  } finally {
    await target.close();
  }
}

test('another browser that ends on a page alone proves nothing', async () => {
  expect(await foundAfter({})).toEqual([]);
});

test('it fails authorize.redirects-with-code where it just got a code for another address', async () => {
  expect(await foundAfter({ proven: true })).toEqual(['authorize.redirects-with-code']);
});

test('the twin is a request for another address: the same request twice proves nothing', async () => {
  const target = await emulatorTarget({ profile: 'by-the-rfc', defects: [], sockets: false });
  try {
    const visited: string[] = [];
    const quickAgent: UserAgent = {
      ...agentWithoutCode('cookies'),
      authorize: async (url, options, recorder) => {
        visited.push(new URL(url).searchParams.get('redirect_uri') ?? '');
        return agentWithoutCode('cookies').authorize(url, options, recorder);
      },
    };
    const connected = connectWithoutBrowser(target, new SecretRegistry());
    const watched = attachMonitor({ ...connected, quickAgent, pageAgent: agentWithoutCode('page') });
    const performer = new StepPerformer(watched, watched.session);
    const step = { do: 'authorize', as: 'code 1', application: 0, scope: 'read' } as const;
    for (const address of [0, 1])
      await performer.perform({ ...step, address, visit: 'in another browser' }, 'exploring');
    const [first, second] = target.application.redirectUris;
    expect(visited).toEqual([first, second, first]);
  } finally {
    await target.close();
  }
});
