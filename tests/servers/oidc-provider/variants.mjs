// The settings, which server.yaml describes. $VARIANT names one.

const NAMES = [
  'conforming',
  'as-is',
  'jwt-access-tokens',
  'grant-per-authorization',
  'code-burned',
  'other-answers',
  'front-server',
  'script-redirect',
];

const name = process.env.VARIANT || 'conforming';
if (!NAMES.includes(name)) {
  console.error(`unknown VARIANT "${name}"; known: ${NAMES.join(' ')}`);
  process.exit(1);
}

/** Tells that the host runs in one of these settings. */
export const is = (...names) => names.includes(name);
