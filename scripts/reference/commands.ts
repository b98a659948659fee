import type { Command, Option } from 'commander';
import { verbs } from '../../src/cli/program.ts';
import { code, type Page, table } from './page.ts';

/** Verbs about the configuration of a live target and the machine, with a page of their own. */
const PREPARING = ['init', 'install-browser', 'doctor', 'sign-in', 'sweep', 'handover'];

/** Every verb with its options: a page for the verbs, one for those that prepare a live target, one for `contracts`. */
export function commandPages(): readonly Page[] {
  const all = verbs();
  const contracts = all.find((verb) => verb.name() === 'contracts');
  return [
    {
      file: 'commands.md',
      title: 'Commands',
      when: 'You need this page when you look for an option; `npx legacy-conformance VERB --help` prints the same with examples. Elsewhere: [init, doctor, sign-in, sweep, handover, install-browser](commands-prepare.md), [contracts](commands-contracts.md)',
      body: all
        .filter((verb) => verb !== contracts && !PREPARING.includes(verb.name()))
        .map((verb) => entry(verb, ''))
        .join('\n\n'),
    },
    {
      file: 'commands-prepare.md',
      title: 'Commands that prepare a live target',
      when: 'You need this page when you configure a live target; `npx legacy-conformance VERB --help` prints the same with examples',
      body: all
        .filter((verb) => PREPARING.includes(verb.name()))
        .map((verb) => entry(verb, ''))
        .join('\n\n'),
    },
    {
      file: 'commands-contracts.md',
      title: 'Commands for contracts',
      when: 'You need this page when you look for an option of `npx legacy-conformance contracts …`; `--help` prints the same with examples',
      body: (contracts?.commands ?? []).map((verb) => entry(verb, 'contracts ')).join('\n\n'),
    },
  ];
}

function entry(verb: Command, above: string): string {
  const options = verb.options.filter((option) => !option.hidden);
  const parameters = verb.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [
    `### ${above}${[verb.name(), ...parameters].join(' ')}`,
    sentence(verb.description()),
    ...(options.length === 0 ? [] : ['', table(['option', 'meaning', 'default'], options.map(row))]),
  ].join('\n');
}

function row(option: Option): readonly string[] {
  const { defaultValue: value } = option;
  const none = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return [code(option.flags), option.description, none ? '' : code(String(value))];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
