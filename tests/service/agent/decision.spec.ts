/** The form agent decides on a consent page only where a click without script decides as one with script does. */
import { expect, test } from '@playwright/test';
import type { Transport } from '../../../src/http/exchange.ts';
import { Recorder } from '../../../src/http/recorder.ts';
import { FormAgent } from '../../../src/service/agent/form-agent.ts';
import type { CredentialSource } from '../../../src/service/agent/sign-in-values.ts';
import type { FormPages, Target } from '../../../src/service/target.ts';

const PAGES: FormPages = {
  signInForm: '#login',
  signIn: [],
  grant: '#yes',
  deny: '#no',
  signInOrigins: [],
  interstitials: [],
  settleMs: 0,
  pageDeadlineMs: 10_000,
  consentShown: 'always',
};

const SCRIPTED = '<button id="yes">Allow</button><button id="no">Refuse</button>';
const NAMED = '<button id="yes" name="answer" value="yes">Allow</button><button id="no">Refuse</button>';

/** Opens a consent page with these buttons. Returns whether the agent decided, and the methods of its requests. */
async function decides(buttons: string, decision: 'grant' | 'deny', pages = PAGES) {
  const methods: string[] = [];
  const transport: Transport = async ({ method }) => {
    methods.push(method);
    const page = `<form method="post"><input type="hidden" name="confirm" value="1">${buttons}</form>`;
    return { status: 200, headers: [['Content-Type', 'text/html']], body: page, bytes: page.length };
  };
  const target = { pages, authUrl: 'http://service.test', baseUrl: 'http://service.test' } as Target;
  const agent = new FormAgent(target, {} as CredentialSource);
  const options = { decision, signedIn: true, redirectUris: ['https://client.example/callback'] };
  const url = 'http://service.test/oauth/authorize';
  const { decided } = await agent.authorize(url, options as never, new Recorder(transport));
  return { decided, methods };
}

for (const decision of ['grant', 'deny'] as const) {
  test(`${decision}: not where both buttons send the same, so that a script makes the difference`, async () => {
    expect(await decides(SCRIPTED, decision)).toEqual({ decided: false, methods: ['GET'] });
  });

  test(`${decision}: where the buttons differ`, async () => {
    expect(await decides(NAMED, decision)).toEqual({ decided: true, methods: ['GET', 'POST'] });
  });

  test(`${decision}: not where a module decides, which may tick boxes`, async () => {
    const signInModule = { consent: async () => undefined };
    expect((await decides(NAMED, decision, { ...PAGES, signInModule })).decided).toBe(false);
  });
}
