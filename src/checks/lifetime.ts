/** Lifetime of an access token in seconds (clauses 2.1 and 8). */
export const LIFETIME = 7200;

/** Seconds before and after a deadline within which nothing is judged: clocks differ, and requests take time. */
export const SLACK = 10;
