import { listVerb } from '../verb.ts';

export const explainCommand = listVerb({
  name: 'explain',
  summary: 'list clauses and requirements; explain a requirement; list the defects of the emulator',
  args: [
    [
      '[what...]',
      'a requirement (exchange.code-single-use), a group (exchange) or a clause (4.3); also of clients (pair.own-user); a profile; or `defects`',
    ],
  ],
  help: `
Without an argument it prints the table of clauses and requirements. \`explain defects\` lists the emulator's
switchable defects and the requirements that each breaks.

Examples
  legacy-conformance explain
  legacy-conformance explain exchange.code-single-use
  legacy-conformance explain 4.3 --json
  legacy-conformance explain defects`,
  list: async (words) => {
    const { explainAll, listClauses, listDefects } = await import('../../commands/explain/verb.ts');
    if (words.length === 1 && words[0] === 'defects') return listDefects();
    return words.length > 0 ? explainAll(words) : listClauses();
  },
});
