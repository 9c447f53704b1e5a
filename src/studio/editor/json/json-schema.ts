// Queries the published JSON Schema of a template: what is allowed at a position in a document.

import { templateSchema } from './template-schema.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const root = templateSchema as Schema;

const deref = (schema: Schema): Schema => {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? undefined : root.$defs?.[name];
  return target ? { ...deref(target), ...(schema.description && { description: schema.description }) } : schema;
};

const branches = (schema: Schema): readonly Schema[] => {
  const own = deref(schema);
  const inner = own.anyOf ?? own.oneOf;
  return inner ? inner.flatMap(branches) : [own];
};

/** Compares the constants that select a branch of a union: `type`, `engine`. */
function fits(schema: Schema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return ['type', 'engine'].every((key) => {
    const said = (value as Readonly<Record<string, unknown>>)[key];
    const wanted = schema.properties?.[key];
    return said === undefined || wanted === undefined || wanted.const === undefined || wanted.const === said;
  });
}

/** The schemas that apply at a path. */
function schemasAt(path: readonly (string | number)[], document: unknown): readonly Schema[] {
  let value = document;
  let schemas = branches(root).filter((schema) => fits(schema, value));
  for (const key of path) {
    schemas = schemas.flatMap((schema) => {
      const next = typeof key === 'number' ? schema.items : schema.properties?.[key];
      return next ? branches(next) : [];
    });
    value = (value as Readonly<Record<string | number, unknown>> | null | undefined)?.[key];
    schemas = schemas.filter((schema) => fits(schema, value));
  }
  return schemas;
}

/** The properties allowed at a path, with their schemas. */
export function propertiesAt(path: readonly (string | number)[], document: unknown): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  for (const { properties = {} } of schemasAt(path, document)) {
    for (const [name, schema] of Object.entries(properties)) if (!found.has(name)) found.set(name, deref(schema));
  }
  return found;
}

/** Values that a schema lists. */
export function valuesAt(path: readonly (string | number)[], document: unknown): readonly unknown[] {
  const listed = schemasAt(path, document).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === 'boolean' ? [true, false] : []),
    ...(schema.default === undefined ? [] : [schema.default]),
  ]);
  return [...new Set(listed.map((value) => JSON.stringify(value)))].map((text) => JSON.parse(text));
}
