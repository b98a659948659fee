/** Characters; longer texts are pages or dumps. */
const LONGEST = 300;

/**
 * Returns true for short texts without apparent addresses, values of the request, invisible characters or build server
 * commands.
 */
export function isWording(text: string | undefined): text is string {
  return (
    text !== undefined &&
    text !== '' &&
    text.length <= LONGEST &&
    !/\S@\S|never-issued-|\d{5,}|[\p{C}\p{Zl}\p{Zp}]|##\w*\[|^\s*::/mu.test(text)
  );
}
