import type { AspectAnswer, AspectId } from '../aspects.ts';
import type { ProfileAnswers } from '../profile.ts';
import type { BodyShape } from '../shape.ts';
import { bodyOfChoice } from './bodies.ts';

/** The methods that are tried at each path: none that is documented, and none that could change anything there. */
export const OTHER_METHODS = {
  authorize: ['OPTIONS', 'PATCH', 'DELETE'],
  token: ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE'],
  'account-area': ['OPTIONS', 'PATCH', 'DELETE'],
  'assigned-users': ['HEAD', 'OPTIONS', 'POST', 'PATCH'],
  'assigned-user': ['GET', 'OPTIONS', 'POST', 'PATCH'],
} as const;

/** A path of the document, by what is there. */
export type MethodPath = keyof typeof OTHER_METHODS;

/** The paths, in the order in which they are looked at. */
export const METHOD_PATHS = Object.keys(OTHER_METHODS) as readonly MethodPath[];

/** Open point 17, as it is seen of a service that answers so. */
export function otherMethodsExpected(
  answers: ProfileAnswers,
): readonly (readonly [AspectId, AspectAnswer])[] {
  return METHOD_PATHS.map((path) => [
    `other-methods.${path}`,
    Object.fromEntries(
      OTHER_METHODS[path].map((method) => [method, otherMethodExpected(path, method, answers)]),
    ),
  ]);
}

/** The answer to one method. An answer to HEAD has no body. */
export function otherMethodExpected(
  path: MethodPath,
  method: string,
  answers: ProfileAnswers,
): {
  readonly status: number;
  readonly allow: boolean;
  readonly contentType: string | null;
  readonly body: BodyShape;
} {
  const { head, options, authorize, token, resource, exceptions } = answers['other-methods'];
  const asGet = method === 'HEAD' && head === 'as-get';
  if (asGet && path === 'assigned-users') {
    const { status, contentType } = answers['operation-answers'].list;
    return { status, allow: false, contentType, body: 'none' };
  }
  const treated = asGet ? 'GET' : method;
  const family = {
    authorize,
    token,
    'account-area': authorize,
    'assigned-users': resource,
    'assigned-user': resource,
  };
  const told = exceptions?.[path]?.[treated] ?? (treated === 'OPTIONS' ? options : family[path]);
  const { body, contentType } = bodyOfChoice(told);
  return { status: told.status, allow: told.allow, contentType, body: method === 'HEAD' ? 'none' : body };
}
