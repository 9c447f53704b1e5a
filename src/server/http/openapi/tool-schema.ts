// Rewrites JSON Schemas into the subset that OpenAPI generators, linters and gateways read correctly.
//
// zod writes JSON Schema 2020-12 to the letter. Spectral and Prism want `items` beside `type: array` and do not support
// `prefixItems`; openapi-typescript treats a property with a default as always present, also in a request.

import { withoutEnd } from '#core/without-end.ts';

/** The schema with arrays instead of tuples, and with its defaults moved into the descriptions. */
export function toolSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toolSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { default: fallback, prefixItems, examples, ...rest } = schema as Json;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? each(value as Json) : toolSchema(value)]),
  );
  return {
    ...plain,
    ...(prefixItems === undefined ? {} : arrayOf(prefixItems as readonly unknown[])),
    ...(examples === undefined ? {} : { examples }),
    ...(fallback === undefined ? {} : { description: withDefault(plain.description, fallback) }),
  };
}

/** Handled by name, since a property may be called `default` or `examples`. */
const each = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toolSchema(schema)]));

/** A tuple as an array of the same length, whose items may be of any of the tuple's types. */
function arrayOf(kinds: readonly unknown[]): Json {
  const distinct = [...new Map(kinds.map((kind) => [JSON.stringify(kind), toolSchema(kind)])).values()];
  return {
    items: distinct.length === 1 ? distinct[0] : { anyOf: distinct },
    minItems: kinds.length,
    maxItems: kinds.length,
  };
}

function withDefault(description: unknown, fallback: unknown): string {
  const said = typeof description === 'string' ? `${withoutEnd(description, /[.\s]/)}. ` : '';
  return `${said}Default: ${JSON.stringify(fallback)}.`;
}

export type Json = Readonly<Record<string, unknown>>;
