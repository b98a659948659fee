import { percentDecoded } from '../../http/or-else.ts';
import { changed } from '../defects/define-defect.ts';
import { refuse } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Randomness } from '../store/randomness.ts';
import { answerPolicy } from './answer.ts';
import { authorizePolicy } from './authorize.ts';
import { clientPolicy } from './client.ts';
import { codePolicy } from './code.ts';
import type { AssignmentsPolicy, LifetimePolicy, Policy } from './policy.ts';
import type { Answers, WholeProfile } from './profile.ts';
import { refreshPolicy } from './refresh.ts';
import { tokenPolicy } from './token.ts';

function assignmentsPolicy(): AssignmentsPolicy {
  return {
    route(method, path) {
      const segments = path.split('/');
      const [, version, projects, projectId, assignedUsers, userId] = segments;
      if (
        (segments.length !== 5 && segments.length !== 6) ||
        version !== 'v2' ||
        projects !== 'projects' ||
        assignedUsers !== 'assigned_users' ||
        !projectId ||
        userId === ''
      ) {
        return refuse('path-unknown', `${path} is no path of the resource API`);
      }
      const project = percentDecoded(projectId);
      if (userId === undefined) {
        return method === 'GET'
          ? { operation: 'list', projectId: project, userId: '' }
          : { allowed: ['GET'] };
      }
      const user = percentDecoded(userId);
      if (method === 'PUT') return { operation: 'assign', projectId: project, userId: user };
      if (method === 'DELETE') return { operation: 'unassign', projectId: project, userId: user };
      return { allowed: ['PUT', 'DELETE'] };
    },

    project: (id, store) => store.projects.get(id) ?? refuse('project-unknown', `no project ${id}`),

    user: (id, store) => store.users.get(id) ?? refuse('user-unknown', `no user ${id}`),

    assign: (assignments, project, user) =>
      assignments.add(project.id, user.id) ? 'assigned' : 'already-assigned',

    unassign: (assignments, project, user) =>
      assignments.remove(project.id, user.id) ? 'unassigned' : 'not-assigned',

    list: (assignments, project) => [...assignments.of(project.id)],
  };
}

/** Creates a policy that follows the document, with the profile's answers to open points and its declared departures. */
export function policyFromProfile({ answers, departures = {} }: WholeProfile): Policy {
  return {
    authorize: authorizePolicy(answers, departures),
    code: codePolicy(answers, departures),
    client: clientPolicy(answers),
    token: tokenPolicy(answers),
    refresh: refreshPolicy(answers),
    lifetime: lifetimePolicy(answers),
    assignments: assignmentsPolicy(),
    answer: answerPolicy(answers, departures),
  };
}

/** Seconds (clause 8). */
export const ACCESS_TOKEN_LIFETIME = 7_200;

function lifetimePolicy(answers: Answers): LifetimePolicy {
  const seconds = (life: number | 'unlimited') => (life === 'unlimited' ? Number.POSITIVE_INFINITY : life);
  const code = seconds(answers['lifetimes.code']);
  const refreshToken = seconds(answers['lifetimes.refresh-token']);
  return {
    accessToken: () => ACCESS_TOKEN_LIFETIME,
    refreshToken: () => refreshToken,
    code: () => code,
  };
}

/** Adds the control's settings. Reads them for each token, so that a change needs no new policy and defects keep their state. */
export function asConfigured(policy: Policy, service: Service): Policy {
  const inForm = (odd: TextMaker, long: TextMaker, randomness: Randomness) =>
    ({ profile: undefined, 'every-character': odd, long })[service.tokenForm]?.(randomness);
  return changed(policy, {
    lifetime: {
      accessToken: (previous, now) => service.expiresIn ?? policy.lifetime.accessToken(previous, now),
    },
    answer: {
      finish(endpoint, answer) {
        const made = policy.answer.finish(endpoint, answer);
        return service.tokenForm === 'every-character' ? { ...made, body: escaped(made.body) } : made;
      },
    },
    code: {
      value: (randomness) => inForm(oddText, longCode, randomness) ?? policy.code.value(randomness),
    },
    token: {
      value: (kind, randomness, previous) =>
        inForm(kind === 'access' ? oddToken : oddText, longToken, randomness) ??
        policy.token.value(kind, randomness, previous),
    },
  });
}

/** Escapes what JSON need not escape and some servers do. Pages, which have tags, stay as they are. */
function escaped(body: string): string {
  return body.startsWith('{') ? body.replaceAll('/', '\\/').replaceAll('+', '\\u002b') : body;
}

type TextMaker = (randomness: Randomness) => string;

/** 2,000 letters and digits. */
const longToken: TextMaker = (randomness) => randomness.token(1_500);

/** 1,000: a code travels in an address, and servers refuse addresses of more than 2,000 characters. */
const longCode: TextMaker = (randomness) => randomness.token(750);

/** Returns characters that break when decoded twice or not encoded; form values permit them (RFC 6749 appendix A). */
function oddText(randomness: Randomness): string {
  return `${randomness.token(18)}-._~+/%2B&=`;
}

/** Returns letters, digits and every other character that RFC 6750 section 2.1 permits. */
function oddToken(randomness: Randomness): string {
  return `${randomness.token(18)}-._~+/=`;
}
