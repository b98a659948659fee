import { isSuccess } from '../../exchange/exchange.ts';
import type { Target } from '../../targets/target.ts';
import { pointersTo } from '../assigned-list.ts';
import type { Conversation } from '../conversation.ts';
import type { SmokeFlow } from '../smoke-steps.ts';
import type { ConfigurationFinding, Reliable } from './finding.ts';

/** `token.presentation`: contradicted if the smoke flow has found another that the service accepts. */
export async function holdPresentation(
  _c: Conversation,
  target: Target,
  _refusals: unknown,
  { requestStyle, steps }: SmokeFlow,
): Promise<Reliable | undefined> {
  const { presentation } = target;
  const acted = steps.some(({ step, status }) => step === 'act' && status === 'done');
  if (presentation === undefined || !acted) return undefined;
  const found = requestStyle.presentation;
  if (JSON.stringify(presentation) === JSON.stringify(found)) return undefined;
  const accepted =
    found.in === 'header' ? `{ "header": "${found.scheme}" }` : `{ "${found.in}": "${found.name}" }`;
  const saw = 'the service refuses an access token as `token.presentation` says';
  const remedy = `set it to ${accepted}, which it accepts, or leave it out`;
  return { target, contradictions: [{ saw, remedy }] };
}

/**
 * Returns how the configuration misreads the list, if the assigned user's id appears at another place and disappears
 * after unassigning; else undefined.
 */
export async function misreadPlace(
  c: Conversation,
  token: string,
): Promise<ConfigurationFinding | undefined> {
  const { projects, users, userIdPointer, readsList } = c.session.target;
  const [project, user] = [projects[0], users[0]];
  if (userIdPointer === undefined && readsList === undefined) return undefined;
  const places = async () => {
    const { response } = await c.resource('list', { operation: 'list', project, token });
    return isSuccess(response) ? pointersTo(response, user) : [];
  };
  const found = await places();
  if (found.length === 0) return undefined;
  const removed = await c.resource('unassign', { operation: 'unassign', project, user, token });
  if (!isSuccess(removed.response)) return undefined;
  const left = await places();
  const [place] = found.filter((one) => !left.includes(one));
  if (place === undefined) return undefined;
  const says =
    userIdPointer === undefined
      ? 'the module of `list.reader` does not read'
      : `\`list.userId\` is \`${userIdPointer}\`, which does not lead to`;
  const saw = `${says} the user who was just assigned; the id stood at \`${place}\` until the user was unassigned`;
  return { saw, remedy: 'correct it' };
}
