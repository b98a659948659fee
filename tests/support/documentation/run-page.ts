import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMMAND, COMPILED } from '../command.ts';
import { blocksOf, commandsOf, notPrinted } from './blocks.ts';

/** Prerequisites of a page: files, services, variables. */
export interface Scene {
  /** The folder that the page's commands run in. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Commands of what the reader does in front of a documented one, such as filling in a file. */
  readonly before?: readonly (readonly [documented: RegExp, commands: string])[];
  /** Exit codes that the page does not tell, where they are others than 0: the scene's service differs from the page's. */
  readonly ends?: readonly (readonly [documented: RegExp, code: number])[];
}

/** Between the output of two commands; no command prints it. */
const SEPARATOR = '\u0001';

/** Runs the commands of a page's blocks in one shell, with the checkout's command; what is not as the page says. */
export async function runPage(markdown: string, scene: Scene): Promise<readonly string[]> {
  const blocks = blocksOf(markdown).filter(
    ({ language, mark }) => (language === 'sh' && mark === undefined) || mark?.kind === 'output',
  );
  const commands = blocks.flatMap((block) => (block.language === 'sh' ? commandsOf(block) : []));
  const ended = await inShell(commands, scene);
  const problems = ended.flatMap(({ command, code, output }) => {
    const wanted = expectedEnd(command, scene);
    return code === wanted
      ? []
      : [`${command}: expected exit ${wanted}, got ${code}: ${output.slice(-1_500)}`];
  });
  let printed = '';
  for (const block of blocks) {
    if (block.language === 'sh')
      printed += ended
        .splice(0, commandsOf(block).length)
        .map(({ output }) => output)
        .join('');
    else
      problems.push(
        ...notPrinted(block.text, printed).map(
          (line) =>
            `line ${block.line}: shown and not printed: ${line}\n--- printed:\n${printed.slice(-4_000)}`,
        ),
      );
  }
  return problems;
}

/** How a documented command should end: as its own comment says, else with 0. */
function expectedEnd(command: string, { ends = [] }: Scene): number {
  const reported = ends.find(([documented]) => documented.test(command));
  return reported?.[1] ?? Number(/#.*\bexit (\d)/.exec(command)?.[1] ?? 0);
}

interface Ended {
  readonly command: string;
  readonly code: number;
  readonly output: string;
}

async function inShell(commands: readonly string[], scene: Scene): Promise<Ended[]> {
  const bin = join(scene.folder, '.bin');
  mkdirSync(bin, { recursive: true });
  const own = `#!/bin/sh\nexec '${process.execPath}' -- '${COMMAND}' "$@"\n`;
  const npx = `#!/bin/sh\nwhile [ "$1" != legacy-conformance ]; do case $1 in -*) shift;; *) exec '${process.execPath}' "node_modules/.bin/$@";; esac; done\nshift\nexport npm_command=exec\n${own.split('\n')[1]}\n`;
  for (const [name, text] of [
    ['legacy-conformance', own],
    ['npx', npx],
  ] as const)
    writeFileSync(join(bin, name), text, { mode: 0o755 });
  const lines = commands.flatMap((command) => [
    ...(scene.before ?? []).flatMap(([documented, prepared]) => (documented.test(command) ? [prepared] : [])),
    `printf '${SEPARATOR}'`,
    command,
    `printf '${SEPARATOR}%s${SEPARATOR}' $?`,
  ]);
  const shell = spawn('bash', ['-c', ['exec 2>&1', ...lines].join('\n')], {
    cwd: scene.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      HOME: process.env.HOME,
      NO_COLOR: '1',
      ...COMPILED,
      ...scene.env,
      PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    },
  });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(shell, 'close');
  const parts = output.split(SEPARATOR);
  return commands.map((command, index) => ({
    command,
    output: parts[index * 3 + 1] ?? '',
    code: Number(parts[index * 3 + 2] ?? Number.NaN),
  }));
}
