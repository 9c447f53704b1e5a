// Finds the parts of the published JSON Schema that none of the given documents uses.
//
// A part is a property, or one value of an enumeration. A property that several objects share (such as those common to
// every layer) is one part, as the schema refers to one definition for it.

export type JsonSchema = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value : []);

export function uncoveredParts(root: JsonSchema, documents: readonly unknown[]): string[] {
  const walk = new SchemaWalk(root);
  const all = walk.everyPart();
  for (const document of documents) walk.mark(document);
  return [...all].filter((part) => !walk.seen.has(part)).sort();
}

interface Place {
  readonly schema: JsonSchema;
  /** The prefix of its parts' names: the place where this definition was first seen. */
  readonly at: string;
}

class SchemaWalk {
  readonly #root: JsonSchema;
  readonly #places = new Map<JsonSchema, string>();
  readonly #parts = new Map<JsonSchema, Map<string, string>>();
  readonly seen = new Set<string>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Must be called first, as it names the parts. */
  everyPart(): Set<string> {
    const parts = new Set<string>();
    const visited = new Set<JsonSchema>();
    const visit = (from: Place): void => {
      const { schema, at } = this.#follow(from);
      if (visited.has(schema)) return;
      visited.add(schema);
      for (const choice of listOf(schema.enum)) parts.add(`${at} = ${JSON.stringify(choice)}`);
      for (const inner of [schema.items, schema.additionalProperties].filter(isObject)) visit({ schema: inner, at });
      for (const inner of [...listOf(schema.prefixItems), ...this.#branches(schema)]) visit({ schema: inner, at });
      for (const [, property] of this.#properties({ schema, at })) {
        parts.add(property.at);
        visit(property);
      }
    };
    visit({ schema: this.#root, at: 'Template' });
    return parts;
  }

  mark(value: unknown, from: Place = { schema: this.#root, at: 'Template' }): void {
    const { schema, at } = this.#follow(from);
    const branch = this.#branches(schema).find((option) => this.#fits(option, value));
    if (branch) this.mark(value, { schema: branch, at });
    if (Array.isArray(schema.enum)) this.seen.add(`${at} = ${JSON.stringify(value)}`);
    if (Array.isArray(value)) {
      const tuple = listOf(schema.prefixItems);
      for (const [index, item] of value.entries()) {
        const inner = tuple[index] ?? schema.items;
        if (isObject(inner)) this.mark(item, { schema: inner, at });
      }
    }
    if (!isObject(value)) return;
    for (const [name, property] of this.#properties({ schema, at })) {
      if (!(name in value)) continue;
      this.seen.add(property.at);
      this.mark(value[name], property);
    }
    const { properties, additionalProperties } = schema;
    if (!isObject(additionalProperties)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (!isObject(properties) || !(name in properties)) this.mark(inner, { schema: additionalProperties, at });
    }
  }

  /** The properties of an object's schema, each with its part's name. */
  #properties({ schema, at }: Place): [string, Place][] {
    if (!isObject(schema.properties)) return [];
    return Object.entries(schema.properties).map(([name, value]) => {
      const property = isObject(value) ? value : {};
      const definition = this.#definition(property) ?? property;
      const names = this.#parts.get(definition) ?? new Map<string, string>();
      this.#parts.set(definition, names);
      const part = names.get(name) ?? `${at}.${name}`;
      names.set(name, part);
      return [name, { schema: property, at: part }];
    });
  }

  #definition(schema: JsonSchema): JsonSchema | null {
    const ref = this.#refOf(schema);
    if (ref === null) return null;
    const definition = isObject(this.#root.$defs) ? this.#root.$defs[ref] : undefined;
    if (!isObject(definition)) throw new Error(`no definition "${ref}"`);
    return definition;
  }

  #refOf(schema: JsonSchema): string | null {
    return typeof schema.$ref === 'string' ? schema.$ref.slice('#/$defs/'.length) : null;
  }

  /** Follows `$ref`s to the definition; a definition with a name of its own becomes the prefix of its parts' names. */
  #follow({ schema, at }: Place): Place {
    const definition = this.#definition(schema);
    if (definition !== null) {
      const ref = this.#refOf(schema) ?? '';
      return this.#follow({ schema: definition, at: ref.startsWith('__') ? at : ref });
    }
    const place = this.#places.get(schema) ?? at;
    this.#places.set(schema, place);
    return { schema, at: place };
  }

  #branches(schema: JsonSchema): readonly JsonSchema[] {
    return [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  }

  /** Whether a value belongs to this branch of a union; not a full validation. */
  #fits(branch: JsonSchema, value: unknown): boolean {
    const { schema } = this.#follow({ schema: branch, at: '' });
    const branches = this.#branches(schema);
    if (branches.length > 0) return branches.some((option) => this.#fits(option, value));
    if ('const' in schema) return schema.const === value;
    if (Array.isArray(schema.enum)) return schema.enum.includes(value);
    if (schema.type === 'null') return value === null;
    if (schema.type === 'integer') return Number.isInteger(value);
    if (schema.type === 'array') {
      if (!Array.isArray(value)) return false;
      const { items, prefixItems } = schema;
      if (prefixItems) return listOf(prefixItems).length === value.length;
      return !isObject(items) || value.every((item) => this.#fits(items, item));
    }
    if (schema.type === 'string') {
      return (
        typeof value === 'string' && (typeof schema.pattern !== 'string' || new RegExp(schema.pattern).test(value))
      );
    }
    if (schema.type !== 'object') return typeof value === schema.type;
    if (!isObject(value)) return false;
    const properties = isObject(schema.properties) ? schema.properties : {};
    return Object.entries(value).every(([name, inner]) => {
      const property = properties[name] ?? schema.additionalProperties;
      if (!isObject(property)) return false;
      const definition = this.#definition(property) ?? property;
      return !('const' in definition) || definition.const === inner;
    });
  }
}
