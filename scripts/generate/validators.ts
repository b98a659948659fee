/**
 * `generated/validators.js` and its declarations: one function per schema, compiled beforehand (facts of a run: building
 * Ajv at start costs about 120 ms, loading the compiled functions under 10).
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import formatsModule from 'ajv-formats';
import { asRecord, pascalCase, type SchemaFile, type SchemaObject } from './spec-files.ts';

/** Both are CommonJS modules whose function Node hands out as `default` of the default. */
const addFormats = formatsModule.default;
const standaloneCode = standaloneModule.default;

/** Words of OpenAPI, and of this project, that say nothing about validity. */
const annotations = ['components', 'example', 'externalDocs', 'x-clause'];

/** Address under which the schemas of the specification are known to Ajv. */
const openApiId = 'openapi.yaml';

/** The two files, by name. */
export interface ValidatorFiles {
  readonly javascript: string;
  readonly declarations: string;
}

/**
 * Compiles every schema of the specification's components and of `spec/*.schema.json`.
 * @throws Error naming the schema that Ajv refuses, and why.
 */
export function generateValidators(
  openApi: SchemaObject | undefined,
  files: readonly SchemaFile[],
): ValidatorFiles {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictTuples: false,
    verbose: true,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true },
  });
  addFormats(ajv);
  ajv.addVocabulary(annotations);

  const references: Record<string, string> = {};
  const types: Record<string, string> = {};
  const schemas = openApiSchemas(openApi);
  ajv.addSchema({ $id: openApiId, components: { schemas } });
  for (const name of Object.keys(schemas).sort()) {
    references[`validate${pascalCase(name)}`] = `${openApiId}#/components/schemas/${name}`;
    types[`validate${pascalCase(name)}`] = `components['schemas'][${JSON.stringify(name)}]`;
  }
  for (const { file, schema } of files) naming(file, () => ajv.addSchema(schema, file));
  for (const { name, file, schema } of files) {
    references[`validate${pascalCase(name)}`] = file;
    types[`validate${pascalCase(name)}`] = `schemas.${schemaTypeName(name, schema)}`;
  }

  for (const reference of Object.values(references)) naming(reference, () => ajv.getSchema(reference));
  return {
    javascript: importsForRequires(standaloneCode(ajv, references)),
    declarations: declarationsOf(types),
  };
}

/** Name of the type that `schemas.d.ts` declares for a schema file: its `title`, else its file name. */
export function schemaTypeName(name: string, schema: SchemaObject): string {
  return pascalCase(typeof schema.title === 'string' ? schema.title : name);
}

function openApiSchemas(openApi: SchemaObject | undefined): SchemaObject {
  if (openApi === undefined) return {};
  const components = asRecord(openApi.components, 'spec/openapi.yaml: components');
  return asRecord(components.schemas, 'spec/openapi.yaml: components.schemas');
}

/** Does a step of the compilation; its error names the schema. */
function naming(schema: string, step: () => unknown): void {
  try {
    step();
  } catch (error) {
    throw new Error(`spec/${schema}: expected a JSON Schema 2020-12: ${(error as Error).message}`);
  }
}

/** Ajv leaves `require(…)` in its ES modules; each becomes an import of the same CommonJS file. */
function importsForRequires(code: string): string {
  const modules: string[] = [];
  const body = code.replace(/require\("([^"]+)"\)/g, (_call, module: string) => {
    if (!modules.includes(module)) modules.push(module);
    return `module${modules.indexOf(module)}`;
  });
  const imports = modules.map((module, index) => `import module${index} from '${module}.js';\n`).join('');
  return imports + body.replace(/^"use strict";\n?/, '').replace(/\s*$/, '\n');
}

function declarationsOf(types: Readonly<Record<string, string>>): string {
  const lines = Object.keys(types)
    .sort()
    .map((name) => `export declare const ${name}: Validator<${types[name]}>;\n`);
  return `import type { ErrorObject } from 'ajv';
import type { components } from './openapi.d.ts';
import type * as schemas from './schemas.d.ts';

/** Says whether a value fits its schema. After \`false\`, \`errors\` says why, until the next call. */
export interface Validator<T> {
  (data: unknown): data is T;
  errors?: null | ValidationError[];
}

/** One thing that does not fit. \`data\` is the value, \`parentSchema\` the schema it was held against. */
export type ValidationError = ErrorObject;

${lines.join('')}`;
}
