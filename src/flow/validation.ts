import { validateTokenResponse } from '../../generated/validators.js';
import {
  isSuccess,
  jsonOf,
  type Validation,
  type WireRequest,
  type WireResponse,
} from '../exchange/exchange.ts';

interface SchemaError {
  readonly instancePath: string;
  readonly message?: string;
}

/**
 * Validates an answer against its schema. Only successful answers of the token endpoint have one (clause 2.1): the document
 * leaves everything else open.
 *
 * @returns undefined for answers without a schema
 */
export function validateAnswer(request: WireRequest, response: WireResponse): Validation | undefined {
  if (!new URL(request.url).pathname.endsWith('/oauth/token') || !isSuccess(response)) return undefined;
  const valid = validateTokenResponse(jsonOf(response)) as boolean;
  const errors = (validateTokenResponse.errors ?? []) as readonly SchemaError[];
  return {
    schema: 'TokenResponse',
    valid,
    errors: valid ? [] : errors.map((e) => `${e.instancePath || '/'} ${e.message ?? 'is wrong'}`),
  };
}
