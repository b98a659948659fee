import { takeTemporaryFolder } from '../commands/shared/temporary-folder.ts';
import { exitWith, installExitHandlers } from './ending.ts';
import { runProgram } from './program.ts';

installExitHandlers();

const QUICK = new Set(['compare', 'emulate', 'explain', 'init']);

const args = process.argv.slice(2);
const prepare = (verb: string) => {
  if (!QUICK.has(verb)) takeTemporaryFolder();
};
await exitWith(await runProgram(args, prepare));
