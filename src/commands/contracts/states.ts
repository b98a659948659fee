import { PROVIDER_STATES } from '../../contracts/states.ts';
import { presentTexts } from '../../report/words.ts';

/** Lists the provider states with their parameters and values. */
export function listStates() {
  const json = Object.entries(PROVIDER_STATES).map(([name, { setUp, parameters = [], ...state }]) => ({
    name,
    parameters,
    ...state,
  }));
  const lines = json.flatMap(({ name, description, clause, parameters, values, needs }) => [
    name,
    `  ${description} (clause ${clause})`,
    ...presentTexts(
      needs && `  needs a target with the ability ${needs}`,
      parameters.length > 0 && `  takes    ${parameters.join(', ')}`,
    ),
    `  injects  ${values.join(', ')}`,
    '',
  ]);
  return { text: `${lines.join('\n')}${EXPLANATION}`, json };
}

const EXPLANATION = `
scope          read, write, destroy, or several with a space between them; all three when left out
authorization  a whole header: \`Authorization: \${authorization}\` presents the access token in the way that the target
               wants it. Where only \`Bearer \${access_token}\` will do for your client, write that
project_id,    encoded, ready for a path
user_id
`.trimStart();
