import { takeTemporaryFolder } from '../commands/temporary-folder.ts';
import { end, watchOverTheEnd } from './verbs/ending.ts';
import { runProgram } from './verbs/program.ts';

watchOverTheEnd();

const QUICK = new Set(['compare', 'emulate', 'explain', 'init']);

const args = process.argv.slice(2);
const prepare = (verb: string) => {
  if (!QUICK.has(verb)) takeTemporaryFolder();
};
await end(await runProgram(args, prepare));
