const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DELIMITERS = /[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;

/**
 * Parses `Expires` as RFC 6265 section 5.1.1: parts in any order, always UTC.
 *
 * @returns milliseconds since 1970; undefined for an invalid date
 */
export function cookieDate(text: string): number | undefined {
  let time: readonly number[] | undefined;
  let [day, month, year]: (number | undefined)[] = [];
  for (const word of text.split(DELIMITERS)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(word);
    const named = MONTHS.indexOf(word.slice(0, 3).toLowerCase());
    if (time === undefined && clock) time = clock.slice(1).map(Number);
    else if (day === undefined && /^\d{1,2}(?:\D|$)/.test(word)) day = Number.parseInt(word, 10);
    else if (month === undefined && named >= 0) month = named;
    else if (year === undefined && /^\d{2,4}(?:\D|$)/.test(word)) year = fullYear(Number.parseInt(word, 10));
  }
  if (time === undefined || day === undefined || month === undefined || year === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time;
  if (day < 1 || day > 31 || year < 1601 || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(Date.UTC(year, month, day, hours, minutes, seconds));
  return date.getUTCDate() === day ? date.getTime() : undefined;
}

function fullYear(year: number): number {
  if (year >= 100) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
