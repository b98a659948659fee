import { assignedUsersPath, encodeId } from '../../document/assigned-users-path.ts';
import { programName } from '../../document/input/program-name.ts';
import { didYouMean } from '../../document/input/usage-error.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { SCOPES, type Target } from '../../service/target.ts';
import { ruleProblems } from '../pact/matching-rules.ts';
import { type Interaction, type Pact, PactRefused, type WantedState } from '../pact/read-pact.ts';
import { type Address, AUTHORIZATION_SERVER, addressOf, RESOURCE_API } from '../providers.ts';
import { isStateName, PROVIDER_STATES } from '../states.ts';
import { foundOutcome, outcomeOf, PACT_IS_WRONG } from './outcome.ts';
import type { InteractionOutcome } from './pact-outcome.ts';

type RefusingTarget = Pick<Target, 'isLive' | 'projects' | 'users'>;

/**
 * Checks pacts before anything is sent: secrets, states, their parameters, injected values, the address of each interaction, and
 * requests that a live target must not get. Interactions with a `problem` are not refused, but fail.
 *
 * @throws PactRefused with all problems, a line each
 */
export function refusePacts(pacts: readonly Pact[], target: RefusingTarget, secrets: SecretRegistry): void {
  const lines = pacts.flatMap((pact) =>
    problemsIn(pact, target, secrets).flatMap(([{ description, problem }, problems]) =>
      problem === undefined
        ? problems.map((text) => secrets.redact(`${pact.source}: "${description}": ${text}`))
        : [],
    ),
  );
  if (lines.length > 0) throw new PactRefused(lines.join('\n'));
}

/**
 * Returns the interactions of a broker's pacts that cannot be sent. They fail, so that the broker tells their consumer the
 * reason; one consumer's mistake stops no other.
 */
export function refusedInteractions(
  pacts: readonly Pact[],
  target: RefusingTarget,
  secrets: SecretRegistry,
): ReadonlyMap<Interaction, InteractionOutcome> {
  const problems = pacts.flatMap((pact) => problemsIn(pact, target, secrets));
  return new Map(
    problems.map(([one, reasons]) => [one, outcomeOf(one, foundOutcome('failed', ...reasons), secrets)]),
  );
}

/** Refuses a pact that holds a secret of the target as a whole. */
function problemsIn(
  pact: Pact,
  target: RefusingTarget,
  secrets: SecretRegistry,
): readonly (readonly [Interaction, readonly string[]])[] {
  const held = heldSecrets(JSON.stringify(pact.document), secrets).map((label) => label.split('#')[0]);
  const leak = `the pact holds a secret of the target (${[...new Set(held)].join(', ')}), which everyone who reads it sees: take it from a provider state, and change it at the target`;
  const problems = (interaction: Interaction) => {
    if (held.length > 0) return [leak];
    if (interaction.problem !== undefined) return [`${PACT_IS_WRONG}: ${interaction.problem}`];
    return [
      ...interaction.states.flatMap(stateProblems),
      ...valueProblems(interaction),
      ...ruleProblems(pact, interaction),
      ...requestProblems(pact, interaction, target),
    ];
  };
  const all = pact.interactions.map((one) => [one, problems(one)] as const);
  return all.filter(([, texts]) => texts.length > 0);
}

function stateProblems({ name, parameters }: WantedState): readonly string[] {
  if (!isStateName(name)) {
    return [
      `the provider state ${JSON.stringify(name)} is not known; \`${programName()} contracts states\` lists them.${didYouMean(name, Object.keys(PROVIDER_STATES))}`,
    ];
  }
  const known: readonly string[] = PROVIDER_STATES[name].parameters ?? [];
  return Object.entries(parameters).flatMap(([parameter, value]) => {
    const what = `the provider state ${JSON.stringify(name)}`;
    if (!known.includes(parameter)) {
      return [`${what} has no parameter ${JSON.stringify(parameter)}; it has ${known.join(', ') || 'none'}`];
    }
    if (isScope(value)) return [];
    return [
      `${what}: expected ${parameter} to be one or more of ${SCOPES.join(', ')} with a space between them, got ${JSON.stringify(value)}`,
    ];
  });
}

function isScope(value: unknown): boolean {
  const known: readonly string[] = SCOPES;
  return typeof value === 'string' && value.split(' ').every((scope) => known.includes(scope));
}

/** Finds values that no state injects; the pact's example would be sent instead. */
function valueProblems({ expressions, states }: Interaction): readonly string[] {
  const given = new Set<string>(
    states.flatMap(({ name }) => (isStateName(name) ? PROVIDER_STATES[name].values : [])),
  );
  const used = new Set(expressions.flatMap(variablesIn));
  return [...used]
    .filter((name) => !given.has(name))
    .map(
      (name) =>
        `it takes \`${name}\` from a provider state, but its states give ${[...given].join(', ') || 'nothing'}`,
    );
}

/** Returns the names of the values in an expression such as `Bearer ${access_token}`. */
export function variablesIn(expression: string): readonly string[] {
  if (!expression.includes('${')) return [expression];
  return [...expression.matchAll(/\$\{([^}]*)\}/g)].map(([, name]) => name ?? '');
}

function requestProblems(pact: Pact, interaction: Interaction, target: RefusingTarget): readonly string[] {
  const address = addressOf(pact, interaction);
  if (address === undefined) {
    return [
      `neither the provider ${JSON.stringify(pact.provider)} nor the path ${interaction.path} tells which address it goes to: name the provider ${AUTHORIZATION_SERVER} or ${RESOURCE_API}`,
    ];
  }
  const injected: Readonly<Record<string, string>> = {
    project_id: encodeId(target.projects[0]),
    user_id: encodeId(target.users[0]),
  };
  const path = interaction.path.replace(/\$\{([^}]*)\}/g, (all, name: string) => injected[name] ?? all);
  const why = forbidden(target, { address, method: interaction.method, path });
  return why === undefined ? [] : [why];
}

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the reason why a pact's request may not be sent to a target. A live target holds other people's records. It gets only
 * the documented changing requests, about the suite's own users in its own projects or about unused ids. An emulator gets
 * anything.
 *
 * @param path without query
 * @param invented unused ids, encoded for a path
 */
export function forbidden(
  target: Pick<Target, 'isLive' | 'projects' | 'users'>,
  request: { readonly address: Address; readonly method: string; readonly path: string },
  invented: readonly string[] = [],
): string | undefined {
  const { address, method, path } = request;
  if (!target.isLive || SAFE.has(method)) return undefined;
  if (address === 'auth' && method === 'POST' && path === '/oauth/token') return undefined;
  const { before, project, user } = (address === 'api' && assignedUsersPath(path)) || {};
  if (
    before !== '/v2' ||
    project === undefined ||
    user === undefined ||
    (method !== 'PUT' && method !== 'DELETE')
  ) {
    return `${method} ${path} is none of the documented requests, and it might change something on a live target`;
  }
  const own = (id: string, ids: readonly string[]) => ids.some((one) => encodeId(one) === id);
  const known = (id: string, ids: readonly string[]) => own(id, ids) || invented.includes(id);
  if (known(project, target.projects) && known(user, target.users)) return undefined;
  return `${method} ${path} would change the assignment of a user who is not the suite's own on a live target: take the ids from a provider state, as in /v2/projects/\${project_id}/assigned_users/\${user_id}`;
}

/** Returns the labels of the secrets that a pact holds. A login does not count: it may be an ordinary name. */
export function heldSecrets(text: string, secrets: SecretRegistry): readonly string[] {
  return secrets.find(text).flatMap(({ label }) => (label.startsWith('login#') ? [] : [label]));
}
