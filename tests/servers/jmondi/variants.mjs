// The settings, which server.yaml describes. $VARIANT names one.

const NAMES = ['conforming', 'as-is', 'pkce-required'];

const name = process.env.VARIANT || 'conforming';
if (!NAMES.includes(name)) {
  console.error(`unknown VARIANT "${name}"; known: ${NAMES.join(' ')}`);
  process.exit(1);
}

/** Tells that the host runs in one of these settings. */
export const is = (...names) => names.includes(name);
