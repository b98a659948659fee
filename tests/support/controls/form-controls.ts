import { randomBytes } from 'node:crypto';
import { abilityIds } from '../../../generated/ids.ts';
import { type ServiceAnswer, withHeader } from '../../../src/emulator/answer.ts';
import { comparingSecrets } from '../../../src/emulator/defects/at-token-endpoint.ts';
import { defect, together } from '../../../src/emulator/defects/define-defect.ts';
import type { AnswerPolicy, Policy } from '../../../src/emulator/policy/policy.ts';
import type { WholeProfile } from '../../../src/emulator/policy/profile.ts';
import { refuse } from '../../../src/emulator/refusal.ts';
import type { Randomness } from '../../../src/emulator/store/randomness.ts';
import type { Target } from '../../../src/service/target.ts';
import { comparingIds, inAnyCase, upToNul } from '../../proof/defects/at-token-endpoint.ts';
import { awkwardIds } from './awkward-ids.ts';
import type { Control } from './control.ts';
import { relativeLocations, slow } from './on-the-way.ts';
import { bareSeed, crowdedSeed } from './seeds.ts';

type Behaviour = NonNullable<Control['behaviour']>;

/** A policy whose answers are changed in some way, everything else being as it was. */
function answering(change: (answer: AnswerPolicy) => Partial<AnswerPolicy>): Behaviour {
  return () => (policy: Policy) => ({ ...policy, answer: { ...policy.answer, ...change(policy.answer) } });
}

function tokenJson(change: (json: Record<string, unknown>) => unknown): Behaviour {
  return answering(({ tokens }) => ({
    tokens(issued) {
      const answer = tokens(issued);
      return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) };
    },
  }));
}

function values(make: (randomness: Randomness) => string): Behaviour {
  return () => (policy) => ({
    ...policy,
    code: { ...policy.code, value: make },
    token: { ...policy.token, value: (_kind, randomness) => make(randomness) },
  });
}

/** Lists whose records name a person before the user: whoever takes any id in a record for the user's own is misled. */
export function listsNaming(manager: string): Behaviour {
  return answering(({ list }) => ({
    list(project, users, query) {
      const answer = list(project, users, query);
      const records = (JSON.parse(answer.body) as object[]).map((one) => ({
        manager: { id: manager },
        ...one,
      }));
      return { ...answer, body: JSON.stringify(records) };
    },
  }));
}

/** Tokens and codes of hexadecimal digits, found in any letter case. */
function hexadecimal(policy: Policy): Policy {
  const { code, token, refresh } = policy;
  const value = () => randomBytes(20).toString('hex');
  return {
    ...policy,
    code: { ...code, value, find: (given, codes) => code.find(given.toLowerCase(), codes) },
    token: { ...token, value, find: (given, store) => token.find(given?.toLowerCase(), store) },
    refresh: { ...refresh, find: (given, store) => refresh.find(given.toLowerCase(), store) },
  };
}

function htmlError(answer: ServiceAnswer): ServiceAnswer {
  const page = `<!doctype html>\n<title>Sorry</title>\n<h1>Sorry (${answer.status})</h1>\n<p>501 502 503</p>\n`;
  return { ...withHeader(answer, 'Content-Type', 'text/html; charset=utf-8'), body: page };
}

/** Forms that the document leaves to a service and no profile can say. Each on a profile that breaks nothing itself. */
export function formControls(profile: WholeProfile): readonly Control[] {
  const control = (name: string, rest: Partial<Control>, warns: Control['warns'] = []): Control => ({
    name,
    profile,
    warns,
    ...rest,
  });
  const answers = (change: Partial<WholeProfile['answers']>): WholeProfile => ({
    ...profile,
    answers: { ...profile.answers, ...change },
  });
  return [
    control('further fields in the token response', {
      behaviour: tokenJson((json) => ({
        id_token: null,
        ...json,
        user: { id: 1, email: 'ada@example.test', token_type: 'mac' },
        refresh_expires_in: 86_400,
      })),
    }),
    control('a token response that names a nested access_token before its own', {
      behaviour: tokenJson((json) => ({
        session: { access_token: 'not-a-token', refresh_token: { refresh_token: 'nor-this' } },
        ...json,
      })),
    }),
    control('lists whose records name another person before the user', {
      behaviour: listsNaming('504'),
    }),
    control('a state whose characters beyond printable ASCII are lost', {
      behaviour: answering(({ authorization }) => ({
        authorization: (outcome) =>
          authorization({ ...outcome, state: outcome.state?.replace(/[^\x20-\x7e]/g, '?') }),
      })),
    }),
    control('a code with a NUL in it is a malformed request', {
      behaviour: () => (policy: Policy) => ({
        ...policy,
        code: {
          ...policy.code,
          find: (value, codes) =>
            value.includes('\0')
              ? refuse('parameter-repeated', 'malformed', 'code')
              : policy.code.find(value, codes),
        },
      }),
    }),
    control('client ids without regard to letter case, as many databases compare text', {
      behaviour: defect(
        'ids-in-any-case',
        together(comparingIds('authorization_code', inAnyCase), comparingIds('refresh_token', inAnyCase)),
      ).create,
    }),
    control('secrets that end at the first NUL, as texts of C do', {
      behaviour: defect(
        'up-to-nul',
        together(comparingSecrets('authorization_code', upToNul), comparingSecrets('refresh_token', upToNul)),
      ).create,
    }),
    control('access tokens of hexadecimal digits in any letter case', {
      behaviour: () => hexadecimal,
    }),
    control('a token response that is indented', {
      behaviour: answering(({ tokens }) => ({
        tokens(issued) {
          const answer = tokens(issued);
          return { ...answer, body: `\n${JSON.stringify(JSON.parse(answer.body), null, 2)}\r\n` };
        },
      })),
    }),
    control('a token response with status 201', {
      behaviour: answering(({ tokens }) => ({ tokens: (issued) => ({ ...tokens(issued), status: 201 }) })),
    }),
    control('error pages at the resource API', {
      behaviour: answering(({ resourceFailure }) => ({
        resourceFailure: (refusal) => htmlError(resourceFailure(refusal)),
      })),
    }),
    control(
      'error pages at the token endpoint',
      {
        behaviour: answering(({ tokenFailure }) => ({
          tokenFailure: (refusal) => htmlError(tokenFailure(refusal)),
        })),
      },
      [
        'token.error-json',
        'token.error-invalid-grant',
        'token.error-invalid-client',
        'token.error-invalid-request',
        'token.error-unsupported-grant-type',
      ],
    ),
    control('lists and pages that set cookies', {
      behaviour: answering(({ finish }) => ({
        finish: (endpoint, answer) => {
          const finished = finish(endpoint, answer);
          return { ...finished, headers: [...finished.headers, ['Set-Cookie', `lb=${endpoint}; Path=/`]] };
        },
      })),
    }),
    control('codes and tokens with characters that a query must encode', {
      behaviour: values((randomness) => `${randomness.token(24)}+/~.=`),
    }),
    control('codes and tokens of hexadecimal digits', {
      behaviour: values(() => randomBytes(20).toString('hex')),
    }),
    control('codes and tokens as long as a signed document', {
      behaviour: values((randomness) => [200, 900, 300].map((n) => randomness.token(n)).join('.')),
    }),
    control('redirects of the pages by relative address', { target: relativeLocations }),
    control('slow answers', { target: slow }),
    control('both address spaces on one origin', { start: { addresses: { oneOrigin: true } } }),
    control('addresses that end in a path', {
      start: { addresses: { authPath: '/auth', basePath: '/api' } },
    }),
    control('one origin, addresses that end in a path', {
      start: { addresses: { oneOrigin: true, authPath: '/accounts/v1', basePath: '/api/legacy' } },
    }),
    control('projects with many users assigned, the suite’s own not among them', {
      start: { seed: crowdedSeed() },
    }),
    control('projects with nobody assigned', { start: { seed: bareSeed() } }),
    ...awkwardIds.map(({ name, ...rest }) =>
      control(`ids ${name}`, {
        ...rest,
        profile: answers({
          'id-forms.project': 'numeric',
          'id-forms.user': 'numeric',
          'list-shape.user-id-type': 'string',
        }),
      }),
    ),
    control('ids and presentation that nobody has told', {
      target: ({ userIdPointer: _, presentation: __, ...target }) => target,
    }),
    control('a target that has one of everything and no ability', { target: bare, lacks: abilityIds }),
  ];
}

/** Staging at its barest: what the document itself needs, and nothing that a configuration would have to add. */
function bare({ clock: _, forgetConsent: __, secondApplication: ___, ...target }: Target): Target {
  const { accountArea: ____, ...pages } = target.pages;
  const { application, projects, users } = target;
  return {
    ...target,
    pages,
    application: { ...application, redirectUris: [application.redirectUris[0]] },
    projects: [projects[0]],
    users: [users[0]],
    abilities: new Set(),
  };
}
