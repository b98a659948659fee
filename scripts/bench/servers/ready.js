/**
 * What every server of the bench does once it listens: prints one line of JSON, and answers questions over the channel
 * to the process that started it, when there is one. Plain JavaScript, like everything here that a cold start loads, so
 * that no candidate pays for stripping types off its own starting script.
 *
 * @param line addresses and credentials, see `ReadyLine` in ../server-process.ts
 * @param answers further questions that this server answers: a function by the question's name
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
