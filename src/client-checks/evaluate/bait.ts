/** Values that a situation puts before a client, and that a rule looks for. */

/** The path that a token request is redirected to. */
export const REDIRECTED_TO = '/moved-token-endpoint';

/** The path that a list is redirected to. */
export const LIST_REDIRECTED_TO = '/moved-list';

/** A page that shows it as it came would run its script. */
export const MARKUP = '<img src=x onerror=alert(1)>';
