// Writes JSON Schemas as TypeScript types: the contract's for the client, by `npm run docs`, and a template's for the
// package (package-types.ts).
//
// Each named schema becomes an exported type of the same name. An object that has all properties of such a type is
// written as an extension of it, so that what schemas share is written once.

import type { OpenApiDocument } from '../src/server/http/openapi/document.ts';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

/** Fewer properties are shared by chance. */
const MIN_SHARED = 4;

/** The content of the generated file. */
export function contractTypes({ components }: OpenApiDocument): string {
  const types = new SchemaTypes(components.schemas, { interfaces: false }).text();
  return `// The schemas of the contract, written by \`npm run docs\`. Do not edit.\n\n${types}`;
}

/**
 * The schemas, which refer to each other by `#/…/Name`, as interfaces, which compilers name in messages instead of
 * listing their properties. A property that may be left out may be undefined too.
 */
export function schemaInterfaces(schemas: Schemas): string {
  return new SchemaTypes(schemas, { interfaces: true }).text();
}

class SchemaTypes {
  readonly #interfaces: boolean;
  readonly #schemas: Schemas;
  /** Types that others may extend, those with most properties first. */
  readonly #bases: readonly { readonly name: string; readonly properties: ReadonlyMap<string, string> }[];

  constructor(schemas: Schemas, { interfaces }: { readonly interfaces: boolean }) {
    this.#interfaces = interfaces;
    this.#schemas = { ...schemas, LayerProperties: layerProperties(schemas) };
    this.#bases = Object.entries(this.#schemas)
      .filter(([, { type }]) => type === 'object')
      .map(([name, schema]) => ({ name, properties: described(schema) }))
      .filter(({ properties }) => properties.size >= MIN_SHARED)
      .sort((a, b) => b.properties.size - a.properties.size || (a.name < b.name ? -1 : 1));
  }

  text(): string {
    const types = Object.entries(this.#schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => `${comment(schema, '')}export ${this.#declared(name, schema)}\n`);
    return types.join('\n');
  }

  #declared(name: string, schema: Schema): string {
    const type = this.#typeOf(schema, '', name);
    const isObject = schema.type === 'object' && schema.properties !== undefined;
    const [, base, own] = (this.#interfaces && isObject && /^(?:(\w+) & )?(\{.*\})$/s.exec(type)) || [];
    if (own) return `interface ${name} ${base ? `extends ${base} ` : ''}${own}`;
    return `type ${name} = ${type};`;
  }

  /** @param own the name of the type if it is a component */
  #typeOf(schema: Schema, indent: string, own: string | null = null): string {
    if (typeof schema.$ref === 'string') return nameIn(schema.$ref);
    if ('const' in schema) return JSON.stringify(schema.const);
    if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
    const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
    // `anyOf` beside properties only states which of them are required.
    if (options && !schema.properties) return [...new Set(options.map((one) => this.#typeOf(one, indent)))].join(' | ');
    if (Array.isArray(schema.allOf)) return schema.allOf.map((one) => `(${this.#typeOf(one, indent)})`).join(' & ');
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => this.#typeOf({ ...schema, type }, indent)).join(' | ');
    }
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
        return this.#arrayOf(schema, indent);
      case 'object':
        return this.#objectOf(schema, indent, own);
      default:
        return 'unknown';
    }
  }

  /** A list, or a tuple if the contract fixes the number of items. */
  #arrayOf({ items, prefixItems, minItems, maxItems }: Schema, indent: string): string {
    if (Array.isArray(prefixItems)) {
      return `readonly [${prefixItems.map((each) => this.#typeOf(each, indent)).join(', ')}]`;
    }
    const item = items === undefined ? 'unknown' : this.#typeOf(items as Schema, indent);
    const count = minItems !== undefined && minItems === maxItems ? Number(minItems) : 0;
    if (count > 0 && count <= 4) return `readonly [${new Array(count).fill(item).join(', ')}]`;
    return /[|{]|^readonly/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
  }

  #objectOf(schema: Schema, indent: string, own: string | null): string {
    const { properties = {}, required = [], additionalProperties } = schema;
    const base = this.#baseOf(schema, own);
    const inner = `${indent}  `;
    const entries = Object.entries(properties as Schemas)
      .filter(([name]) => !base?.properties.has(name))
      .map(([name, each]) => {
        const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
        const mark = (required as readonly string[]).includes(name) ? '' : '?';
        const or = mark && this.#interfaces ? ' | undefined' : '';
        return `${comment(each, inner)}${inner}readonly ${key}${mark}: ${this.#typeOf(each, inner)}${or};\n`;
      });
    const literal = `{\n${entries.join('')}${indent}}`;
    if (base) return entries.length === 0 ? base.name : `${base.name} & ${literal}`;
    if (entries.length > 0) return literal;
    const values = additionalProperties as Schema | boolean | undefined;
    return `Readonly<Record<string, ${typeof values === 'object' ? this.#typeOf(values, indent) : 'unknown'}>>`;
  }

  /** The largest type whose properties the object has all; a component needs one more than that type. */
  #baseOf(schema: Schema, own: string | null) {
    const all = described(schema);
    return this.#bases.find(
      ({ name, properties }) =>
        name !== own &&
        properties.size <= (own === null ? all.size : all.size - 1) &&
        [...properties].every(([key, property]) => all.get(key) === property),
    );
  }
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** An object's properties, each as the text of its schema and whether it is required. */
function described({ properties = {}, required = [] }: Schema): ReadonlyMap<string, string> {
  const isRequired = (name: string) => (required as readonly string[]).includes(name);
  return new Map(
    Object.entries(properties as Schemas).map(([name, each]) => [name, JSON.stringify([each, isRequired(name)])]),
  );
}

/** What all layers have. */
function layerProperties(schemas: Schemas): Schema {
  const { oneOf = [] } = (schemas.Layer ?? {}) as { readonly oneOf?: readonly { readonly $ref: string }[] };
  const [first = {}, ...others] = oneOf.map(({ $ref }) => schemas[nameIn($ref)] ?? {});
  const each = others.map(described);
  const shared = [...described(first)].filter(([name, text]) => each.every((one) => one.get(name) === text));
  const properties = first.properties as Schemas;
  return {
    type: 'object',
    description: 'What all layers have.',
    properties: Object.fromEntries(shared.map(([name]) => [name, properties[name]])),
    required: first.required,
  };
}

function comment({ description }: Schema, indent: string): string {
  return typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : '';
}
