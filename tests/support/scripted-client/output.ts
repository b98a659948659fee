/** Returns standard output and standard error of `work`, and shows neither. */
export async function withOutput(work: () => Promise<void>): Promise<string> {
  const written: string[] = [];
  const streams = [process.stdout, process.stderr] as const;
  const originals = streams.map((stream) => stream.write);
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array) => {
      written.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      return true;
    };
  }
  try {
    await work();
  } finally {
    streams.forEach((stream, index) => {
      const original = originals[index];
      if (original !== undefined) stream.write = original;
    });
  }
  return written.join('');
}
