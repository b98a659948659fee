/** By which part of the requests that it sent `observe` was off with its forecast, from what it has printed. */
export function offBy(printed: string): number {
  const [, forecast = Number.NaN] = /about (\d+) requests/.exec(printed) ?? [];
  const [, sent = Number.NaN] = /aspects with (\d+) requests/.exec(printed) ?? [];
  return Math.abs(Number(forecast) - Number(sent)) / Number(sent);
}
