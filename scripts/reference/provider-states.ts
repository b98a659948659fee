import { listStates } from '../../src/app/list-states.ts';
import { code, type Page, table } from './page.ts';

export function providerStatesPage(): Page {
  const rows = listStates().json.map(({ name, description, clause, parameters, values, needs }) => [
    code(name),
    `${description} (clause ${clause})${needs === undefined ? '' : `; needs the ability ${code(needs)}`}`,
    parameters.map(code).join(', '),
    values.map(code).join(', '),
  ]);
  return {
    file: 'provider-states.md',
    title: 'Provider states',
    when: 'You need this page when you write a pact for the service: these are the states that it may rely on, in any language',
    body: `${table(['state', 'what', 'takes', 'injects'], rows)}

- \`scope\`: \`read\`, \`write\`, \`destroy\`, or several with a space between them; all three when left out.
- \`authorization\`: a whole header, for \`Authorization: \${authorization}\`: the access token in the way that the target wants it.
- \`project_id\`, \`user_id\`: encoded, ready for a path.`,
  };
}
