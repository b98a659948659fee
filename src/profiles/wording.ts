/** Longer texts are pages or dumps and no wording. Characters. */
const LONGEST = 300;

/**
 * Whether a text may be kept as what people are told: short, and nothing in it that looks like somebody's address or a value of the
 * request, nothing that no reader sees, and nothing that a build server takes for a command.
 */
export function isWording(text: string | undefined): text is string {
  return (
    text !== undefined &&
    text !== '' &&
    text.length <= LONGEST &&
    !/\S@\S|never-issued-|\d{5,}|[\p{C}\p{Zl}\p{Zp}]|##\w*\[|^\s*::/mu.test(text)
  );
}
