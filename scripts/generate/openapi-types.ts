/** `generated/openapi.d.ts` and `generated/control.d.ts`: the types of the service's and the control port's specification. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTs, { astToString } from 'openapi-typescript';
import { specFolder } from './spec-files.ts';

/** Returns the declarations of a specification in `spec/`; empty if it does not exist. */
export async function generateOpenApiTypes(file: string): Promise<string> {
  const path = join(specFolder, file);
  if (!existsSync(path)) return 'export interface components { schemas: Record<never, never> }\n';
  const nodes = await openapiTs(pathToFileURL(path), {
    alphabetize: true,
    emptyObjectsUnknown: true,
    immutable: true,
    silent: true,
  });
  return astToString(nodes);
}
