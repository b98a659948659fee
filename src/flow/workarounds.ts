import type { RequirementId, StepId } from '../../generated/ids.ts';
import type { RequestStyle } from './request-style.ts';

/** A way in which a service may deviate from the document. It is proven if a refused step succeeds with it. */
export interface Workaround {
  readonly description: string;
  readonly requestStyle: RequestStyle;
  /** False if the document leaves the matter open, so that the workaround breaks nothing. */
  readonly violates: boolean;
  /** The broken requirement, if not the step's owner. */
  readonly owner?: RequirementId;
}

export const NOT_THERE: readonly number[] = [404, 405, 410, 501];

/**
 * Returns the workarounds worth trying for a step, the likeliest first. Each differs from the present request style in one
 * answer.
 *
 * @param status of the refusal
 */
export function workaroundsFor(
  step: StepId,
  requestStyle: RequestStyle,
  status: number | undefined,
): readonly Workaround[] {
  const depart = (
    description: string,
    change: Partial<RequestStyle>,
    violates = true,
    owner?: RequirementId,
  ): Workaround => ({ description, requestStyle: { ...requestStyle, ...change }, violates, owner });
  const oneScope = depart(
    'with a token of one scope alone',
    { oneScopePerOperation: true },
    true,
    'scope.granted-scopes-act',
  );
  if (step === 'authorize') {
    return [
      depart('with a `state` parameter', { sendState: true }),
      depart('with `%20` in place of the plus sign', { scopeSeparator: '%20' }),
      depart('with one scope alone', { oneScopeOnly: true }),
    ];
  }
  if (step === 'assign' || step === 'unassign') {
    if (status === 403) return [oneScope];
    if (status === undefined || !NOT_THERE.includes(status)) return [];
    const unversioned = [...requestStyle.unversioned, step];
    return [depart(`without \`/v2\` in the path of ${step}`, { unversioned }, true, 'version.prefix')];
  }
  if (step === 'exchange' || step === 'refresh') {
    return [
      ...(step === 'refresh' ? [depart('with a `scope` parameter', { scopeAtRefresh: true })] : []),
      depart('with HTTP Basic client authentication', { clientAuthentication: 'basic' }),
      depart('with a JSON body', { tokenBody: 'json' }),
    ];
  }
  if (step === 'act') {
    const { presentation } = requestStyle;
    const others = PRESENTATIONS.filter((p) => JSON.stringify(p) !== JSON.stringify(presentation));
    return [
      ...others.map((p) => depart(`with the token ${inWords(p)}`, { presentation: p }, false)),
      depart('without `/v2` in the path', { versionPrefix: '' }, true, 'version.prefix'),
      ...(status === 403 ? [oneScope] : []),
    ];
  }
  return [];
}

const PRESENTATIONS: readonly RequestStyle['presentation'][] = [
  { in: 'header', scheme: 'Bearer' },
  { in: 'query', name: 'access_token' },
  { in: 'query', name: 'bearer_token' },
  { in: 'header', scheme: 'Token' },
  { in: 'header', scheme: 'OAuth' },
];

function inWords(presentation: RequestStyle['presentation']): string {
  return presentation.in === 'header'
    ? `in \`Authorization: ${presentation.scheme}\``
    : `in the ${presentation.in} parameter \`${presentation.name}\``;
}
