import { basename } from 'node:path';
import { defectsForAnswers } from '../../client-checks/answers.ts';
import { loadApp } from '../../client-checks/app-file.ts';
import { environmentFor, type Variables } from '../../client-checks/drive/client-driver.ts';
import { Ports } from '../../client-checks/drive/ports.ts';
import { runCommand } from '../../client-checks/own-tests.ts';
import { clientSeed, credentialsInFormOnly, emulatorOn } from '../../client-checks/service.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadProfile } from '../../emulator/policy/load-profile.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { type ClientRequest, lostRequests, readClientFiles, reportClient, watchedTests } from './report.ts';

interface OwnTestsRequest extends ClientRequest {
  readonly command: readonly string[];
  readonly redirectUri: string | undefined;
  readonly forms: boolean;
  /** File whose `variables` map the suite's variables to the client's. */
  readonly app: string | undefined;
}

/** Nothing listens there: tests pass the redirect to the client themselves. */
const USUAL_REDIRECT = 'http://127.0.0.1:8790/callback';

/** The verb `client -- COMMAND`: runs the tests of a client on an emulator, and evaluates what they sent. Returns its exit code. */
export async function evaluateOwnTests(request: OwnTestsRequest): Promise<ExitCode> {
  const app = request.app === undefined ? undefined : await loadApp(request.app);
  const { asked, answers } = await readClientFiles(request);
  const profile = asked ?? credentialsInFormOnly(await loadProfile('doorkeeper-5'));
  const redirectUri = request.redirectUri ?? app?.redirectUri ?? USUAL_REDIRECT;
  if (!URL.canParse(redirectUri) || !/^[^\s:/]+:\/[^\s#]+$/.test(redirectUri))
    throw new UsageError(
      `--redirect-uri: expected an absolute address without a fragment, such as ${USUAL_REDIRECT} or surveyapp://auth; got ${JSON.stringify(redirectUri)}`,
    );
  const startedAt = new Date();
  const begun = performance.now();
  const ports = new Ports();
  const emulator = await emulatorOn(ports, {
    profile,
    defects: defectsForAnswers(answers),
    clock: 'real',
    control: {},
    seed: clientSeed({ redirectUris: [redirectUri] }, false),
  });
  try {
    const variables = variablesOf(emulator, redirectUri);
    if (!request.forms) emulator.control.autoConsent.set(variables.ownerEmail);
    if (request.expiresIn !== undefined) emulator.control.lifetime.set(request.expiresIn);
    const env = environmentFor(variables, app?.variables);
    const output = request.json ? 2 : 'inherit';
    const failure = await runCommand(request.command, env, request.signal, output);
    const message = `${JSON.stringify(request.command[0])} ended with ${failure}: its tests failed, or the command itself did`;
    const page = emulator.control.journal.page();
    const code = await reportClient(
      watchedTests(emulator, {
        application: emulator.seed.applications[0],
        name: app?.name ?? request.command.map((word) => basename(word)).join(' '),
        isProfileChosen: asked !== undefined,
        expiresIn: request.expiresIn,
        commandExit: failure,
        entries: page.entries,
        troubles: failure === undefined ? [] : [{ kind: 'inconclusive', message }],
        lost: page.dropped === 0 ? undefined : lostRequests(page, 'run fewer tests at a time'),
        startedAt,
        durationMs: performance.now() - begun,
      }),
      request,
    );
    return request.signal?.aborted && code === EXIT.conforms ? EXIT.inconclusive : code;
  } finally {
    await emulator.close();
    ports.close();
  }
}

function variablesOf(emulator: Emulator, redirectUri: string): Variables {
  const { authUrl, baseUrl, seed, controlUrl = '', controlToken = '' } = emulator;
  const [{ clientId, clientSecret }] = seed.applications;
  const [{ email: ownerEmail, password: ownerPassword }] = seed.owners;
  const [{ id: projectId }] = seed.projects;
  const userId = seed.users.at(-1)?.id ?? '';
  const service = { authUrl, baseUrl, clientId, clientSecret, redirectUri, projectId, userId };
  return { ...service, ownerEmail, ownerPassword, controlUrl, controlToken };
}
