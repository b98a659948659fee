/** The rules that make results of facts: each row is a run, and what becomes of two requirements. */
import { expect, test } from '@playwright/test';
import type { ExchangeFinding, Fact } from '../../src/report/facts.ts';
import { PAST_RULES, POLICY_RULES } from '../../src/report/policy.ts';
import type { RequirementResult } from '../../src/report/results.ts';
import { FACT_RULES, type FactContext, resultsOf } from '../../src/report/results-of.ts';
import { aResult } from '../support/results-builder.ts';

const ASSIGN = 'assign.adds-user';
const UNASSIGN = 'unassign.removes-user';

const failure = { result: 'fail', reason: 'expected a; got b', signature: 'expected a; got b' } as const;

function ended(
  requirement: string,
  kind: RequirementResult['result'],
  parts: Partial<RequirementResult> = {},
): Fact {
  return { kind: 'check-ended', requirement, result: aResult(requirement, kind, parts) };
}

function inExchanges(id: ExchangeFinding['id'], uncertain = false): Fact {
  const finding: ExchangeFinding = {
    id,
    kind: 'listed',
    expected: 'a',
    got: 'b',
    during: undefined,
    uncertain,
    exchanges: [],
  };
  return { kind: 'in-exchanges', examples: new Map([[id, 4]]), findings: [finding] };
}

const elsewhere: Fact = {
  kind: 'seen-broken',
  requirement: UNASSIGN,
  failure,
  where: 'cleaning up',
  evidence: [],
};
const left = (listed: boolean): Fact => ({
  kind: 'left-assigned',
  message: 'user 5 is still assigned',
  explainedBy: [UNASSIGN],
  listed,
  evidence: [],
});
const explored: Fact = {
  kind: 'explored',
  requirement: UNASSIGN,
  failure,
  sentence: 'expected a; got b',
  exchanges: [],
};

/** The results of assign, of unassign and of the run: `broken` or `inconclusive` with a trouble, else the users who are left. */
const ROWS: readonly (readonly [
  what: string,
  facts: readonly Fact[],
  assign: string,
  unassign: string,
  run?: string,
])[] = [
  ['a check that has not ended', [ended(ASSIGN, 'pass')], 'pass', 'not-run'],
  [
    'an attempt that met a busy service',
    [
      ended(ASSIGN, 'pass'),
      { kind: 'busy', requirement: ASSIGN, answers: 'list: status 503', unreachable: false, refusing: false },
    ],
    'pass',
    'not-run',
  ],
  [
    'a setting that the service contradicts',
    [
      ended(ASSIGN, 'pass'),
      ended(UNASSIGN, 'pass'),
      { kind: 'trouble', trouble: { kind: 'inconclusive', message: 'configuration: it is wrong' } },
      { kind: 'doubted', requirement: UNASSIGN, why: 'configuration: it is wrong' },
    ],
    'pass',
    'not-run',
    'inconclusive',
  ],
  [
    'what an outage explains',
    [
      ended(ASSIGN, 'fail'),
      { kind: 'doubted', requirement: ASSIGN, why: 'the service is gone' },
      ended(UNASSIGN, 'pass'),
    ],
    'not-run',
    'pass',
  ],
  [
    'seen broken elsewhere, its own check passed',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'pass'), elsewhere],
    'pass',
    'fail',
  ],
  [
    'seen broken elsewhere, and failed',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'warning'), elsewhere],
    'pass',
    'warning',
  ],
  [
    'blocked by what was seen broken',
    [
      ended(ASSIGN, 'blocked', { blockedBy: UNASSIGN }),
      ended(UNASSIGN, 'pass'),
      { ...elsewhere, behind: ASSIGN } as Fact,
    ],
    'blocked',
    'fail',
  ],
  [
    'an exchange shows it',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'pass'), inExchanges(UNASSIGN)],
    'pass',
    'fail',
  ],
  [
    'an exchange shows it, a failure of its family explains it',
    [ended(ASSIGN, 'fail'), ended(UNASSIGN, 'pass'), inExchanges(UNASSIGN)],
    'fail',
    'pass',
  ],
  [
    'an exchange shows it, which others may have done',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'pass'), inExchanges(UNASSIGN, true)],
    'pass',
    'pass',
  ],
  [
    'blocked by a request that was not sent',
    [
      ended(ASSIGN, 'blocked', {
        blockedBy: UNASSIGN,
        reason: 'could not assign a user: not sent: no further user',
      }),
      ended(UNASSIGN, 'pass'),
    ],
    'not-run',
    'pass',
  ],
  [
    'a check is blocked by itself, and another one behind it',
    [ended(ASSIGN, 'blocked', { blockedBy: ASSIGN }), ended(UNASSIGN, 'blocked', { blockedBy: ASSIGN })],
    'not-run',
    'blocked',
  ],
  ['exploring shows it', [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'pass'), explored], 'pass', 'fail'],
  [
    'exploring shows it, a failure of its family explains it',
    [ended(ASSIGN, 'fail'), ended(UNASSIGN, 'pass'), explored],
    'fail',
    'pass',
  ],
  [
    'users stay assigned, and a failure explains it',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'fail'), left(true)],
    'pass',
    'fail',
    'left',
  ],
  [
    'users stay assigned, and what an exchange shows explains it',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'blocked'), inExchanges(UNASSIGN), left(true)],
    'pass',
    'fail',
    'left',
  ],
  [
    'users stay assigned, and nothing explains it',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'pass'), left(true)],
    'pass',
    'fail',
    'left',
  ],
  [
    'nobody knows whether users stay assigned',
    [ended(ASSIGN, 'pass'), ended(UNASSIGN, 'pass'), left(false)],
    'pass',
    'pass',
    'inconclusive',
  ],
  [
    'a check is blocked at the step of a requirement that passed',
    [ended(ASSIGN, 'blocked', { blockedBy: UNASSIGN, reason: 'status 403' }), ended(UNASSIGN, 'pass')],
    'not-run',
    'pass',
    undefined,
  ],
];

const DESCRIBING: FactContext = {
  levelOf: () => 'documented',
  evidenceOf: () => [],
  redact: (text) => text,
  isLive: true,
};

for (const [what, facts, assign, unassign, run] of ROWS) {
  test(what, () => {
    const requirements = [ASSIGN, UNASSIGN].map((id) => aResult(id, 'not-run', { reason: 'not started' }));
    const { troubles, leftBehind, ...made } = resultsOf(requirements, [], facts, DESCRIBING);
    expect(made.requirements.map(({ result }) => result)).toEqual([assign, unassign]);
    const [trouble] = troubles.map(({ kind }) => kind);
    expect(trouble ?? (leftBehind.length > 0 ? 'left' : undefined)).toBe(run);
  });
}

test('a result that is doubted keeps the reason of its failure', () => {
  const facts: Fact[] = [
    ended(ASSIGN, 'fail', { reason: 'got b' }),
    { kind: 'doubted', requirement: ASSIGN, why: 'the service is gone' },
  ];
  const { requirements } = resultsOf([aResult(ASSIGN, 'not-run')], [], facts, DESCRIBING);
  expect(requirements[0]?.reason).toBe('the service is gone: got b');
});

test('a failure in exchanges has the explored sequence with the same difference; one with another stands beside it', () => {
  const steps = { ...failure, reason: 'expected a; got b\n1. assign' };
  for (const [signature, reason, alsoSeen] of [
    ['expected a; got b', /\n1\. assign$/, undefined],
    ['expected a; got c', / in 1 of 4 examples of this run/, ['exploring: expected a; got b']],
  ] as const) {
    const facts = [
      ended(UNASSIGN, 'pass'),
      inExchanges(UNASSIGN),
      { ...explored, failure: { ...steps, signature } },
    ];
    const made = resultsOf([aResult(UNASSIGN, 'not-run')], [], facts as Fact[], DESCRIBING);
    const [result] = made.requirements;
    expect(result?.reason).toMatch(reason);
    expect(result?.alsoSeen).toEqual(alsoSeen);
    expect([...made.explored]).toEqual(alsoSeen === undefined ? [UNASSIGN] : []);
  }
});

test('a failure about lists says that only the pipeline keeps runs apart, if there is no lock', () => {
  const facts: Fact[] = [ended(ASSIGN, 'fail', { reason: 'got b' }), { kind: 'unlocked' }];
  const { requirements } = resultsOf([aResult(ASSIGN, 'not-run')], [], facts, DESCRIBING);
  expect(requirements[0]?.reason).toMatch(/^got b\n`lock` is false: /);
});

test('a service that stopped answering is the one reason of what got no answer, and of nothing else', () => {
  const facts: Fact[] = [
    ended(ASSIGN, 'not-run', { reason: 'list: closes connections', cause: 'unreachable' }),
    {
      kind: 'busy',
      requirement: ASSIGN,
      answers: 'list: closes connections',
      unreachable: true,
      refusing: false,
    },
    { kind: 'busy', requirement: ASSIGN, answers: 'list: status 503', unreachable: false, refusing: false },
    ended(UNASSIGN, 'not-run', { reason: 'the browser does not answer' }),
    { kind: 'trouble', trouble: { kind: 'inconclusive', cause: 'exploring-ended', message: 'early' } },
    { kind: 'trouble', trouble: { kind: 'inconclusive', message: 'the lock is held' } },
    { kind: 'service-gone', message: 'the service is gone' },
  ];
  const own = [aResult(ASSIGN, 'not-run'), aResult(UNASSIGN, 'not-run')];
  const { requirements, troubles } = resultsOf(own, [], facts, DESCRIBING);
  expect(requirements.map(({ reason, earlierAttempts }) => [reason, earlierAttempts])).toEqual([
    ['the service is gone', ['the service was in trouble: list: status 503']],
    ['the browser does not answer', undefined],
  ]);
  expect(troubles.map(({ message }) => message)).toEqual(['the service is gone', 'the lock is held']);
});

test('each rule is one sentence', () => {
  for (const { says } of [...FACT_RULES, ...POLICY_RULES, ...PAST_RULES])
    expect(says).toMatch(/^[A-Z][^.]*\.$/);
});

test('exploration, a busy service and requirements that were not selected, in one evaluation', () => {
  const facts: Fact[] = [
    ended(ASSIGN, 'pass'),
    { kind: 'busy', requirement: ASSIGN, answers: 'list: status 503', unreachable: false, refusing: false },
    explored,
  ];
  const others = [aResult(UNASSIGN, 'pass')];
  const draft = resultsOf([aResult(ASSIGN, 'not-run')], others, facts, DESCRIBING);
  expect(draft.requirements[0]?.earlierAttempts).toEqual(['the service was in trouble: list: status 503']);
  expect(draft.others[0]?.result).toBe('fail');
  expect([...draft.explored]).toEqual([UNASSIGN]);
});
