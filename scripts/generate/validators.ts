/**
 * `generated/validators.js`, its declarations, and the parts of Ajv that it needs: one compiled function per schema. Building Ajv
 * at start costs about 120 ms, loading the compiled functions under 10; Ajv installed takes 1.6 MB.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import formatsModule from 'ajv-formats';
import { asRecord, pascalCase, type SchemaFile, type SchemaObject } from './spec-files.ts';

/** Both are CommonJS modules; Node provides their function as `default` of the default. */
const addFormats = formatsModule.default;
const standaloneCode = standaloneModule.default;

/** Keywords of OpenAPI, and of this project, without effect on validity. */
const annotations = ['paths', 'components', 'example', 'externalDocs', 'x-clause'];

/** Address of the specification's schemas in Ajv. */
const openApiId = 'openapi.yaml';

/** Modules that the compiled functions require, with the file and the package of the licence. */
const RUNTIME = {
  'ajv/dist/runtime/ucs2length': { file: 'ajv/dist/runtime/ucs2length.js', licence: 'ajv' },
  // Ajv's own file only requires this one.
  'ajv/dist/runtime/equal': { file: 'fast-deep-equal/index.js', licence: 'fast-deep-equal' },
  'ajv-formats/dist/formats': { file: 'ajv-formats/dist/formats.js', licence: 'ajv-formats' },
} as const;

/** The files, by name. */
export interface ValidatorFiles {
  readonly javascript: string;
  readonly declarations: string;
  /** Text of each part of Ajv, by the file's name beside `validators.js`. */
  readonly runtime: ReadonlyMap<string, string>;
}

/**
 * Compiles every schema of the specification's components and of `spec/*.schema.json`.
 *
 * @throws Error naming the schema that Ajv refuses, and the reason
 */
export function generateValidators(
  openApi: SchemaObject | undefined,
  files: readonly SchemaFile[],
): ValidatorFiles {
  const { types, ...generated } = compiled(openApi, files);
  return { ...generated, declarations: declarationsOf(types) };
}

/** Compiles schemas that only the development validates by. Their declarations and runtime are those of `validators.js`. */
export function generateDevelopmentValidators(files: readonly SchemaFile[]): Omit<ValidatorFiles, 'runtime'> {
  const { javascript, types } = compiled(undefined, files);
  const declared = `import type * as schemas from './schemas.d.ts';
import type { Validator } from './validators.d.ts';

${constantsOf(types)}`;
  return { javascript, declarations: declared };
}

function compiled(openApi: SchemaObject | undefined, files: readonly SchemaFile[]) {
  const ajv = compiler();
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
  const { code, modules } = importsForRequires(standaloneCode(ajv, references));
  return {
    javascript: code,
    types,
    runtime: new Map(modules.map((module) => [runtimeName(module), runtimePart(module)])),
  };
}

/**
 * Compiles the request bodies of the control port: `validateArmFault` for the operation `armFault`. Separate, because every
 * emulator loads them.
 */
export function generateControlValidators(
  control: SchemaObject,
  files: readonly SchemaFile[],
): Omit<ValidatorFiles, 'runtime'> {
  const ajv = compiler();
  for (const { name, file, schema } of files) if (name === 'seed') ajv.addSchema(schema, file);
  ajv.addSchema({ $id: CONTROL_ID, paths: control.paths, components: control.components });
  const references: Record<string, string> = {};
  const types: Record<string, string> = {};
  for (const [path, operations] of Object.entries(asRecord(control.paths, `${CONTROL_ID}: paths`))) {
    for (const [method, operation] of Object.entries(asRecord(operations, path))) {
      const { operationId, requestBody } = asRecord(operation, path);
      if (requestBody === undefined) continue;
      const name = `validate${pascalCase(String(operationId))}`;
      const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
      references[name] = `${CONTROL_ID}#/${pointer.map((part) => part.replaceAll('/', '~1')).join('/')}`;
      types[name] =
        operationId === 'replaceSeed'
          ? 'Seed'
          : `NonNullable<operations['${operationId}']['requestBody']>['content']['application/json']`;
    }
  }
  const { code } = importsForRequires(standaloneCode(ajv, references));
  const declared = `import type { operations } from './control.d.ts';
import type { Seed } from './schemas.d.ts';
import type { Validator } from './validators.d.ts';

${constantsOf(types)}`;
  return { javascript: code, declarations: declared };
}

const CONTROL_ID = 'control.openapi.yaml';

function compiler(): Ajv2020 {
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
  return ajv;
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

/** Names the schema in errors. */
function naming(schema: string, step: () => unknown): void {
  try {
    step();
  } catch (error) {
    throw new Error(`spec/${schema}: expected a JSON Schema 2020-12: ${(error as Error).message}`);
  }
}

/** Ajv leaves `require(…)` in its ES modules; each becomes an import of a generated file. */
function importsForRequires(text: string): { readonly code: string; readonly modules: readonly string[] } {
  const modules: string[] = [];
  const body = text.replace(/require\("([^"]+)"\)/g, (_call, module: string) => {
    if (!modules.includes(module)) modules.push(module);
    return `module${modules.indexOf(module)}`;
  });
  const imports = modules.map((module, index) => `import module${index} from './${runtimeName(module)}';\n`);
  return { code: imports.join('') + body.replace(/^"use strict";\n?/, '').replace(/\s*$/, '\n'), modules };
}

/** `ajv/dist/runtime/equal` is in `ajv-equal.cjs`. */
function runtimeName(module: string): string {
  return `ajv-${module.slice(module.lastIndexOf('/') + 1)}.cjs`;
}

/**
 * Returns a module of Ajv as a file that requires nothing.
 *
 * @throws Error for an unknown module: a schema has begun to use a keyword or format that needs it
 */
function runtimePart(module: string): string {
  const part = RUNTIME[module as keyof typeof RUNTIME];
  if (part === undefined)
    throw new Error(`a schema needs ${module} of Ajv: add it to scripts/generate/validators.ts`);
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(`${part.licence}/package.json`));
  const licence = readFileSync(join(folder, 'LICENSE'), 'utf8').trim();
  const code = readFileSync(require.resolve(part.file), 'utf8')
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
    // Ajv needs this location only to compile at run time.
    .replace(/^\w+\.code = .*\n/m, '');
  if (code.includes('require(')) throw new Error(`${part.file} requires another module`);
  const asDefault = module === 'ajv/dist/runtime/equal' ? 'module.exports.default = module.exports;\n' : '';
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `/* ${part.licence} ${version}\n\n${licence}\n*/\n${code.trim()}\n${asDefault}`;
}

function constantsOf(types: Readonly<Record<string, string>>): string {
  return Object.keys(types)
    .sort()
    .map((name) => `export declare const ${name}: Validator<${types[name]}>;\n`)
    .join('');
}

function declarationsOf(types: Readonly<Record<string, string>>): string {
  return `import type { components } from './openapi.d.ts';
import type * as schemas from './schemas.d.ts';

/** Says whether a value fits its schema. After \`false\`, \`errors\` says why, until the next call. */
export interface Validator<T> {
  (data: unknown): data is T;
  errors?: null | ValidationError[];
}

/** One thing that does not fit. \`data\` is the value, \`parentSchema\` the schema it was held against. */
export interface ValidationError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, any>>;
  readonly propertyName?: string;
  readonly message?: string;
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, any>>;
  readonly data?: unknown;
}

${constantsOf(types)}`;
}
