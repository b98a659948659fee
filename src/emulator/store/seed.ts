import { createHash } from 'node:crypto';
import { validateReplaceSeed } from '../../../generated/control-validators.js';
import type { Seed, SeedApplication } from '../../../generated/schemas.d.ts';
import { checkFits } from '../policy/check-fits.ts';
import type { Answers } from '../policy/profile.ts';
import type { Randomness } from './randomness.ts';
import type { Project, RegisteredApplication, ResourceOwner, User } from './records.ts';
import type { Store } from './store.ts';

type IdForms = Pick<Answers, 'id-forms.project' | 'id-forms.user'>;

export type { Seed };

/** A seed with all generated values: ids as they appear in paths, secrets and passwords. */
export interface ResolvedSeed {
  readonly owners: NonEmpty<ResourceOwner>;
  readonly applications: NonEmpty<RegisteredApplication>;
  readonly projects: NonEmpty<Project>;
  readonly users: NonEmpty<User>;
  /** In the order of assignment. */
  readonly assignments: readonly Assignment[];
}

/** A list with a first item. */
type NonEmpty<T> = readonly [T, ...T[]];

/** A user assigned to a project, by the ids of both. */
export interface Assignment {
  readonly project: string;
  readonly user: string;
}

/**
 * Fills in generated values and gives ids the profile's form.
 * @throws RangeError if the seed violates `spec/seed.schema.json`; TypeError for a reference to a missing record
 */
export function resolveSeed(seed: Seed, answers: IdForms, randomness: Randomness): ResolvedSeed {
  checkFits('seed', validateReplaceSeed, seed);
  // The schema demands one entry of each kind, and ids of digits.
  const owners = mapped(seed.owners, ({ name, email, password = randomness.token(12) }, index) => {
    return { id: String(index + 1), name, email, password };
  });
  const known = new Set(seed.users.map(({ id }) => id));
  return {
    owners,
    applications: mapped(seed.applications, (application) => ({
      clientId: application.clientId ?? randomness.token(24),
      clientSecret: application.clientSecret ?? randomness.token(32),
      name: application.name,
      redirectUris: application.redirectUris,
      ownerId: ownerIdOf(application, owners),
    })),
    projects: mapped(seed.projects, ({ id, name }) => ({ id: formattedId('project', id, answers), name })),
    users: mapped(seed.users, ({ id, name, email }) => ({
      id: formattedId('user', id, answers),
      name,
      email,
    })),
    assignments: seed.projects.flatMap(({ id, assignedUsers = [] }) =>
      assignedUsers.map((userId) => {
        if (known.has(userId)) {
          return { project: formattedId('project', id, answers), user: formattedId('user', userId, answers) };
        }
        throw new TypeError(
          `Seed, projects, ${id}, assignedUsers: expected ids of users of the seed, got ${JSON.stringify(userId)}.`,
        );
      }),
    ),
  };
}

/** Values that replace those of the seed's first application. */
export interface ApplicationOptions {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly redirectUris?: readonly string[];
}

/**
 * Returns the seed with another id, secret or redirect addresses of its first application.
 * @throws TypeError for an id that cannot be sent or belongs to another application, and for an invalid address
 */
export function withApplication(seed: Seed, own: ApplicationOptions): Seed {
  const [first, ...others] = seed.applications;
  if (first === undefined) return seed;
  const { clientId, clientSecret, redirectUris = [] } = own;
  if (clientId !== undefined) checkClientId(clientId, others);
  for (const address of redirectUris) {
    const problem = redirectUriProblem(address);
    if (problem !== undefined)
      throw new TypeError(`application.redirectUris: ${JSON.stringify(address)} ${problem}`);
  }
  const application = {
    ...first,
    clientId: clientId ?? first.clientId,
    clientSecret: clientSecret ?? first.clientSecret,
    redirectUris: redirectUris.length === 0 ? first.redirectUris : [...redirectUris],
  };
  return { ...seed, applications: [application, ...others] } as Seed;
}

/** Returns the seed with one more redirect address of its first application, before the others. */
export function withCallback(seed: ResolvedSeed, address: string): ResolvedSeed {
  const [first, ...others] = seed.applications;
  return { ...seed, applications: [{ ...first, redirectUris: [address, ...first.redirectUris] }, ...others] };
}

function checkClientId(clientId: string, others: readonly SeedApplication[]): void {
  const isOthers = others.some((one) => one.clientId === clientId);
  // A colon would end the id in HTTP Basic (RFC 7617 section 2).
  if (!isOthers && /^[\x21-\x39\x3b-\x7e]{1,255}$/.test(clientId)) return;
  throw new TypeError(
    `application.clientId: expected 1 to 255 printable characters without blank and colon, and no other application's id, got ${JSON.stringify(clientId)}.`,
  );
}

/** @throws RangeError if there is none */
export function ownerByEmail(email: string, { owners }: ResolvedSeed, asked = 'autoConsent'): ResourceOwner {
  const owner = owners.find((one) => one.email === email);
  if (owner !== undefined) return owner;
  const known = owners.map((one) => one.email).join(', ');
  throw new RangeError(
    `${asked}: expected the email of an owner of the seed (${known}), got ${JSON.stringify(email)}.`,
  );
}

/** @throws RangeError if there is none */
export function requireApplication(clientId: string, { applications }: ResolvedSeed): RegisteredApplication {
  const application = applications.find((one) => one.clientId === clientId);
  if (application !== undefined) return application;
  const known = applications.map((one) => one.clientId).join(', ');
  throw new RangeError(
    `application: expected the client id of an application of the seed (${known}), got ${JSON.stringify(clientId)}.`,
  );
}

/** Puts a resolved seed into an empty store. */
export function fillStore(seed: ResolvedSeed, store: Store): void {
  for (const owner of seed.owners) store.owners.set(owner.id, owner);
  for (const application of seed.applications) store.applications.set(application.clientId, application);
  for (const project of seed.projects) store.projects.set(project.id, project);
  for (const user of seed.users) store.users.set(user.id, user);
  restoreAssignments(seed, store);
}

/** Restores the assignments of every project, and changes nothing else. */
export function restoreAssignments(seed: ResolvedSeed, store: Store): void {
  for (const project of [...store.assignments.projects()]) {
    for (const user of [...store.assignments.of(project)]) store.assignments.remove(project, user);
  }
  for (const { project, user } of seed.assignments) store.assignments.add(project, user);
}

function mapped<A, B>(items: readonly A[], resolve: (item: A, index: number) => B): NonEmpty<B> {
  return items.map(resolve) as unknown as NonEmpty<B>;
}

function ownerIdOf(application: SeedApplication, owners: readonly ResourceOwner[]): string {
  const owner =
    application.owner === undefined ? owners[0] : owners.find(({ email }) => email === application.owner);
  if (owner !== undefined) return owner.id;
  throw new TypeError(
    `Seed, applications, ${application.name}, owner: expected the email of an owner of the seed, got ${JSON.stringify(application.owner)}.`,
  );
}

/** Returns the id in the profile's form. Opaque ids are derived, so that the same seed gives the same ids. */
export function formattedId(kind: 'project' | 'user', id: string, answers: IdForms): string {
  if (answers[`id-forms.${kind}`] !== 'opaque') return id;
  const digest = createHash('sha256').update(`${kind} ${id}`).digest('hex');
  return `${kind === 'project' ? 'prj' : 'usr'}_${digest.slice(0, 16)}`;
}

const ADDRESS_LENGTH = 2_000;

export function redirectUriProblem(address: string): string | undefined {
  if (address.length > ADDRESS_LENGTH) return `is longer than ${ADDRESS_LENGTH} characters.`;
  const url = URL.parse(address);
  if (url === null) return 'is no absolute address. Write one like https://client.example/callback.';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://.';
  if (address.includes('#')) return 'must not have a fragment (RFC 6749 section 3.1.2).';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password.';
  return undefined;
}
