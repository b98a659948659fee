/**
 * `generated/profile.schema.json`: the schema of profiles with the answers of `spec/open-points.yaml`, each with the type of its
 * aspect.
 */
import { join } from 'node:path';
import {
  asList,
  asRecord,
  asString,
  namesIn,
  readYaml,
  type SchemaObject,
  specFolder,
} from './spec-files.ts';

/** The schema of `spec/profile.schema.json` with the ids of profiles, and the type of each answer. */
export function profileSchema(schema: SchemaObject): SchemaObject {
  const properties = asRecord(schema.properties, 'spec/profile.schema.json: properties');
  const answers = asRecord(properties.answers, 'spec/profile.schema.json: answers');
  const definitions = asRecord(schema.$defs, 'spec/profile.schema.json: $defs');
  const types = aspects().map(({ id, question, answer }) => {
    const type = answerType(answer, definitions);
    // A reference with its own description would become a separate type.
    return [id, '$ref' in type ? type : { description: question, ...type }];
  });
  const typed = { ...answers, additionalProperties: false, properties: Object.fromEntries(types) };
  const base = asRecord(properties.base, 'spec/profile.schema.json: base');
  const ids = namesIn(join(specFolder, 'profiles'), '.yaml');
  return { ...schema, properties: { ...properties, base: { ...base, enum: ids }, answers: typed } };
}

/** Every aspect by both names, with its question and the type of its answer. */
function aspects(): readonly { readonly id: string; readonly question: string; readonly answer: string }[] {
  const where = 'spec/open-points.yaml';
  const file = asRecord(readYaml(join(specFolder, 'open-points.yaml')), where);
  return asList(file.openPoints, where).flatMap((entry) => {
    const point = asRecord(entry, where);
    return asList(point.aspects, where).map((each) => {
      const aspect = asRecord(each, where);
      return {
        id: `${asString(point.id, where)}.${asString(aspect.name, where)}`,
        question: asString(aspect.question, where),
        answer: asString(aspect.answer, where),
      };
    });
  });
}

const PLAIN = ['boolean', 'integer', 'null'];

/** `integer | unlimited`: alternatives. A capital marks a definition; a name that is no type stands for itself. */
function answerType(text: string, definitions: SchemaObject): SchemaObject {
  const words = text.split(' | ');
  const types = words.filter((word) => !PLAIN.includes(word)).filter((word) => /^[A-Z]/.test(word));
  const values = words.filter((word) => /^[a-z]/.test(word) && !PLAIN.includes(word));
  const alternatives = [
    ...types.map((word) => reference(word, definitions)),
    ...(values.length === 0 ? [] : [{ type: 'string', enum: values }]),
    ...words.filter((word) => PLAIN.includes(word)).map((type) => ({ type })),
  ];
  const [only, ...others] = alternatives;
  return only !== undefined && others.length === 0 ? only : { anyOf: alternatives };
}

function reference(word: string, definitions: SchemaObject): SchemaObject {
  const name = `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
  if (name in definitions) return { $ref: `#/$defs/${name}` };
  throw new Error(`spec/open-points.yaml: the answer ${word} is no type of spec/profile.schema.json`);
}
