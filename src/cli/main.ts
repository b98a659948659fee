import { end, watchOverTheEnd } from './ending.ts';
import { verbs } from './program.ts';
import { runProgram } from './run-program.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';

watchOverTheEnd();

const QUICK = new Set(['compare', 'coverage', 'defects', 'emulate', 'explain', 'init']);

const args = process.argv.slice(2);
const prepare = () => {
  const [verb = ''] = args;
  if (QUICK.has(verb) || !verbs().some((one) => one.name() === verb)) return;
  takeTemporaryFolder();
};
await end(await runProgram(args, prepare));
