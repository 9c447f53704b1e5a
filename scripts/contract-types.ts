// Writes the contract's schemas as TypeScript types for the client: `npm run docs`.
//
// Each component of the OpenAPI document becomes an exported type of the same name.

import type { OpenApiDocument } from '../src/http/openapi/document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The content of the generated file. */
export function contractTypes(document: OpenApiDocument): string {
  const types = Object.entries(document.components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')};\n`);
  return `// The schemas of the contract, written by \`npm run docs\`. Do not edit.\n\n${types.join('\n')}`;
}

function typeOf(schema: Schema, indent: string): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  // `anyOf` beside properties only states which of them are required.
  if (options && !schema.properties) return [...new Set(options.map((one) => typeOf(one, indent)))].join(' | ');
  if (Array.isArray(schema.allOf)) return schema.allOf.map((one) => `(${typeOf(one as Schema, indent)})`).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayOf(schema, indent);
    case 'object':
      return objectOf(schema, indent);
    default:
      return 'unknown';
  }
}

/** A list, or a tuple if the contract fixes the number of items. */
function arrayOf({ items, minItems, maxItems }: Schema, indent: string): string {
  const item = items === undefined ? 'unknown' : typeOf(items as Schema, indent);
  const count = minItems !== undefined && minItems === maxItems ? Number(minItems) : 0;
  if (count > 0 && count <= 4) return `readonly [${new Array(count).fill(item).join(', ')}]`;
  return /[|{]|^readonly/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const entries = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = (required as readonly string[]).includes(name) ? '' : '?';
    return `${comment(schema, inner)}${inner}readonly ${key}${mark}: ${typeOf(schema, inner)};\n`;
  });
  const values = additionalProperties as Schema | boolean | undefined;
  if (entries.length === 0) {
    return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values, indent) : 'unknown'}>>`;
  }
  return `{\n${entries.join('')}${indent}}`;
}

function comment({ description }: Schema, indent: string): string {
  return typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : '';
}
