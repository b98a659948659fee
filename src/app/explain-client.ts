import { type ClientRequirement, loadClientCatalogue } from '../catalogue/load-client-requirements.ts';
import { explanationBlock } from './explanation-block.ts';

/** A requirement on clients, told apart from those on services. */
export interface ExplainedClientRequirement extends ClientRequirement {
  readonly subject: 'client';
}

/**
 * The requirements on clients that a word names: an id (`pair.own-user`) or a group (`pair`); none where it names none.
 */
export function explainClient(word: string): readonly ExplainedClientRequirement[] {
  return loadClientCatalogue()
    .requirements.filter(({ id }) => id === word || id.split('.')[0] === word)
    .map((requirement) => ({ ...requirement, subject: 'client' }));
}

/** @returns lines for a terminal, ended by a line feed */
export function explainClientText(requirements: readonly ExplainedClientRequirement[]): string {
  return requirements
    .map((requirement) =>
      explanationBlock(requirement, [
        ['demands', `of a client: ${requirement.statement}`],
        ['why', requirement.suffers],
        ...requirement.fix.map((line) => ['fix', line] as const),
        ['shown by', requirement.situations.join(', ')],
        ['in tests', requirement.bringAbout],
      ]),
    )
    .join('\n');
}
