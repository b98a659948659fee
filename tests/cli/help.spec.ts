import { expect, test } from '@playwright/test';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';

function commandsOf(command: Command, name = 'legacy-conformance'): readonly (readonly [string, Command])[] {
  return [[name, command], ...command.commands.flatMap((sub) => commandsOf(sub, `${name} ${sub.name()}`))];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return text;
}

for (const [name, command] of commandsOf(createProgram()))
  test(`${name} --help fits into 80 columns, and shows no default that is empty`, () => {
    const help = helpOf(command);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(help).not.toMatch(/\(default: (?:false|\[\])\)/);
  });
