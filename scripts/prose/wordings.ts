/** A wording that a reader stumbles over, and the plain one. */
export interface Wording {
  readonly avoid: RegExp;
  readonly write: string;
}

/** Checked in every sentence outside code, whatever its case. */
export const WORDINGS: readonly Wording[] = [
  { avoid: /\bkeeps? the word\b/i, write: 'behave as documented' },
  { avoid: /\bmend(?:s|ed|ing)?\b/i, write: 'fix' },
  { avoid: /\bcome again\b|\banew\b/i, write: 'retry, rerun, again' },
  { avoid: /\bground\b/i, write: 'prerequisite' },
  { avoid: /\brungs?\b/i, write: 'step' },
  { avoid: /\bdepartures?\b/i, write: 'workaround' },
  { avoid: /\bstand-?in\b/i, write: 'test double, independent service' },
  { avoid: /\bsightings?\b/i, write: 'observation' },
  { avoid: /\b(?:is|are|was|were) told\b/i, write: 'configured, recorded' },
  { avoid: /\b(?:heard|spoke)\b/i, write: 'got an answer, sent' },
  { avoid: /\blab\b|\bsurroundings\b/i, write: 'context' },
  { avoid: /\bput(?:s|ting)? back\b/i, write: 'clean up' },
  { avoid: /\bbase walk\b/i, write: 'smoke flow' },
  { avoid: /\bjudge[sd]?\b/i, write: 'check, evaluate' },
  { avoid: /\bnothing can be said\b/i, write: 'could not be evaluated' },
  { avoid: /\b(?:came?|comes) (?:of|to) (?:it|this)\b|\bcame of\b/i, write: 'result' },
  { avoid: /\bheld against\b/i, write: 'compared with, validated against' },
  { avoid: /\ball the same\b/i, write: 'still' },
  { avoid: /\b(?:has|had|have) its say\b/i, write: 'who did what' },
  {
    avoid: /\b(?:nobody|somebody|anybody|whoever)\b/i,
    write: 'the actor: the owner, the reader, another client',
  },
  { avoid: /, came\b/, write: 'got' },
  { avoid: /\bwaits longer than\b/i, write: 'exceeds the limit of' },
];
