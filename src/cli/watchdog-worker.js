// A thread of its own, so that it goes on while the main thread is blocked. Plain JavaScript: it starts in half the time.
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';

/** Milliseconds that the main thread has for ending the process by itself, with an exit code. */
const LAST_MS = 2_000;

const { turns, seconds } = workerData;
let seen = -1;
let still = 0;

// It counts ticks, not time: while a machine sleeps, both threads stop.
const ticking = setInterval(() => {
  const now = Atomics.load(turns, 0);
  still = now === seen ? still + 1 : 0;
  seen = now;
  if (still >= seconds) end();
}, 1_000);

function end() {
  clearInterval(ticking);
  writeSync(
    2,
    `The process did nothing else for ${seconds} s: an endless loop, in a module of the user or in the suite.\n`,
  );
  const session = new Session();
  session.connectToMainThread();
  // Closing standard error hides the debugger's own messages.
  const expression = "process.getBuiltinModule('node:fs').closeSync(2); process.reallyExit(4)";
  session.post('Runtime.evaluate', { expression });
  // Code that no debugger can interrupt leaves no way to set an exit code.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_MS);
}
