import { type BrokerAnswer, denied, granted, troubled } from './answer.ts';
import { environmentsOf } from './environments.ts';
import type { Broker } from './hal-client.ts';
import { linkIn, type Resource } from './resource.ts';
import { BrokerFailed, TROUBLES } from './trouble.ts';

/** An environment to be created. */
export interface NewEnvironment {
  readonly name: string;
  readonly displayName: string | undefined;
  readonly production: boolean;
}

/** Creates an environment. One that is there already is done, unless it is of another kind. */
export async function createEnvironment(
  broker: Broker,
  { name, displayName, production }: NewEnvironment,
): Promise<BrokerAnswer> {
  const { access } = broker;
  try {
    const known = (await environmentsOf(broker)).find((one) => one.name === name);
    if (known?.production === production)
      return { ...granted(access, `the environment ${name} is there already`), body: known };
    if (known !== undefined) {
      const kind = known.production === true ? 'for production' : 'not for production';
      return {
        ...denied(access, `the environment ${name} is there already, ${kind}: nothing was changed`),
        body: known,
      };
    }
    const body = await broker.send(await broker.link('pb:environments'), {
      method: 'POST',
      body: { name, displayName, production },
      repeatable: false,
      done: (answer) => answer?.name === name,
    });
    return {
      ...granted(access, `created: the environment ${name}${production ? ', for production' : ''}`),
      body,
    };
  } catch (error) {
    return troubled(access, error);
  }
}

/** What is to be known of a pacticipant. What is undefined stays as it is. */
export interface PacticipantFacts {
  readonly name: string;
  readonly mainBranch: string | undefined;
  readonly displayName: string | undefined;
  readonly repositoryUrl: string | undefined;
}

/** Creates a pacticipant, or changes what the broker knows of one. */
export async function createOrUpdatePacticipant(
  broker: Broker,
  { name, ...facts }: PacticipantFacts,
): Promise<BrokerAnswer> {
  const { access } = broker;
  try {
    const address = await broker.link('pb:pacticipant', { pacticipant: name });
    const known = await broker.find(address);
    const done = (answer: Resource | undefined) =>
      answer?.name === name && (facts.mainBranch === undefined || answer.mainBranch === facts.mainBranch);
    const body =
      known === undefined
        ? await broker.send(await broker.link('pb:pacticipants'), {
            method: 'POST',
            body: { name, ...facts },
            repeatable: false,
            done,
          })
        : await broker.send(linkIn(known, 'self') ?? address, {
            method: 'PATCH',
            body: facts,
            repeatable: true,
            done,
          });
    const main = facts.mainBranch === undefined ? '' : `, main branch ${facts.mainBranch}`;
    return { ...granted(access, `${known === undefined ? 'created' : 'updated'}: ${name}${main}`), body };
  } catch (error) {
    return troubled(access, error);
  }
}

/** Deletes a branch of a pacticipant; its versions stay. */
export async function deleteBranch(
  broker: Broker,
  pacticipant: string,
  branch: string,
): Promise<BrokerAnswer> {
  const { access } = broker;
  try {
    const address = await broker.link('pb:pacticipant-branch', { pacticipant, branch });
    if ((await broker.find(address)) === undefined)
      return denied(access, `${pacticipant} has no branch ${branch}, so nothing was deleted`);
    await broker.send(address, {
      method: 'DELETE',
      repeatable: true,
      done: (answer) => answer === undefined,
    });
    if ((await broker.find(address)) !== undefined) throw new BrokerFailed(TROUBLES.noBroker(broker.url));
    return granted(access, `deleted: branch ${branch} of ${pacticipant}`);
  } catch (error) {
    return troubled(access, error);
  }
}
