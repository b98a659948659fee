/** `generated/openapi.d.ts`: the types of `spec/openapi.yaml`, for the typed client and the token response. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTs, { astToString } from 'openapi-typescript';
import { specFolder } from './spec-files.ts';

/** The text of `generated/openapi.d.ts`; declares nothing where there is no specification yet. */
export async function generateOpenApiTypes(): Promise<string> {
  const path = join(specFolder, 'openapi.yaml');
  if (!existsSync(path)) return 'export interface components { schemas: Record<never, never> }\n';
  const nodes = await openapiTs(pathToFileURL(path), {
    alphabetize: true,
    emptyObjectsUnknown: true,
    immutable: true,
    silent: true,
  });
  return astToString(nodes);
}
