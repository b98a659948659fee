/**
 * Shared by every server of the bench: prints one line of JSON when it listens, and answers questions over the channel of the
 * process that started it. Plain JavaScript, so that no candidate pays for stripping types at a cold start.
 *
 * @param line addresses and credentials, see `ReadyLine` in ../server-process.ts
 * @param answers functions for more questions, by the question's name
 */
export function ready(line, answers = {}) {
  const all = { usage, ...answers };
  process.on('message', async ({ question, argument }) => {
    try {
      process.send({ answer: await all[question](argument) });
    } catch (error) {
      process.send({ error: String(error?.stack ?? error) });
    }
  });
  process.once('disconnect', () => process.exit());
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** CPU time of all threads so far, in microseconds; resident memory now and at most, in bytes. */
function usage() {
  const { user, system } = process.cpuUsage();
  return {
    cpuMicroseconds: user + system,
    rssBytes: process.memoryUsage.rss(),
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
